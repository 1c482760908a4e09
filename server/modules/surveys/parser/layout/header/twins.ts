import { SurveyFileError } from '../../errors.ts'
import { readAngle } from '../../rows/values/angles.ts'
import { readLength } from '../../rows/values/numbers.ts'
import { truncate } from '../../truncate.ts'
import type { Column, Role } from '../columns.ts'
import { headerLine, type Layout, type LayoutContext } from '../layout.ts'

/** Two measurements of a point differ by less: degrees, or units of the grid. */
const SAME = { degrees: 1e-5, grid: 1 }

/**
 * Refuses a file with several columns of the same word for a coordinate, such as `Easting (design)` and
 * `Easting (measured)`, whose values differ: a guess would put its points in the wrong place.
 * @throws SurveyFileError AMBIGUOUS_COLUMNS with the header lines to choose from
 */
export function refuseTwins(
  { kind, columns, decimal }: Layout,
  rows: readonly string[][],
  header: readonly string[],
  { delimiter }: LayoutContext,
): void {
  if (kind !== 'grid' && kind !== 'geodetic') return
  const roles: Role[] = kind === 'grid' ? ['easting', 'northing'] : ['longitude', 'latitude']
  const numberIn = (cell: string | undefined) =>
    kind === 'grid' ? readLength(cell ?? '', decimal)?.value : readAngle(cell ?? '', decimal)?.degrees
  const differ = (one: Column, other: Column) =>
    rows.some((fields) => {
      const [a, b] = [one, other].map(({ index }) => numberIn(fields[index]))
      return a !== undefined && b !== undefined && Math.abs(a - b) > (kind === 'grid' ? SAME.grid : SAME.degrees)
    })
  const twinsOf = ([first, ...others]: readonly Column[]) =>
    others.filter((other) => other.word === first!.word && differ(first!, other))
  const [one, role] = roles.map((role) => [columns[role]!, role] as const).find(([list]) => twinsOf(list)[0]) ?? []
  if (!one) return
  const [first, second] = [one[0]!, twinsOf(one)[0]!]
  const words = header.map((cell) => truncate(cell.trim(), 60))
  const line = (left: 'first' | 'others') =>
    headerLine(
      words.map((word, index) => {
        const list = roles.map((at) => columns[at]!).find((all) => all.some((column) => column.index === index))
        const twins = list ? [list[0]!, ...twinsOf(list)] : []
        const at = twins.findIndex((column) => column.index === index)
        return twins.length > 1 && at >= 0 && (at === 0) === (left === 'first') ? 'unused' : word
      }),
      delimiter,
    )
  throw new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `${first.name} and ${second.name} are both the ${role}, and their values differ: import with header= and the line ${line('others')} or ${line('first')}`,
  )
}
