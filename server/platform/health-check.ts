import { setTimeout as sleep } from 'node:timers/promises'

/** A part that does not answer within two seconds is not ready. */
const MAX_MS = 2000

/** Whether a part answers, and how long that took. @returns `fault` undefined where it does */
export async function checkHealth<Said>(check: () => Promise<Said>) {
  const began = performance.now()
  const ended = new AbortController()
  const tooLong = sleep(MAX_MS, undefined, { ref: false, signal: ended.signal }).then(async () => {
    // After a standstill of the process itself the answer may have come long ago: what has arrived is read first.
    await new Promise(setImmediate)
    throw new Error(`no answer within ${MAX_MS / 1000} s`)
  })
  const outcome = await Promise.race([check(), tooLong]).then(
    (said) => ({ said, fault: undefined }),
    (fault: unknown) => ({ said: undefined, fault: fault instanceof Error ? fault : new Error(String(fault)) }),
  )
  tooLong.catch(() => {})
  ended.abort()
  return { ...outcome, ms: performance.now() - began }
}
