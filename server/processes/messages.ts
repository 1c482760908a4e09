import type { ProcessPart } from '../platform/processes/processes.ts'

/** What the supervisor sends first. The coordinator creates the folder, and each of its successors gets the same. */
export type Assignment = Pick<ProcessPart, 'part' | 'name'> & {
  databaseUrl: string
  folder: string | undefined
}

/** Later messages of the supervisor. */
export type ToPart = { stop: true } | { message: true }

/** What a process reports to the supervisor. */
export type FromPart = { ready: { folder: string } } | { failed: string } | { message: string }
