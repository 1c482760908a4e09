import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Body bytes between two collections. */
const EVERY_BYTES = 8 * 2 ** 20

type Collect = (options?: { type: 'minor' }) => void
/** Shared, because the process has one heap. */
let collect: Collect | undefined
let since = 0

/**
 * Each body chunk (up to 64 KiB) has an off-heap buffer that is soon garbage. V8 sees little more than the handles and
 * would let some 70 MB accumulate. @returns a function to call with the size of each chunk: after enough of them it
 * collects young garbage, which is fast because little of it is still in use
 */
export function collectYoungGarbage(): (bytes: number) => void {
  collect ??= collector()
  return (bytes) => {
    since += bytes
    if (since < EVERY_BYTES) return
    since = 0
    collect!({ type: 'minor' })
  }
}

/**
 * Whether V8 may enlarge the young generation. Most of what a start allocates stays in use, so V8 would enlarge it to
 * over 60 MB, and keep them while the process is idle.
 */
export function letYoungGenerationGrow(mayGrow: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
}

/** V8's own collector: of all garbage, or of the young generation only. */
export function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
