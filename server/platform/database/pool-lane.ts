import { unavailable } from '../errors.ts'

/** Maximum connections of a lane, and of a sender in it after a lock timeout. */
const MAX_CONNECTIONS = 10
const MAX_CONNECTIONS_OF_LOCKED = 3
/** Milliseconds that a request waits for a connection. */
const WAIT_MS = 10_000

type Waiter = { sender: string; timer: NodeJS.Timeout; callback: (error?: Error) => void }

/** One subject's share of a pool: its connections, and the requests that wait for one, in order of arrival. */
export class PoolLane {
  #connections = 0
  readonly #waiting: Waiter[] = []
  readonly #connectionsOf = new Map<string, number>()
  /** By sender, in milliseconds of `performance.now()`. */
  readonly #lockedUntil = new Map<string, number>()

  /** Takes a connection if no request of the lane is waiting before. @returns false if it must wait */
  tryAcquire(sender: string): boolean {
    if (this.#nextWaiter() >= 0 || !this.#hasRoom(sender)) return false
    this.acquire(sender)
    return true
  }

  /** Takes a connection regardless of the limit. */
  acquire(sender: string): void {
    this.#connections++
    this.#connectionsOf.set(sender, (this.#connectionsOf.get(sender) ?? 0) + 1)
  }

  /** Waits for a connection. The callback gets a 503 after 10 s, or if other requests of this sender run into a lock. */
  wait(sender: string, callback: (error?: Error) => void): void {
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
      callback(unavailable('The database is busy. Retry in 2 seconds', 2))
    }, WAIT_MS)
    const waiter = { sender, timer, callback }
    this.#waiting.push(waiter)
  }

  /** Returns a connection, and starts waiters that now fit. */
  release(sender: string): void {
    this.#connections--
    const left = this.#connectionsOf.get(sender)! - 1
    if (left === 0) this.#connectionsOf.delete(sender)
    else this.#connectionsOf.set(sender, left)
    for (let next = this.#nextWaiter(); next >= 0; next = this.#nextWaiter()) {
      const [{ sender, timer, callback }] = this.#waiting.splice(next, 1) as [Waiter]
      clearTimeout(timer)
      this.acquire(sender)
      // The pool emits 'release' before the connection is idle again.
      queueMicrotask(callback)
    }
  }

  /** Limits this sender to few connections for a while, and refuses its waiting requests. */
  limit(sender: string, forMs: number, refusal: () => Error): void {
    const now = performance.now()
    for (const [other, until] of this.#lockedUntil) if (until < now) this.#lockedUntil.delete(other)
    this.#lockedUntil.set(sender, now + forMs)
    for (const waiter of this.#waiting.filter((one) => one.sender === sender)) {
      clearTimeout(waiter.timer)
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
      waiter.callback(refusal())
    }
  }

  #hasRoom(sender: string): boolean {
    if (this.#connections >= MAX_CONNECTIONS) return false
    const lockedUntil = this.#lockedUntil.get(sender)
    if (lockedUntil === undefined || performance.now() >= lockedUntil) return true
    return (this.#connectionsOf.get(sender) ?? 0) < MAX_CONNECTIONS_OF_LOCKED
  }

  /** The first waiter that fits; -1 for none. */
  #nextWaiter(): number {
    if (this.#waiting.length === 0) return -1
    return this.#waiting.findIndex(({ sender }) => this.#hasRoom(sender))
  }
}
