import { isNumber } from './point-table.ts'

/**
 * Decimal degrees of degrees, minutes and seconds in three fields, exact to 1e-12. The sign of the degrees applies to
 * all fields. Undefined for an invalid angle.
 */
export function degreesOfParts([degrees = '', minutes = '', seconds = '']: readonly string[]): string | undefined {
  if (![degrees, minutes, seconds].every(isNumber)) return undefined
  if (!(Number(minutes) >= 0 && Number(minutes) < 60 && Number(seconds) >= 0 && Number(seconds) < 60)) return undefined
  const size = Math.abs(Number(degrees)) + Number(minutes) / 60 + Number(seconds) / 3600
  return `${degrees.startsWith('-') ? '-' : ''}${size.toFixed(12)}`
}
