import { MIN_RADIUS } from './chords.ts'

/** A box in degrees with inclusive edges; west is not greater than east unless stated. */
export type DegreeBox = { west: number; south: number; east: number; north: number }

const DEGREES_A_RADIAN = 180 / Math.PI
/** Margin for rounding: more than a tenth of a millimetre. */
const MARGIN_DEGREES = 1e-8
/** Beyond this latitude, a degree of longitude is so short that boxes in degrees are too large. */
const POLAR = 85

/** A pin's place as indexed, in SQL (pins_degrees, 0020_pins.sql): the sum turns numbers near 0 into 0. */
export const DEGREES = 'point(longitude + 360 - 360, latitude + 360 - 360)'

/** The box for a search in that index: rounded like its content, so that rounding excludes no place. */
export const asIndexed = ({ west, south, east, north }: DegreeBox): DegreeBox => ({
  west: west + 360 - 360,
  south: south + 360 - 360,
  east: east + 360 - 360,
  north: north + 360 - 360,
})

/**
 * Divides a box at 180°. West greater than east means across it. The meridian is written as 180 and as −180: both are
 * included if one is.
 */
export function partsOf({ west, south, east, north }: DegreeBox): DegreeBox[] {
  const whole: [number, number][] =
    west <= east
      ? [[west, east]]
      : [
          [west, 180],
          [-180, east],
        ]
  const ends = [180, -180].filter(
    (end) => whole.flat().includes(-end) && !whole.some(([from, to]) => from <= end && end <= to),
  )
  return [...whole, ...ends.map((end) => [end, end] as const)].map(([from, to]) => ({
    west: from,
    south,
    east: to,
    north,
  }))
}

/** Range of latitude for nearest searches by degrees: elsewhere, the nearest by degrees may be far from the nearest. */
export const usesDegrees = (latitude: number, longitude: number): boolean =>
  Math.abs(latitude) <= 80 && Math.abs(longitude) <= 179

/**
 * The box of all places within `metres` along the ellipsoid; undefined if it crosses 180° or is near a pole. No path
 * of that length extends further north or south than along the most curved meridian, and each of its degrees of longitude
 * is at least as long as on a circle with that radius times the cosine of the latitude farthest from the equator (the
 * radius of every parallel is greater).
 */
export function degreeBox(latitude: number, longitude: number, metres: number): DegreeBox | undefined {
  const rise = (metres / MIN_RADIUS) * DEGREES_A_RADIAN + MARGIN_DEGREES
  const farthest = Math.abs(latitude) + rise
  if (farthest > POLAR) return undefined
  const run = (metres / MIN_RADIUS / Math.cos(farthest / DEGREES_A_RADIAN)) * DEGREES_A_RADIAN + MARGIN_DEGREES
  const [west, east] = [longitude - run, longitude + run]
  if (west <= -180 || east >= 180) return undefined
  return { west, south: latitude - rise, east, north: latitude + rise }
}

/**
 * The same as SQL expressions, as two boxes of PostgreSQL (longitude first): around the place, and shifted by 360° for
 * places beyond 180°. Near a pole, the first covers all longitudes.
 */
export function degreeBoxesSql(latitude: string, longitude: string, metres: string): { here: string; there: string } {
  const rise = `(${metres} * ${DEGREES_A_RADIAN / MIN_RADIUS} + ${MARGIN_DEGREES})`
  const farthest = `(abs(${latitude}) + ${rise})`
  const run = `case when ${farthest} > ${POLAR} then 360
    else ${metres} * ${DEGREES_A_RADIAN / MIN_RADIUS} / cosd(${farthest}) + ${MARGIN_DEGREES} end`
  const around = (centre: string) =>
    `box(point(${centre} - ${run}, ${latitude} - ${rise}), point(${centre} + ${run}, ${latitude} + ${rise}))`
  return { here: around(longitude), there: around(`(${longitude} - 360 * sign(${longitude}))`) }
}
