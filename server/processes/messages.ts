import cluster from 'node:cluster'
import type { Config } from '../platform/config.ts'
import type { ProcessPart } from '../platform/processes/processes.ts'

/**
 * What the supervisor sends first. The settings are its own: `.env` may have changed since. The coordinator creates the
 * folder, and each of its successors gets the same.
 */
export type Assignment = Pick<ProcessPart, 'part' | 'name'> & {
  config: Config
  databaseUrl: string
  folder: string | undefined
}

/** Later messages of the supervisor. A process that does not answer pings is stuck. */
export type ToPart = { stop: true } | { message: true } | { ping: true }

/** What a process reports to the supervisor. */
export type FromPart = { ready: { folder: string } } | { failed: string } | { message: string } | { pong: true }

/** Marks the processes that a supervisor starts: another program may also run this one in a cluster. */
export const MARK = { CAIRN_PART: 'yes' }

/** @returns undefined in a process that no supervisor has started */
export function supervisor() {
  if (!cluster.isWorker || process.env.CAIRN_PART !== MARK.CAIRN_PART) return undefined
  const { promise: assigned, resolve } = Promise.withResolvers<Assignment>()
  // Node keeps messages only until the first listener.
  const early: ToPart[] = []
  let take = (message: ToPart): void => void early.push(message)
  process.on('message', (message: Assignment | ToPart) => ('part' in message ? resolve(message) : take(message)))
  return {
    assigned,
    send: (message: FromPart): void => void process.send!(message),
    /** Passes on all messages after the assignment, also those that have come before. */
    listen(handle: (message: ToPart) => void): void {
      take = handle
      for (const message of early) handle(message)
    },
  }
}

export type Supervisor = NonNullable<ReturnType<typeof supervisor>>
