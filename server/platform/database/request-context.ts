import { AsyncLocalStorage } from 'node:async_hooks'

/** A request in the database layer. */
export type RequestContext = {
  /** The lane of the pool for its connections. */
  readonly lane: string
  /** Address block of the client. */
  readonly sender: string
  /** Number of connections in use. */
  connections: number
  /** Whether a write is committed, or may be. Set only while `tracksWrites`. */
  mayHaveWritten: boolean
  /** Set for a request with an Idempotency-Key. */
  tracksWrites: boolean
}

const storage = new AsyncLocalStorage<RequestContext | undefined>()

/** Runs the handler of a request: its statements use connections of its lane and have a lock timeout. */
export const runInRequest = <T>(context: RequestContext, run: () => T): T => storage.run(context, run)

/** Runs work that is not part of the request that started it: it may use any free connection and waits for locks without limit. */
export const runOutsideRequest = <T>(run: () => T): T => storage.run(undefined, run)

/** The current request. */
export const currentRequest = (): RequestContext | undefined => storage.getStore()
