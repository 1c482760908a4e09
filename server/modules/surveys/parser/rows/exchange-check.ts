import { inArea } from '../../../reference-systems/in-area.ts'
import { pairsWithoutOutliers } from '../layout/outliers.ts'

type Place = { latitude: number; longitude: number }
/** West, south, east, north in degrees. */
export type Box = readonly number[]

/** Maximum extent of the places around which a point counts as far, in degrees. */
const MAX_REACH = 4

/** The box of the places, without outliers; undefined if they are not near each other. */
export function boxOf(places: readonly Place[]): Box | undefined {
  const pairs = pairsWithoutOutliers(places.map(({ longitude, latitude }) => [longitude, latitude]))
  if (pairs.length < 2) return undefined
  const [longitudes, latitudes] = [pairs.map(([longitude]) => longitude), pairs.map(([, latitude]) => latitude)]
  const box = [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)]
  return isSmall(box) ? box : undefined
}

const isSmall = ([west, south, east, north]: Box) => east! - west! <= MAX_REACH && north! - south! <= MAX_REACH

/**
 * Finds points whose latitude and longitude may be exchanged: they are more than a degree from the box of the other
 * points and within it when exchanged. Nothing else shows this for degrees under named headers. @returns the warning of
 * a point
 */
export function exchangeCheck(zone: Box | undefined, file: Box | undefined) {
  const [box, others] = zone && isSmall(zone) ? [zone, 'of the zone'] : [file, 'of the file']
  return ({ latitude, longitude }: Place): string | undefined => {
    if (!box || Math.abs(longitude) > 90) return undefined
    if (inArea(box, longitude, latitude) || !inArea(box, latitude, longitude)) return undefined
    return `the point is at latitude ${latitude.toFixed(5)}, longitude ${longitude.toFixed(5)}, far from the other points ${others}, and near them with both exchanged: check which is right`
  }
}
