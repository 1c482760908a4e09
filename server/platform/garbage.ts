import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Body bytes between two collections. */
const EVERY_BYTES = 8 * 2 ** 20
/** What a long piece of work may leave in the heap before it is collected. */
const MOST_LEFT = 96 * 2 ** 20

type Collect = (options: { type: 'minor' | 'major' }) => void
/** One heap, whoever tells of what goes through it. */
let collect: Collect | undefined
let since = 0

/** Each piece of a body, up to 64 KiB, lies outside the heap in a buffer of its own and is soon garbage. V8 sees little more than the handles and would let some 70 MB wait for its next collection.
 * @returns what to tell of each piece: after enough of them the young garbage is collected, which is quick because little of it is still in use. */
export function collectYoungGarbage(): (bytes: number) => void {
  collect ??= collector()
  return (bytes) => {
    since += bytes
    if (since < EVERY_BYTES) return
    since = 0
    collect!({ type: 'minor' })
  }
}

/** Work in many steps, each of which lives through some collections of young garbage, leaves old garbage behind, and V8 lets the heap grow to four times what is in use before it looks there.
 * @returns what to call between two steps: once enough is left all of it is collected, which takes some tens of milliseconds. */
export function collectOldGarbage(): () => void {
  collect ??= collector()
  let least = Number.POSITIVE_INFINITY
  return () => {
    const used = getHeapStatistics().used_heap_size
    least = Math.min(least, used)
    if (used < least + MOST_LEFT) return
    collect!({ type: 'major' })
    least = getHeapStatistics().used_heap_size
  }
}

function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
