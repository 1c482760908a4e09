import { AsyncLocalStorage } from 'node:async_hooks'

/** A request as the database layer sees it. */
export type RequestContext = {
  /** Names the lane of the pool that its connections come from. */
  readonly lane: string
  /** Address block of the client. */
  readonly sender: string
  /** Connections that it has now. */
  connections: number
  /** Whether anything that it wrote is committed, or may be. Set only while `tracksWrites`. */
  mayHaveWritten: boolean
  /** Set for a request with an Idempotency-Key. */
  tracksWrites: boolean
}

const storage = new AsyncLocalStorage<RequestContext | undefined>()

/** Runs the handling of a request: its statements take connections from its lane and give up on locks after a moment. */
export const runInRequest = <T>(context: RequestContext, run: () => T): T => storage.run(context, run)

/** Runs work that is no part of the request that started it: it takes any free connection and waits for locks without limit. */
export const runOutsideRequest = <T>(run: () => T): T => storage.run(undefined, run)

/** The request that the caller is part of. */
export const currentRequest = (): RequestContext | undefined => storage.getStore()
