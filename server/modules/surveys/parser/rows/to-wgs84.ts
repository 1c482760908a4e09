import { isBandS } from '../../../reference-systems/band-s.ts'
import type { Crs, Operation } from '../../../reference-systems/crs.ts'
import { inArea } from '../../../reference-systems/in-area.ts'
import type { RowError } from '../errors.ts'
import type { InZone } from '../layout/layout.ts'

/** Two cells as numbers: easting and northing, or longitude and latitude. */
export type Pair = { x: number; y: number }

export type Placed =
  | {
      latitude: number
      longitude: number
      outsideZone: boolean
      operation: Operation | undefined
      /** What was exchanged to find the point. */
      swap?: string
    }
  | { fault: RowError }

/** How to read a coordinate pair: its system (undefined is WGS84 in degrees) and the names of the columns. */
export type PlaceContext = {
  crs: Crs | undefined
  inZone: InZone | undefined
  names: { x: string; y: string }
  /** Whether the columns are named latitude and longitude: then a wrong number is an error, not a swap. */
  named: boolean
  /** Whether all sampled rows have swapped axes. */
  swapped: boolean
  /** Whether to read a point that is only valid with swapped axes by exchanging them, instead of refusing it. */
  swapAxes: boolean
}

type Point = readonly [longitude: number, latitude: number, operation?: Operation]

const shown = (value: number) => String(Math.round(value * 1e5) / 1e5)
const inRange = ([longitude, latitude]: Point) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

/**
 * Converts a pair of coordinates to WGS84 and checks the result: inside −90..90 and −180..180, inside the area of use
 * of its system, inside the zone. A point that is only valid with swapped axes is an error that says so, or is read
 * that way with `swapAxes`; a point outside the zone alone is not an error.
 */
export function toWgs84({ x, y }: Pair, context: PlaceContext): Placed {
  const point = convert(x, y, context.crs)
  const fits = fitsSystem(point, context.crs)
  const zone = context.inZone
  if (fits && (!zone || zone(point[1], point[0]))) return found(point, false, context)
  const swapped = convert(y, x, context.crs)
  const swapFits = fitsSystem(swapped, context.crs)
  // Outside the system as written and inside when swapped is sufficient proof, except for columns named latitude.
  const unfit = !fits && (!context.named || context.swapped)
  const swapProven = swapFits && (unfit || zone?.(swapped[1], swapped[0]) === true)
  if (swapProven && context.swapAxes) return exchanged(x, y, swapped, context)
  if (swapProven) return { fault: swapFault(x, y, swapped, context) }
  if (fits) return found(point, true, context)
  const fault = outsideFault(point, context)
  const hint = `; with ${context.names.x} and ${context.names.y} exchanged they are inside`
  return { fault: swapFits && context.crs ? { ...fault, message: fault.message + hint } : fault }
}

const NOWHERE: Point = [Number.NaN, Number.NaN]

const convert = (x: number, y: number, crs: Crs | undefined): Point => {
  if (!crs || crs.name === 'EPSG:4326') return [x, y]
  const found = crs.toWgs84(x, y)
  return found ? [found.longitude, found.latitude, found.operation] : NOWHERE
}

function fitsSystem(point: Point, crs: Crs | undefined): boolean {
  return inRange(point) && (!crs?.area || inArea(crs.area, point[0], point[1])) && !isBandS(point[1], crs)
}

/** The hint for numbers that cannot be degrees. */
const gridHint = (value: number): string =>
  Math.abs(value) > 360
    ? ': if these are metres of a grid, name the columns easting and northing and the system in a line such as EPSG:25833; if they are packed degrees and minutes, import with angles=dms-packed'
    : ''

function found([longitude, latitude, operation]: Point, outsideZone: boolean, { crs, names }: PlaceContext): Placed {
  const refusal = operation && crs!.refusal(operation)
  if (refusal)
    return { fault: { column: names.x, value: null, code: 'CRS_ACCURACY', message: `${crs!.name}: ${refusal}` } }
  return { latitude, longitude, outsideZone, operation }
}

function exchanged(x: number, y: number, point: Point, context: PlaceContext): Placed {
  const placed = found(point, context.inZone?.(point[1], point[0]) === false, context)
  const { names } = context
  return 'fault' in placed
    ? placed
    : { ...placed, swap: `the coordinates were swapped: ${shown(y)} is ${names.x} and ${shown(x)} is ${names.y}` }
}

function swapFault(x: number, y: number, [longitude, latitude]: Point, { crs, names }: PlaceContext): RowError {
  const where = crs?.kind === 'projected' ? `inside the area of ${crs.name}` : 'where it belongs'
  return {
    column: names.x,
    value: String(x),
    code: 'AXES_SWAPPED',
    message: `the coordinates are swapped: with ${shown(y)} as ${names.x} and ${shown(x)} as ${names.y} the point is at latitude ${shown(latitude)}, longitude ${shown(longitude)}, ${where}; exchange the two columns`,
  }
}

function outsideFault(point: Point, { crs, names }: PlaceContext): RowError {
  const [longitude, latitude] = point
  if (crs?.kind !== 'projected') {
    if (!(Math.abs(latitude) <= 90)) {
      return {
        column: names.y,
        value: String(latitude),
        code: 'LATITUDE_RANGE',
        message: `latitude ${latitude} is outside -90..90${gridHint(latitude)}`,
      }
    }
    if (!(Math.abs(longitude) <= 180)) {
      return {
        column: names.x,
        value: String(longitude),
        code: 'LONGITUDE_RANGE',
        message: `longitude ${longitude} is outside -180..180${longitude > 180 && longitude <= 360 ? `: write ${shown(longitude - 360)} if it counts to 360` : gridHint(longitude)}`,
      }
    }
  }
  if (inRange(point) && isBandS(latitude, crs)) {
    const north = crs!.name.replace('EPSG:327', 'EPSG:326')
    return {
      column: names.x,
      value: null,
      code: 'OUTSIDE_CRS_AREA',
      message: `the coordinates are in the open sea at latitude ${shown(latitude)}, longitude ${shown(longitude)} in ${crs!.name}: if the S of the zone is its band of latitude and not the south, write ${crs!.utmZone?.slice(0, -1) ?? ''}N for the zone, or name ${north}`,
    }
  }
  const where = inRange(point) ? `latitude ${shown(latitude)}, longitude ${shown(longitude)}` : 'no position on earth'
  return {
    column: names.x,
    value: null,
    code: 'OUTSIDE_CRS_AREA',
    message: `the coordinates give ${where}, outside the area of ${crs?.name ?? 'WGS84'}: check the reference system of the file, and that the coordinates are in its unit`,
  }
}
