import { distance } from '../../../places/geodesy.ts'
import type { Box } from './exchange-check.ts'

type Place = { latitude: number; longitude: number }

/** A point is far from the others from this many degrees on, if that is also this many times their extent. */
const FAR_DEGREES = 0.5
const FAR_EXTENTS = 10
/** Outliers are at most this part of the rows: more of them are a second place. */
const MAX_FAR = 1 / 5

/**
 * Finds points far from the others of the file, such as one whose northing is cut off: the area of a reference system
 * may reach from the equator to the pole.
 * @param file the box of the first points @param sampled their number @returns the warning of a point
 */
export function farCheck(file: Box | undefined, sampled: number): (place: Place) => string | undefined {
  if (!file) return () => undefined
  let [west, south, east, north] = file as [number, number, number, number]
  const reach = Math.max(FAR_DEGREES, FAR_EXTENTS * Math.max(east - west, north - south))
  const shrinking = Math.max(Math.cos((((south + north) / 2) * Math.PI) / 180), 0.01)
  let [far, rows] = [0, 0]
  return ({ latitude, longitude }) => {
    rows++
    const isNear =
      latitude >= south - reach &&
      latitude <= north + reach &&
      longitude >= west - reach / shrinking &&
      longitude <= east + reach / shrinking
    if (isNear) {
      // The rows of a long line are near the ones before them.
      ;[west, east] = [Math.min(west, longitude), Math.max(east, longitude)]
      ;[south, north] = [Math.min(south, latitude), Math.max(north, latitude)]
      return undefined
    }
    far++
    if (far > 1 && far > MAX_FAR * Math.max(rows, sampled)) return undefined
    const metres = distance({ latitude, longitude }, { latitude: (south + north) / 2, longitude: (west + east) / 2 })
    return `the point is at latitude ${latitude.toFixed(5)}, longitude ${longitude.toFixed(5)}, ${Math.round(metres / 1000)} km from the other points of the file: check its coordinates`
  }
}
