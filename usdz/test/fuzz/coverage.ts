import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'

/** Code that counts as the converter's own; what is below `test/` judges it. */
const isOwn = (url: string) => /\/usdz\/(?!.*\/?(test|node_modules)\/)[^?]*\.(ts|js)$/.test(url)

/**
 * Watches which blocks of the converter run (V8's precise coverage).
 * @returns a function that says how many blocks ran since it was last asked which had never run before.
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
          // How often in powers of two: a loop that runs far longer than ever is something new as well.
          if (count > 0) known.add(`${url} ${startOffset} ${endOffset} ${Math.ceil(Math.log2(count) / 2)}`)
        }
      }
    }
    return known.size - before
  }
}
