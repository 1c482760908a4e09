import { readAngle } from '../rows/values/angles.ts'
import { axisAfter, type Decimal, readGrouped } from '../rows/values/numbers.ts'
import { readPackedAngle } from './angles/packed.ts'
import type { Pair } from './axes.ts'
import type { Column, Columns, CoordinateKind, Role } from './columns.ts'
import type { Layout } from './layout.ts'

/** The columns of each pair, easting first. */
export const pairRoles = {
  geodetic: ['longitude', 'latitude'],
  grid: ['easting', 'northing'],
  plane: ['x', 'y'],
  position: ['position', 'position'],
} as const satisfies Record<CoordinateKind, readonly [Role, Role]>

/** The first non-empty cell of several columns with one meaning. */
export const cellOf = (fields: readonly string[], columns: readonly Column[] | undefined): string =>
  columns?.map(({ index }) => fields[index] ?? '').find((cell) => cell.trim() !== '') ?? ''

/** The coordinates of the rows that have both, as texts. */
export function pairsOf(
  rows: readonly string[][],
  columns: Columns,
  [x, y]: readonly [Role, Role],
  decimal: Decimal,
  angles?: Layout['angles'],
): Pair[] {
  const read = (cell: string) =>
    angles === undefined || angles === 'decimal'
      ? (readGrouped(cell, decimal) ?? readAngle(cell, decimal)?.degrees)
      : readPackedAngle(cell, angles, decimal)?.degrees
  const signed = (role: Role, value: number | undefined) =>
    value !== undefined && columns[role]?.[0]?.isReversed ? -value : value
  return rows.flatMap((fields) => {
    const pair = [signed(x, read(cellOf(fields, columns[x]))), signed(y, read(cellOf(fields, columns[y])))]
    return pair[0] === undefined || pair[1] === undefined ? [] : [pair as unknown as Pair]
  })
}

/** The same in the units of the file's system. */
export function gridPairs({ kind, columns, decimal, crs, angles }: Layout, rows: readonly string[][]): Pair[] {
  const roles = kind === 'grid' ? pairRoles.grid : pairRoles.geodetic
  const factor = (role: Role) => {
    const { unit, turn, isReversed } = columns[role]![0]!
    const inMetres = rows.some((fields) => axisAfter(cellOf(fields, columns[role])) !== undefined)
    const size =
      kind === 'grid' && crs?.kind === 'projected' ? (inMetres ? 1 : (unit ?? crs.unit)) / crs.unit : (turn ?? 1)
    return isReversed ? -size : size
  }
  const [east, north] = [factor(roles[0]), factor(roles[1])]
  return pairsOf(rows, columns, roles, decimal, angles).map(([x, y]) => [x * east, y * north])
}
