import { setTimeout as sleep } from 'node:timers/promises'
import { ConversionError } from '../../index.ts'
import { openStudio, type PictureStudio } from './browser.ts'

/** Longer than any model takes that can be drawn. */
const mostMs = 600_000

/**
 * Works on one model after the other in one browser. After a model that fails, or takes too long, the next one gets a
 * new browser: one that has failed once may fail from then on.
 */
export function lastingStudio(open: () => Promise<PictureStudio> = openStudio, limitMs = mostMs) {
  let studio: PictureStudio | undefined
  const end = async () => {
    const ended = studio
    studio = undefined
    await ended?.close().catch(() => {})
  }
  return {
    /** @throws what the work throws; a refused model leaves the browser as it is. */
    async use<T>(work: (studio: PictureStudio) => Promise<T>): Promise<T> {
      studio ??= await open()
      const waiting = new AbortController()
      const late = sleep(limitMs, undefined, { signal: waiting.signal }).then(() => {
        throw new Error(`It takes more than ${limitMs / 1000} s.`)
      })
      try {
        return await Promise.race([work(studio), late])
      } catch (error) {
        if (!(error instanceof ConversionError)) await end()
        throw error
      } finally {
        late.catch(() => {})
        waiting.abort()
      }
    },
    close: end,
  }
}
