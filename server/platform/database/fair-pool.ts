import pg from 'pg'
import { unavailable } from '../errors.ts'
import { PoolLane } from './pool-lane.ts'
import { currentRequest, type RequestContext } from './request-context.ts'
import { trackWrite } from './write-tracking.ts'

/** Milliseconds that a statement of a request waits for a lock. More than the deadlock_timeout of the bundled PostgreSQL, so that only one of two deadlocked writers is rolled back. */
export const LOCK_TIMEOUT_MS = 1000
/** After a lock timeout, how long the sender's next statements are expected to wait for the same lock. */
const LOCKED_MS = 2 * LOCK_TIMEOUT_MS

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void

/**
 * A pool whose connections are shared among requests by lane, so that requests waiting for one table leave connections to
 * others. Work outside of requests is not limited. A checkout without waiting creates no promise.
 */
export class FairPool extends pg.Pool {
  readonly #lanes = new Map<string, PoolLane>()
  readonly #hasLockTimeout = new WeakSet<pg.PoolClient>()
  readonly #users = new WeakMap<pg.PoolClient, RequestContext>()

  constructor(config: pg.PoolConfig) {
    super(config)
    this.on('release', (_error, client) => {
      const request = this.#users.get(client)
      if (!request) return
      this.#users.delete(client)
      this.#release(request)
    })
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const request = currentRequest()
    if (callback) {
      this.#checkOut(request, callback)
      return undefined
    }
    return this.connectTracked().then((client) => {
      // Statements on it are not tracked.
      if (request?.tracksWrites) request.mayHaveWritten = true
      return client
    })
  }

  /** Like `connect`, for callers that track their writes. */
  connectTracked(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.#checkOut(currentRequest(), (error, client) => (error ? reject(error) : resolve(client!)))
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: as pg.Pool has it, in all its forms.
  override query(...statement: any[]): any {
    const request = currentRequest()
    return request?.tracksWrites ? this.#queryTracked(request, statement) : this.read(...statement)
  }

  /** Like `query`, for statements that only read: they do not count as writes of the request. */
  // biome-ignore lint/suspicious/noExplicitAny: as pg.Pool has it, in all its forms.
  read(...statement: any[]): any {
    return Reflect.apply(super.query, this, statement)
  }

  async #queryTracked(request: RequestContext, statement: unknown[]): Promise<unknown> {
    const client = await this.connectTracked()
    try {
      const result = await trackWrite(request, Reflect.apply(client.query, client, statement))
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }

  /** Called when a statement of this sender runs into the lock timeout: its waiting requests in this lane get 503, and for a while only a few run. */
  limitLocked({ lane, sender }: Pick<RequestContext, 'lane' | 'sender'>): void {
    this.#laneOf(lane).limit(sender, LOCKED_MS, lockTimeoutError)
  }

  #checkOut(request: RequestContext | undefined, callback: ConnectCallback): void {
    const acquired = (error?: Error) => {
      if (error) {
        callback(error, undefined, () => {})
        return
      }
      if (request) request.connections++
      this.#connect(request, callback)
    }
    if (!request || this.#tryAcquire(request)) acquired()
    else this.#laneOf(request.lane).wait(request.sender, acquired)
  }

  #connect(request: RequestContext | undefined, callback: ConnectCallback): void {
    super.connect((error, client, done) => {
      if (error || !client) {
        if (request) this.#release(request)
        return callback(error, undefined, done)
      }
      if (request) this.#users.set(client, request)
      this.#setLockTimeout(client, request !== undefined, callback)
    })
  }

  #setLockTimeout(client: pg.PoolClient, isLimited: boolean, callback: ConnectCallback): void {
    if (this.#hasLockTimeout.has(client) === isLimited) {
      callback(undefined, client, client.release)
      return
    }
    void client.query(`set lock_timeout = ${isLimited ? LOCK_TIMEOUT_MS : 0}`, (error: Error | null) => {
      if (error) {
        client.release(true)
        return callback(error, undefined, () => {})
      }
      if (isLimited) this.#hasLockTimeout.add(client)
      else this.#hasLockTimeout.delete(client)
      callback(undefined, client, client.release)
    })
  }

  #tryAcquire({ lane: name, sender, connections }: RequestContext): boolean {
    const lane = this.#laneOf(name)
    if (connections === 0) return lane.tryAcquire(sender)
    // A request that has a connection must get its next one to finish.
    lane.acquire(sender)
    return true
  }

  #release(request: RequestContext): void {
    request.connections--
    this.#laneOf(request.lane).release(request.sender)
  }

  #laneOf(name: string): PoolLane {
    const lane = this.#lanes.get(name) ?? new PoolLane()
    this.#lanes.set(name, lane)
    return lane
  }
}

/** 503 for a statement that waited too long for a lock. */
export const lockTimeoutError = () =>
  unavailable('The record or table is locked by another request. Retry in a second', 1)
