import { setTimeout as sleep } from 'node:timers/promises'

/** A part that does not respond within two seconds is not ready. */
const MAX_MS = 2000

/** Checks whether a part responds, and how long that takes. `fault` is undefined on success. */
export async function checkHealth<Value>(check: () => Promise<Value>) {
  const began = performance.now()
  const ended = new AbortController()
  const tooLong = sleep(MAX_MS, undefined, { ref: false, signal: ended.signal }).then(async () => {
    // After a pause of the process itself the response may have arrived already: read it first.
    await new Promise(setImmediate)
    throw new Error(`no response within ${MAX_MS / 1000} s`)
  })
  const outcome = await Promise.race([check(), tooLong]).then(
    (value) => ({ value, fault: undefined }),
    (fault: unknown) => ({ value: undefined, fault: fault instanceof Error ? fault : new Error(String(fault)) }),
  )
  tooLong.catch(() => {})
  ended.abort()
  return { ...outcome, ms: performance.now() - began }
}
