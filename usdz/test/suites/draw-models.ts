import { ConversionError } from '../../index.ts'
import { compare } from '../pictures/compare.ts'
import { excusesOf } from '../pictures/excuses.ts'
import { lastingStudio } from '../pictures/lasting-studio.ts'
import { alike, silentLoss } from '../pictures/losses.ts'
import type { SuiteModel } from './suite-models.ts'

/**
 * Draws the valid models and their packages, from four sides and at two moments of each animation.
 * Yields for each the worst similarity, and why the pictures may differ.
 */
export async function* drawModels(models: readonly SuiteModel[]): AsyncGenerator<[path: string, text: string]> {
  const studio = lastingStudio()
  try {
    for (const { path, glb, validity } of models) {
      if (!glb || validity !== 'valid') continue
      try {
        const { worst, report } = await studio.use((open) =>
          compare(open, path, glb, { views: [0, 1, 4, 5], moments: 2 }),
        )
        if (worst === undefined) yield [path, 'empty']
        else {
          const why = worst < alike && silentLoss(report, worst) === undefined ? reasonsOf(report.notes) : ''
          yield [path, `${worst.toFixed(3)}${why && ` (${why})`}`]
        }
      } catch (error) {
        if (error instanceof ConversionError) continue
        yield [path, `FAILED: ${error instanceof Error ? error.message : error}`]
      }
    }
  } finally {
    await studio.close()
  }
}

const reasonsOf = (notes: Parameters<typeof excusesOf>[0]['notes']): string =>
  excusesOf({ notes }).join(', ') || notes.map(({ code }) => code).join(', ')
