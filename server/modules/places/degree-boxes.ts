import { MIN_RADIUS } from './chords.ts'

/** A part of the map in degrees, its edges included; west not greater than east but where it is said. */
export type DegreeBox = { west: number; south: number; east: number; north: number }

const DEGREES_A_RADIAN = 180 / Math.PI
/** Covers rounding: a tenth of a millimetre and more. */
const MARGIN_DEGREES = 1e-8
/** Beyond, a degree of longitude is so short that boxes in degrees hold too much. */
const POLAR = 85

/** A pin's place as its index has it, in SQL (pins_degrees, 0020_pins.sql): figures near 0 become 0 by the sum. */
export const DEGREES = 'point(longitude + 360 - 360, latitude + 360 - 360)'

/** The box to ask that index for: rounded as what it holds, so that whatever lies in the one lies in the other. */
export const asIndexed = ({ west, south, east, north }: DegreeBox): DegreeBox => ({
  west: west + 360 - 360,
  south: south + 360 - 360,
  east: east + 360 - 360,
  north: north + 360 - 360,
})

/**
 * A box on the map as parts that do not go beyond 180°. West greater than east: across it. The meridian is written as 180
 * and as −180, and both are in, if one is.
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

/** Where searches for the nearest go by degrees: elsewhere the nearest by degrees may be far from the nearest. */
export const goesByDegrees = (latitude: number, longitude: number): boolean =>
  Math.abs(latitude) <= 80 && Math.abs(longitude) <= 179

/**
 * The box that holds every place within so many metres along the ellipsoid; undefined where it would reach beyond the
 * meridian of 180° or near a pole. No way of that length leads further north or south than along a meridian where that is
 * bent most, and each of its degrees of longitude is at least as long as one of a circle with that radius shrunk
 * by the cosine of the latitude farthest from the equator (the radius of every circle of latitude is greater).
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
 * The same in SQL, of expressions, as two boxes of PostgreSQL (longitude first): around the place, and once around the earth
 * for what lies beyond 180°. Near a pole the first goes all the way round.
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
