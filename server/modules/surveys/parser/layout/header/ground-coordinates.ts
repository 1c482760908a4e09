import { SurveyFileError } from '../../errors.ts'
import { truncate } from '../../truncate.ts'
import type { Layout } from '../layout.ts'

/** `Ground coordinates`, `Coordinates: ground, scale factor 1.000312`; not `Coordinates of ground control points`. */
const GROUND =
  /\bground coordinates?\b|\bcoordinates?[ :=-]{1,3}(?:are |at |on |type[ :=]{1,3}|system[ :=]{1,3})?\(?(?:the )?ground\b(?! (?:control|truth|level|survey|point))/i
const BETWEEN = /\bgrid coordinates?\b|\b(?:to|from) ground\b/i
const MAX_LINE = 500

/**
 * Refuses grid coordinates that a line above the table calls those on the ground: multiplied by a scale factor, they are up
 * to kilometres away in the grid.
 * @throws SurveyFileError UNKNOWN_CRS
 */
export function refuseGround({ kind }: Layout, titles: readonly string[]): void {
  const line = titles.find((title) => title.length <= MAX_LINE && GROUND.test(title) && !BETWEEN.test(title))
  if (kind !== 'grid' || line === undefined) return
  throw new SurveyFileError(
    'UNKNOWN_CRS',
    `"${truncate(line.trim(), 100)}" says that the coordinates are those on the ground, which a scale factor moves away from the grid: export grid coordinates, or latitude and longitude; if they are of the grid, leave out that line`,
  )
}
