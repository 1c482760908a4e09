import { SurveyFileError } from '../../errors.ts'
import { readAngle } from '../../rows/values/angles.ts'
import { type Decimal, readLength } from '../../rows/values/numbers.ts'
import { truncate } from '../../truncate.ts'
import type { Column, Role } from '../columns.ts'
import { headerLine, type Layout, type LayoutContext } from '../layout.ts'

/** Two measurements of a place differ by less: degrees, or metres. */
const SAME_DEGREES = 1e-5
const SAME_METRES = 1

type Read = (cell: string, column: Column) => number | undefined

/** Reads lengths in metres. @param unit of a column without one */
export const lengthIn =
  (decimal: Decimal, unit = 1): Read =>
  (cell, column) => {
    const read = readLength(cell, decimal)
    return read && read.value * (read.unit ?? column.unit ?? unit)
  }

/** The columns of the same word and system as the first one whose values differ from it in a row. */
export function twinsOf(
  [first, ...others]: readonly Column[],
  rows: readonly string[][],
  read: Read,
  tolerance: number,
): Column[] {
  return others.filter(
    (other) =>
      other.word === first!.word &&
      (other.system ?? first!.system) === (first!.system ?? other.system) &&
      rows.some((fields) => {
        const [one, two] = [first!, other].map((column) => read(fields[column.index] ?? '', column))
        return one !== undefined && two !== undefined && Math.abs(one - two) > tolerance
      }),
  )
}

/**
 * Refuses a file with several columns of the same word for a coordinate, such as `Easting (design)` and
 * `Easting (measured)`, whose values differ: a guess would put its points in the wrong place.
 * @throws SurveyFileError AMBIGUOUS_COLUMNS with the header lines to choose from
 */
export function refuseTwins(
  { kind, columns, decimal, crs }: Layout,
  rows: readonly string[][],
  header: readonly string[],
  { delimiter }: LayoutContext,
): void {
  if (kind !== 'grid' && kind !== 'geodetic') return
  const roles: Role[] = kind === 'grid' ? ['easting', 'northing'] : ['longitude', 'latitude']
  const read: Read = kind === 'grid' ? lengthIn(decimal, crs?.unit) : (cell) => readAngle(cell, decimal)?.degrees
  const tolerance = kind === 'grid' ? SAME_METRES : SAME_DEGREES
  const pairs = roles.map((role) => ({
    role,
    first: columns[role]![0]!,
    twins: twinsOf(columns[role]!, rows, read, tolerance),
  }))
  const found = pairs.find(({ twins }) => twins.length > 0)
  if (!found) return
  const words = header.map((cell) => truncate(cell.trim(), 60))
  const without = (left: readonly Column[]) =>
    headerLine(
      words.map((word, index) => (left.some((column) => column.index === index) ? 'unused' : word)),
      delimiter,
    )
  const others = pairs.flatMap(({ twins }) => twins)
  const firsts = pairs.flatMap(({ first, twins }) => (twins.length > 0 ? [first] : []))
  throw new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `${found.first.name} and ${found.twins[0]!.name} are both the ${found.role}, and their values differ: import with header= and the line ${without(others)} or ${without(firsts)}`,
  )
}
