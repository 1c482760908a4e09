import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Body bytes between two collections. */
const EVERY_BYTES = 8 * 2 ** 20

type Collect = (options?: { type: 'minor' }) => void
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

/** V8's own collector: of all garbage, or of the young alone. */
export function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
