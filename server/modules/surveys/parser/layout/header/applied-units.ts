import type { WarningCode } from '../../errors.ts'
import { nothing } from '../../rows/row.ts'
import { nameOfUnit, type UnitAbove, unitOf } from '../../rows/values/units.ts'
import { truncate } from '../../truncate.ts'
import type { Column, Columns, Role } from '../columns.ts'
import type { Layout } from '../layout.ts'
import { cellOf } from '../sample.ts'

/** Factors of feet of different kinds differ by less: no height differs notably by them, but coordinates by metres. */
const SAME_HEIGHTS = 1e-4
const SAME = 1e-7

type Notice = { code: WarningCode; message: string }

/**
 * The notices for units in headers, below them or in a line above the table that are not those of the reference
 * system, or metres without one: they scale every coordinate or height.
 */
export function appliedUnits(
  { columns, kind, crs, above: top }: Layout,
  records: readonly { fields: readonly string[] }[],
  { isTable, unitAbove: above }: { isTable: boolean; unitAbove: UnitAbove | undefined },
): Notice[] {
  const rows = records.slice(top).map(({ fields }) => fields)
  const isFilled = (column: Column) => rows.some((fields) => !nothing.test((fields[column.index] ?? '').trim()))
  const named = (roles: readonly Role[]) => roles.flatMap((role) => columns[role]?.slice(0, 1) ?? []).filter(isFilled)
  const ofPlane = crs?.kind === 'projected' ? crs.unit : 1
  const isOther = (unit: number | undefined, usual: number, same: number): unit is number =>
    unit !== undefined && Math.abs(unit / usual - 1) > same
  const inHeader = (all: readonly Column[], usual: number, same: number): Notice[] =>
    [...Map.groupBy(all, ({ unit }) => unit)].flatMap(([unit, some]) =>
      isOther(unit, usual, same)
        ? applied(namesOf(some), unit, isTable ? 'the unit that their header names' : 'the unit that the file names')
        : [],
    )
  const plane: Role[] = kind === 'grid' ? ['easting', 'northing'] : kind === 'geocentric' ? ['x', 'y', 'z'] : []
  const heights = named(heightRoles(columns, kind))
  const usual = crs?.heights?.unit ?? ofPlane
  const without = heights.filter(({ unit }) => unit === undefined)
  const hasOwn = rows.every((fields) => unitOf(cellOf(fields, columns.heightUnit)) !== undefined)
  return [
    ...inHeader(named(plane), kind === 'grid' ? ofPlane : 1, SAME),
    ...inHeader(heights, usual, SAME_HEIGHTS),
    ...(above && without.length > 0 && !hasOwn && isOther(above.unit, usual, SAME_HEIGHTS)
      ? applied(
          namesOf(without),
          above.unit,
          `the unit in the line "${truncate(above.line.trim(), 60)}" above the table`,
        )
      : []),
  ]
}

/** The heights that are read: plain ones only without others. */
function heightRoles({ h, altitude }: Columns, kind: Layout['kind']): Role[] {
  if (h ?? altitude) return ['h', 'altitude']
  return kind === 'geocentric' ? [] : ['z']
}

const namesOf = (columns: readonly Column[]): string =>
  columns.map(({ name }) => `"${truncate(name, 60)}"`).join(' and ')

const applied = (names: string, unit: number, where: string): Notice[] => [
  { code: 'UNIT_APPLIED', message: `the numbers under ${names} were read in ${nameOfUnit(unit)}, ${where}` },
]
