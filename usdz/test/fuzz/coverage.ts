import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'

/** Code of the converter; `test/` is excluded. */
const isOwn = (url: string) => /\/usdz\/(?!.*\/?(test|node_modules)\/)[^?]*\.(ts|js)$/.test(url)

/**
 * Tracks which blocks of the converter run (V8's precise coverage).
 * @returns a function that returns the number of blocks that ran for the first time since its last call.
 */
export async function coverage(): Promise<() => Promise<number>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const known = new Set<string>()
  return async () => {
    const { result } = (await session.post('Profiler.takePreciseCoverage')) as Profiler.TakePreciseCoverageReturnType
    const before = known.size
    for (const { url, functions } of result) {
      if (!isOwn(url)) continue
      for (const { ranges } of functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          // Counts in powers of two: a loop that runs far longer than before is new too.
          if (count > 0) known.add(`${url} ${startOffset} ${endOffset} ${Math.ceil(Math.log2(count) / 2)}`)
        }
      }
    }
    return known.size - before
  }
}
