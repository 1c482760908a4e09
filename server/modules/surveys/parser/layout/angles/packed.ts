import { type Angle, readAngle } from '../../rows/values/angles.ts'
import { type Decimal, tidyNumber } from '../../rows/values/numbers.ts'

/**
 * Forms of packed degrees, minutes and seconds: of calculators and controllers (HP notation), of receivers (NMEA 0183),
 * or all before the decimal point.
 */
export type Packed = 'DD.MMSSsss' | 'DDMM.mmmm' | 'DDMMSS.sss'

/** The largest packed latitude and longitude in degrees and minutes. */
const MINUTES = { latitude: 9_060, longitude: 18_060 }

/** An angle with separated parts. */
const PARTED = /\d ?[°º:'′’ -] ?\d/
const packed = /^([NSEWO])? ?([+-]?)(\d{1,7})(?:([.,])(\d{0,15}))? ?[°º]?([NSEWO])?$/i

/** The form of most numbers of a file, by their size. Values are absolute; without values, the first form. */
export function packedFormOf(latitudes: readonly number[], longitudes: readonly number[]): Packed {
  const [latitude, longitude] = [middle(latitudes), middle(longitudes)]
  if (latitude <= 90 && longitude <= 180) return 'DD.MMSSsss'
  return latitude < MINUTES.latitude && longitude < MINUTES.longitude ? 'DDMM.mmmm' : 'DDMMSS.sss'
}

const middle = (values: readonly number[]): number =>
  values.map(Math.abs).toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * Degrees of a cell such as `52.31120` (52°31'12"), `5231.2004` or `523112.02`, with or without a hemisphere letter;
 * undefined if minutes or seconds are 60 or more. The decimal separator must be the file's. `o` is the meaning of the
 * letter O.
 */
export function readPacked(cell: string, form: Packed, decimal: Decimal, o: 'E' | 'W' = 'W'): Angle | undefined {
  const found = packed.exec(tidyNumber(cell, decimal))
  if (!found) return undefined
  const [, before, sign, whole, point, fraction = '', after] = found
  if ((before && after) || ((before ?? after) && sign) || (point && point !== decimal)) return undefined
  const [degrees, minutes, seconds] = parts(whole!, fraction, form)
  if (minutes! >= 60 || seconds! >= 60) return undefined
  const letter = (before ?? after)?.toUpperCase()
  const hemisphere = (letter === 'O' ? o : letter) as Angle['hemisphere']
  const size = degrees! + minutes! / 60 + seconds! / 3600
  return { degrees: sign === '-' || hemisphere === 'S' || hemisphere === 'W' ? -size : size, hemisphere }
}

/** The same, but accepts separated parts too, as in `52°31'12"`. */
export const readPackedAngle = (cell: string, form: Packed, decimal: Decimal, o: 'E' | 'W' = 'W') =>
  readPacked(cell, form, decimal, o) ?? (PARTED.test(cell.slice(0, 64)) ? readAngle(cell, decimal, o) : undefined)

function parts(whole: string, fraction: string, form: Packed): number[] {
  if (form === 'DD.MMSSsss') {
    const digits = fraction.padEnd(4, '0')
    return [Number(whole), Number(digits.slice(0, 2)), Number(`${digits.slice(2, 4)}.${digits.slice(4)}`)]
  }
  const figure = Number(whole)
  if (form === 'DDMM.mmmm') return [Math.floor(figure / 100), Number(`${figure % 100}.${fraction}`), 0]
  return [Math.floor(figure / 10_000), Math.floor(figure / 100) % 100, Number(`${figure % 100}.${fraction}`)]
}
