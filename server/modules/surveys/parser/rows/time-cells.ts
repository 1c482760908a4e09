import { truncate } from '../truncate.ts'
import type { Row } from './row.ts'
import { readAngle } from './values/angles.ts'
import type { Decimal } from './values/numbers.ts'

const DAY_HOURS = 24
const isPlain = (cell: string): boolean => /^[+-]?\d+(?:[.,]\d+)?$/.test(cell)

/**
 * Whether a latitude and a longitude that cells of a sheet show as times are certain. A time beside plain degrees can be
 * degrees in a cell of another format: from 24 hours on it fails the row, a smaller one is read as it is shown, with a
 * warning. So is the number of days of a cell that shows only the time of day, which fails beside another time.
 */
export function areSureTimes(row: Row, decimal: Decimal): boolean {
  for (const [role, other] of [
    ['latitude', 'longitude'],
    ['longitude', 'latitude'],
  ] as const) {
    const [cell, beside] = [row.cell(role), row.cell(other)]
    if (!row.isTime(role)) continue
    const shown = `${role} "${truncate(cell, 60)}"`
    const mend = `give the cells of both angles the same format, without times, and write the ${role} again`
    if (isPlain(cell)) {
      if (row.isTime(other)) {
        row.fault(role, 'NOT_A_NUMBER', `${shown} is in a cell that shows a time of day, and can be days: ${mend}`)
        return false
      }
      const message = `${shown} is in a cell that shows a time of day, and was read as degrees: if it is wrong, ${mend}`
      row.warnings.push({ code: 'ANGLES_ASSUMED', message })
    } else if (!row.isTime(other) && isPlain(beside)) {
      const hours = readAngle(cell, decimal)?.degrees ?? 0
      const degrees = Number((hours / DAY_HOURS).toFixed(9))
      const doubt = `${shown} is in a cell that shows a time, beside the plain ${other} "${truncate(beside, 60)}"`
      if (Math.abs(hours) >= DAY_HOURS) {
        row.fault(role, 'NOT_A_NUMBER', `${doubt}, and can be ${degrees} degrees: ${mend}`)
        return false
      }
      const message = `${doubt}, and was read as it is shown: if it is ${degrees} degrees, ${mend}`
      row.warnings.push({ code: 'ANGLES_ASSUMED', message })
    }
  }
  return true
}
