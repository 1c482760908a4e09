import { readAngle } from '../../rows/values/angles.ts'
import { hemisphereIn } from '../../rows/values/hemisphere.ts'
import type { Decimal } from '../../rows/values/numbers.ts'
import type { Columns, Role } from '../columns.ts'
import type { Layout } from '../layout.ts'
import { cellOf } from '../sample.ts'

const sides = { latitude: 'latitudeSide', longitude: 'longitudeSide' } as const satisfies Partial<Record<Role, Role>>

/**
 * The columns under a header with angles that have a letter of the hemisphere, in the cell or in a column of its own, and
 * whether more than half of those without a minus sign have one: an angle without it may be on the other side of the
 * equator or of Greenwich.
 */
export function letteredColumns(columns: Columns, rows: readonly string[][], decimal: Decimal): Layout['lettered'] {
  return Object.fromEntries(
    (['latitude', 'longitude'] as const).flatMap((role) => {
      const angles = rows.map((fields) => ({
        cell: cellOf(fields, columns[role]).trim(),
        side: cellOf(fields, columns[sides[role]]),
      }))
      const unsigned = angles.filter(({ cell }) => /^[^-−–]*\d/.test(cell))
      const isLettered = ({ cell, side }: (typeof angles)[number]) =>
        hemisphereIn(side) !== undefined || readAngle(cell, decimal)?.hemisphere !== undefined
      const count = unsigned.filter(isLettered).length
      return count === 0 ? [] : [[role, count * 2 > unsigned.length ? 'most' : 'some'] as const]
    }),
  )
}
