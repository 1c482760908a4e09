import { getPosition } from 'suncalc'

/** Light conditions outdoors. */
export type TimeOfDay = 'night' | 'dawn' | 'morning' | 'afternoon' | 'dusk'

/** Altitude of the sun's centre, in degrees with refraction, when its upper edge is on the horizon. */
const EDGE = -0.27
/** Altitude at the end of civil twilight, in degrees. */
const TWILIGHT = -6

/**
 * The light at a place and time, by the altitude of the sun: morning and afternoon from sunrise to sunset, dawn and
 * dusk during civil twilight, night otherwise. If the sun does not set, the halves of the day meet at its lowest
 * point; if it does not rise, dawn and dusk meet at noon or the whole day is night.
 * @param lat degrees @param long degrees @param at within a few centuries of now
 */
export function timeOfDay(lat: number, long: number, at: Date): TimeOfDay {
  const { altitude, azimuth } = getPosition(at, lat, long)
  // The azimuth runs from north over east: below south, the sun is before its highest point on both hemispheres.
  const isRising = azimuth < 180
  if (altitude >= EDGE) return isRising ? 'morning' : 'afternoon'
  if (altitude >= TWILIGHT) return isRising ? 'dawn' : 'dusk'
  return 'night'
}
