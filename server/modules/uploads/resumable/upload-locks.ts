import { ERRORS, type Locker } from '@tus/server'

/** How long a request waits for the one before it to let go. */
const WAIT_MS = 30_000

type Held = {
  /** Asks the request that holds the lock to end. */
  giveUp: () => Promise<void> | void
  waiting: (() => void)[]
}

/** One request at a time for each upload, in the order they come. Who waits asks who holds to end: a PATCH whose connection died without a word must not keep the sender from going on.
 * In place of the library's own, which spins while it waits. */
export function uploadLocks(): Locker {
  const held = new Map<string, Held>()

  return {
    newLock: (id) => ({
      async lock(signal, giveUp) {
        const lock = held.get(id)
        if (!lock) return void held.set(id, { giveUp, waiting: [] })
        await new Promise<void>((resolve, reject) => {
          const end = () => {
            clearTimeout(timer)
            signal.removeEventListener('abort', refuse)
          }
          const refuse = () => {
            end()
            lock.waiting.splice(lock.waiting.indexOf(begin), 1)
            reject(ERRORS.ERR_LOCK_TIMEOUT)
          }
          const begin = () => {
            end()
            lock.giveUp = giveUp
            if (lock.waiting.length > 0) void giveUp()
            resolve()
          }
          const timer = setTimeout(refuse, WAIT_MS)
          signal.addEventListener('abort', refuse)
          lock.waiting.push(begin)
          void lock.giveUp()
        })
      },
      async unlock() {
        const lock = held.get(id)
        const next = lock?.waiting.shift()
        if (next) next()
        else held.delete(id)
      },
    }),
  }
}
