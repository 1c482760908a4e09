import { setImmediate } from 'node:timers/promises'

/** Long enough to make progress, short enough that no request waits noticeably. */
const STRETCH_MS = 15

/**
 * Lets pending I/O run first. A first setImmediate runs directly after what the same turn of the event loop has read;
 * only after the second has new I/O been read.
 */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/**
 * Returns a function to await at every step of long work: it yields to the event loop once the work has run for a
 * stretch.
 */
export function createYielder(stretchMs = STRETCH_MS): () => Promise<void> | undefined {
  let until = performance.now() + stretchMs
  return () => {
    if (performance.now() < until) return undefined
    return yieldToEventLoop().then(() => {
      until = performance.now() + stretchMs
    })
  }
}
