import { LEAST_RADIUS } from './chords.ts'

/** A part of the map in degrees, its edges included; west not greater than east. */
export type DegreeBox = { west: number; south: number; east: number; north: number }

const DEGREES = 180 / Math.PI
/** Covers rounding: a tenth of a millimetre and more. */
const MARGIN_DEGREES = 1e-8
/** Beyond, a degree of longitude is so short that boxes in degrees hold too much. */
const POLAR = 85

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
  const rise = (metres / LEAST_RADIUS) * DEGREES + MARGIN_DEGREES
  const farthest = Math.abs(latitude) + rise
  if (farthest > POLAR) return undefined
  const run = (metres / LEAST_RADIUS / Math.cos(farthest / DEGREES)) * DEGREES + MARGIN_DEGREES
  const [west, east] = [longitude - run, longitude + run]
  if (west <= -180 || east >= 180) return undefined
  return { west, south: latitude - rise, east, north: latitude + rise }
}

/**
 * The same in SQL, of expressions, as two boxes of PostgreSQL (longitude first): around the place, and once around the earth
 * for what lies beyond 180°. Near a pole the first goes all the way round.
 */
export function degreeBoxesSql(latitude: string, longitude: string, metres: string): { here: string; there: string } {
  const rise = `(${metres} * ${DEGREES / LEAST_RADIUS} + ${MARGIN_DEGREES})`
  const farthest = `(abs(${latitude}) + ${rise})`
  const run = `case when ${farthest} > ${POLAR} then 360
    else ${metres} * ${DEGREES / LEAST_RADIUS} / cosd(${farthest}) + ${MARGIN_DEGREES} end`
  const around = (centre: string) =>
    `box(point(${centre} - ${run}, ${latitude} - ${rise}), point(${centre} + ${run}, ${latitude} + ${rise}))`
  return { here: around(longitude), there: around(`(${longitude} - 360 * sign(${longitude}))`) }
}
