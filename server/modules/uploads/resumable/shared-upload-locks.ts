import { setTimeout as sleep } from 'node:timers/promises'
import { ERRORS, type Locker } from '@tus/server'
import type { SessionLocks } from '../../../platform/database/locks/session-locks.ts'
import { uploadLocks } from './upload-locks.ts'

/** How long a request waits for another process to release a lock, its first and longest polling interval, and how often it requests the release. */
const WAIT_MS = 30_000
const LOOK_MS = 100
const SELDOM_MS = 1000
const ASK_MS = 1000

type Deps = {
  locks: SessionLocks
  /** Announces to every process that a request waits for this upload. */
  askForIt: (id: string) => Promise<void>
}

/**
 * Runs one request at a time for each upload, over all processes: those of one process take turns, and the current one
 * takes the shared lock. A waiting request asks the holder to end, in whichever process it is.
 */
export function sharedUploadLocks({ locks, askForIt }: Deps) {
  const own = uploadLocks()
  const holders = new Map<string, () => void>()
  const nameOf = (id: string) => `cairn upload ${id}`

  const take = async (id: string, signal: AbortSignal, giveUp: () => void) => {
    let askAt = 0
    let pause = LOOK_MS / 2
    for (let waited = 0; waited < WAIT_MS; waited += pause) {
      if (signal.aborted) break
      if (await locks.take(nameOf(id), giveUp)) return void holders.set(id, giveUp)
      if (waited >= askAt) {
        askAt = waited + ASK_MS
        await askForIt(id)
      }
      pause = Math.min(SELDOM_MS, 2 * pause)
      await sleep(pause)
    }
    throw ERRORS.ERR_LOCK_TIMEOUT
  }

  const locker: Locker = {
    newLock(id) {
      const turn = own.newLock(id)
      return {
        async lock(signal, giveUp) {
          await turn.lock(signal, giveUp)
          try {
            await take(id, signal, () => void giveUp())
          } catch (error) {
            await turn.unlock()
            throw error
          }
        },
        async unlock() {
          holders.delete(id)
          // If the connection broke, the lock is already released.
          await locks.release(nameOf(id)).catch(() => {})
          await turn.unlock()
        },
      }
    },
  }

  return {
    locker,

    /** Another request, perhaps of another process, waits for these uploads. */
    wanted(ids: string[]) {
      for (const id of ids) holders.get(id)?.()
    },

    /** The bytes while the lock is held: after it is lost another process may write, so the stream fails. */
    async *whileHeld(id: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        if (!locks.isHeld(nameOf(id))) return
        yield chunk
      }
    },
  }
}
