import type { Crs } from '../../../../reference-systems/crs.ts'
import { readAngle } from '../../rows/values/angles.ts'
import { type Decimal, readGrouped } from '../../rows/values/numbers.ts'
import type { Columns } from '../columns.ts'
import { column } from '../layout.ts'
import { withoutOutliers } from '../outliers.ts'
import { isSecondPair } from './second-pair.ts'

/** Column positions in a row without a header; the pair is at `first` and the column after it. */
export type Shape = { title: number | undefined; first: number; rest: Columns }

/** The largest accuracy of a point in metres: larger numbers are something else, such as a second measurement. */
const MAX_ACCURACY = 100

const isAccuracy = (cell: string, decimal: Decimal): boolean => {
  const value = readGrouped(cell, decimal) ?? 0
  return value >= 0 && value <= MAX_ACCURACY
}

/**
 * The possible shapes of the rows, likeliest first.
 * @param evidence the system of the coordinates, and whether it or the zone proves which columns they are
 */
export function shapesOf(
  rows: readonly string[][],
  width: number,
  decimal: Decimal,
  { crs, isProven }: { crs?: Crs | undefined; isProven: boolean },
): Shape[] {
  const isMeasured = (i: number) => rows.filter((fields) => /\d[.,]\d/.test(fields[i]!)).length > rows.length / 2
  const isNumber = (i: number) => (fields: string[]) =>
    readGrouped(fields[i]!, decimal) !== undefined || (i > 2 && fields[i]!.trim() === '')
  const numeric = Array.from({ length: width }, (_, i) =>
    // An error in a row does not make a numeric column a text; titles and codes may be numbers occasionally.
    (i > 0 && i < 4 && isMeasured(i) ? withoutOutliers(rows, isNumber(i)) : rows).every(isNumber(i)),
  )
  const pairAt = (at: number) => numeric[at] === true && numeric[at + 1] === true
  const isPair = (first: number, at = first + 2) =>
    numeric[at] && numeric[at + 1] && isSecondPair(rows, first, at, decimal, crs)
  const z = (at: number): Columns => {
    const height = isPair(at - 2) ? at + 2 : at
    return numeric[height] ? { z: column(height) } : {}
  }
  const text = (from: number): Columns => {
    const at = numeric.findIndex((is, i) => i >= from && !is)
    return at < 0 ? {} : { description: column(at) }
  }
  const shapes: Shape[] = []
  if (width >= 3 && pairAt(1)) {
    const areAccuracies = [4, 5].every((i) => rows.every((fields) => isAccuracy(fields[i] ?? '', decimal)))
    const accurate =
      width >= 6 && numeric[3] && numeric[4] && numeric[5] && areAccuracies && !isPair(1) && !isPair(1, 4)
    const rest = accurate
      ? { ...z(3), accuracyH: column(4), accuracyV: column(5), ...text(6) }
      : {
          ...z(3),
          ...text(numeric[3] ? 4 : 3),
          ...(width === 5 &&
            numeric[4] &&
            !isPair(1) &&
            rows.every((fields) => isAccuracy(fields[4] ?? '', decimal)) && { accuracyH: column(4) }),
        }
    shapes.push({ title: 0, first: 1, rest })
  }
  const isAngle = ([, cell = '']: readonly string[]) =>
    /\d\D+\d/.test(cell) && readAngle(cell, decimal)?.hemisphere !== undefined
  if (width >= 4 && !numeric[1] && pairAt(2) && (isProven || !withoutOutliers(rows, isAngle).every(isAngle))) {
    shapes.push({ title: 0, first: 2, rest: { description: column(1), ...z(4) } })
  }
  if (pairAt(0) && width <= 5) {
    const title = numeric.findIndex((is, i) => i >= 2 && !is)
    shapes.push({
      title: title < 0 ? undefined : title,
      first: 0,
      rest: { ...z(2), ...(title >= 0 && text(title + 1)) },
    })
  }
  return shapes
}
