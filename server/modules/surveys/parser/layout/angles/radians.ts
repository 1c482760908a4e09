import type { WarningCode } from '../../errors.ts'
import type { Pair } from '../axes.ts'
import type { Layout, LayoutContext } from '../layout.ts'
import { cellOf } from '../sample.ts'

/** The largest latitude and longitude in radians. As degrees, all such positions are in the Gulf of Guinea. */
const MOST = { latitude: 1.58, longitude: 3.15 }
/** A centimetre in radians is 1.6e-9: radians have many decimals. */
const DECIMALS = /[.,]\d{7}/

/**
 * The notice for latitudes and longitudes without a unit that may be radians: small numbers with seven decimals or
 * more.
 */
export function radiansNotice(
  pairs: readonly Pair[],
  { columns, crs }: Layout,
  rows: readonly string[][],
  { inZone }: LayoutContext,
): { code: WarningCode; message: string } | undefined {
  if (pairs.length === 0 || (crs && crs.turn !== 1)) return undefined
  const isSmall = ([longitude, latitude]: Pair) =>
    Math.abs(latitude) <= MOST.latitude && Math.abs(longitude) <= MOST.longitude
  if (!pairs.every(isSmall) || pairs.some(([longitude, latitude]) => inZone?.(latitude, longitude))) return undefined
  const [lat, lon] = [columns.latitude!, columns.longitude!]
  const cells = rows
    .flatMap((fields) => [cellOf(fields, lat), cellOf(fields, lon)])
    .filter((cell) => cell.trim() !== '')
  if (!cells.every((cell) => DECIMALS.test(cell.slice(0, 64)))) return undefined
  const [longitude, latitude] = pairs[0]!.map((value) => ((value * 180) / Math.PI).toFixed(7))
  const message = `latitudes and longitudes were read as degrees, although all of them may be radians (the first point would be at ${latitude}, ${longitude}): if they are, import with header= and rad in the two words, such as lat (rad), lon (rad); angles=decimal confirms degrees`
  return { code: 'ANGLES_ASSUMED', message }
}
