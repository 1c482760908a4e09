import { getPosition } from 'suncalc'

/** What light there is outdoors. */
export type TimeOfDay = 'night' | 'dawn' | 'morning' | 'afternoon' | 'dusk'

/** Degrees of the sun's middle, as it is seen through the air, when its upper edge is on the horizon: half its width below. */
const EDGE = -0.27
/** Where civil twilight ends, and with it work without a lamp. */
const TWILIGHT = -6

/**
 * The light at a place and time, by where the sun stands: day from sunrise to sunset, in two halves at its highest
 * point, dawn and dusk as far as civil twilight goes, night otherwise. Where the sun does not set, the day's halves meet
 * at its lowest point too; where it does not rise, dawn and dusk may meet at noon, or there is night alone.
 * @param lat degrees @param long degrees @param at within some centuries of now
 */
export function timeOfDay(lat: number, long: number, at: Date): TimeOfDay {
  const { altitude, azimuth } = getPosition(at, lat, long)
  // Azimuths run from north over east: up to the south the sun has its highest point before it, on either half of the earth.
  const isRising = azimuth < 180
  if (altitude >= EDGE) return isRising ? 'morning' : 'afternoon'
  if (altitude >= TWILIGHT) return isRising ? 'dawn' : 'dusk'
  return 'night'
}
