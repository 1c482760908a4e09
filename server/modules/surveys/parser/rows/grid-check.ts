import { distance } from '../../../places/geodesy.ts'
import type { Crs, CrsTable } from '../../../reference-systems/crs.ts'
import { type Column, type Columns, type CoordinateKind, coordinateKinds } from '../layout/columns.ts'
import { cellOf, pairRoles } from '../layout/sample.ts'
import { type Decimal, readLength } from './values/numbers.ts'

/** A position in WGS84 degrees. */
type Place = { latitude: number; longitude: number }

/** The grid coordinates beside latitude and longitude in the rows of a file. */
export type GridCheck = {
  easting: readonly Column[]
  northing: readonly Column[]
  /** Their system, if the file or the request names one. */
  crs: Crs | undefined
}

/** Beyond this distance, two positions of one row contradict: no datum shift explains it. */
export const FAR_APART_METRES = 100

/** The grid columns of a file that is read by latitude and longitude, if it has both. */
export function gridColumnsCheck(columns: Columns, named: Crs | undefined, table: CrsTable): GridCheck | undefined {
  const kind = coordinateKinds(columns).find((k): k is Exclude<CoordinateKind, 'geodetic' | 'position'> =>
    ['grid', 'plane'].includes(k),
  )
  if (!kind) return undefined
  const [easting, northing] = [columns[pairRoles[kind][0]]!, columns[pairRoles[kind][1]]!]
  const text = [...easting, ...northing].find(({ system }) => system)?.system
  const own = named?.kind === 'projected' || text === undefined ? named : table.find(text)
  return { easting, northing, crs: typeof own === 'object' && own.kind === 'projected' ? own : undefined }
}

/** The grid coordinates of a row in the unit of its system; undefined if one is missing or invalid. */
export function gridCheckFigures(
  fields: readonly string[],
  { easting, northing }: GridCheck,
  decimal: Decimal,
  unit = 1,
) {
  const [east, north] = [easting, northing].map((columns) => {
    const usual = columns[0]!.unit ?? unit
    const read = readLength(cellOf(fields, columns), decimal, usual)
    const sign = columns[0]!.isReversed ? -1 : 1
    return read && (sign * read.value * (read.unit ?? usual)) / unit
  })
  return east === undefined || north === undefined ? undefined : ([east, north] as const)
}

/**
 * The distance of a position from grid coordinates in a system, in the nearer axis order; undefined if none can be
 * computed.
 */
export function metresFromGrid(place: Place, [east, north]: readonly [number, number], crs: Crs): number | undefined {
  const distances = [
    [east, north],
    [north, east],
  ].flatMap(([x, y]) => {
    const found = crs.toWgs84(x!, y!)
    return found && Math.abs(found.latitude) <= 90 ? [distance(place, found)] : []
  })
  return distances.length > 0 ? Math.min(...distances) : undefined
}
