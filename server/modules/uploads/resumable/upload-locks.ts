import { ERRORS, type Locker } from '@tus/server'

/** How long a request waits for the previous one to end. */
const WAIT_MS = 30_000

type Held = {
  /** Asks the request that holds the lock to end. */
  giveUp: () => Promise<void> | void
  waiting: (() => void)[]
}

/**
 * Runs one request at a time for each upload, in order. A waiting request asks the holder to end, so that a PATCH with
 * a dead connection does not block the sender. Replaces the library's own locker, which busy-waits.
 */
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
