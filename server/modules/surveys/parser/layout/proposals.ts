import type { SurveyRecord } from '../table.ts'
import { partedWords } from './angles/parts.ts'
import { countAxes } from './axes.ts'
import { columnsOf } from './columns.ts'
import { headerLayout } from './header-layout.ts'
import { headerLine, type LayoutContext } from './layout.ts'
import { withoutOutliers } from './outliers.ts'
import { gridPairs } from './sample.ts'

/** The candidate header lines under which the file reads without contradiction; each is tried on the rows. */
export const provenLines = (
  candidates: readonly string[][],
  rows: readonly SurveyRecord[],
  context: LayoutContext,
): string[] =>
  candidates
    .filter((words) => fitsHeader(words, rows, context))
    .map((words) => headerLine(context.parts ? partedWords(words, context.parts) : words, context.delimiter))

/**
 * Whether the rows are plausible under a header: in the range of degrees, in the area of their system and in their
 * zone, except for outliers, with axes as the header names them.
 */
export function fitsHeader(words: readonly string[], rows: readonly SurveyRecord[], context: LayoutContext): boolean {
  try {
    const layout = headerLayout(columnsOf(words), [{ fields: [...words], line: 0 }, ...rows], context)
    if (layout.kind !== 'grid' && layout.kind !== 'geodetic') return false
    if (layout.kind === 'grid' && !layout.crs) return false
    const pairs = gridPairs(
      layout,
      rows.map(({ fields }) => fields),
    )
    const isHere = (pair: (typeof pairs)[number]) => countAxes([pair], layout.crs, context.inZone).asIs === 1
    return pairs.length > 0 && !layout.swapped && withoutOutliers(pairs, isHere).every(isHere)
  } catch {
    return false
  }
}
