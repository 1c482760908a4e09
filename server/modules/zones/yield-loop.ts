import { setImmediate } from 'node:timers/promises'

/** Long enough to get on with it, short enough that no request waits noticeably. */
const STRETCH_MS = 15

/** Lets whoever waits go first. What is set for "immediately" comes right behind what the same turn of the event loop read: only the second time something was read in between. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** To be awaited at every step of long work: lets the event loop turn when the work has run for a stretch. */
export function createYielder(stretchMs = STRETCH_MS): () => Promise<void> | undefined {
  let until = performance.now() + stretchMs
  return () => {
    if (performance.now() < until) return undefined
    return yieldToEventLoop().then(() => {
      until = performance.now() + stretchMs
    })
  }
}
