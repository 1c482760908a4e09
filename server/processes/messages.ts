import type { ProcessPart } from '../platform/processes/processes.ts'

/** What the supervisor sends first. The coordinator creates the folder, and each of its successors gets the same. */
export type Assignment = Pick<ProcessPart, 'part' | 'name'> & {
  databaseUrl: string
  folder: string | undefined
  /** That the service listens on, once it is known. */
  address: string | undefined
}

/** Later messages of the supervisor. */
export type ToPart = { stop: true } | { listensOn: string } | { message: true }

/** What a process reports to the supervisor. */
export type FromPart = { ready: Ready } | { failed: string } | { message: string }
export type Ready = { folder: string; address: string }
