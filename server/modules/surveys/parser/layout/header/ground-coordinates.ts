import { SurveyFileError } from '../../errors.ts'
import { truncate } from '../../truncate.ts'
import type { Layout } from '../layout.ts'

/** `Ground coordinates`, `Coordinate type: Ground`, and nothing else in the line. */
const DECLARED = /^\W*(?:coordinates?(?: type| system)?[ :=-]{1,3})?\(?ground(?: coordinates?)?\W*$/i
/** `Coordinates: ground, scale factor 1.000312`; photogrammetry also calls coordinates of objects those on the ground. */
const SCALED = /\bground\b.*\bfactor\b[ :=]{0,3}(?<factor>\d[.,]\d+)/i
const BETWEEN = /\bgrid coordinates?\b|\b(?:to|from) ground\b|\bnot\b/i
const MAX_LINE = 500

/**
 * Refuses grid coordinates that a line above the table calls those on the ground: multiplied by a scale factor, they are up
 * to kilometres away in the grid.
 * @throws SurveyFileError UNKNOWN_CRS
 */
export function refuseGround({ kind }: Layout, titles: readonly string[]): void {
  const line = titles.find((title) => title.length <= MAX_LINE && (DECLARED.test(title) || isScaled(title)))
  if (kind !== 'grid' || line === undefined) return
  throw new SurveyFileError(
    'UNKNOWN_CRS',
    `"${truncate(line.trim(), 100)}" says that the coordinates are those on the ground, which a scale factor moves away from the grid: export grid coordinates, or latitude and longitude; if they are of the grid, leave out that line`,
  )
}

function isScaled(title: string): boolean {
  const factor = SCALED.exec(title)?.groups?.factor
  return factor !== undefined && Number(factor.replace(',', '.')) !== 1 && !BETWEEN.test(title)
}
