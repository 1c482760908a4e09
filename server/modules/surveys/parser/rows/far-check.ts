import { distance } from '../../../places/geodesy.ts'

type Place = { latitude: number; longitude: number }

/** A point is far from the others from this many degrees on, if that is also this many times their extent. */
const FAR_DEGREES = 0.5
const FAR_EXTENTS = 10
/** Part of the first points that may be far: the nearest others to their middle give the extent. */
const OUTLIERS = 1 / 5
/** More points than these near each other are another place of the file. */
const MAX_FAR = 3
/** A file with more far points than those and than this part of its rows, or with more places, has no place of its own. */
const MAX_FAR_SHARE = 1 / 20
const MAX_PLACES = 50

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

type Area = { west: number; south: number; east: number; north: number; points: number }

/** Adds a point within `reach` of an area to it: the points of a long line are near the ones before them. */
function isAdded(area: Area, { x, y }: { x: number; y: number }, reach: number): boolean {
  const { west, south, east, north } = area
  if (!(x >= west - reach && x <= east + reach && y >= south - reach && y <= north + reach)) return false
  area.west = Math.min(west, x)
  area.east = Math.max(east, x)
  area.south = Math.min(south, y)
  area.north = Math.max(north, y)
  area.points++
  return true
}

/**
 * Finds points far from the others of the file, such as one whose northing is cut off: the area of a reference system
 * may reach from the equator to the pole.
 * @param sampled the first points @returns the warning of a point
 */
export function farCheck(sampled: readonly Place[]): (place: Place) => string | undefined {
  if (sampled.length < 3) return () => undefined
  const middle = {
    latitude: median(sampled.map(({ latitude }) => latitude)),
    longitude: median(sampled.map(({ longitude }) => longitude)),
  }
  const shrinking = Math.cos((middle.latitude * Math.PI) / 180)
  /** Degrees to the east and north of the middle, as long as those of latitude. */
  const from = ({ latitude, longitude }: Place) => {
    const east = ((longitude - middle.longitude + 540) % 360) - 180
    return { x: east * shrinking, y: latitude - middle.latitude }
  }
  const away = sampled.map(from).map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y)))
  const kept = sampled.length - Math.max(1, Math.floor(sampled.length * OUTLIERS))
  const extent = away.toSorted((a, b) => a - b)[kept - 1]!
  const reach = Math.max(FAR_DEGREES, FAR_EXTENTS * extent)
  const others: Area[] = []
  let [far, rows] = [0, 0]
  const own = { west: -extent, south: -extent, east: extent, north: extent, points: 0 }
  return (place) => {
    rows++
    const at = from(place)
    if (isAdded(own, at, reach)) return undefined
    far++
    const other = others.find((area) => isAdded(area, at, reach))
    if (!other && others.length < MAX_PLACES)
      others.push({ west: at.x, south: at.y, east: at.x, north: at.y, points: 1 })
    if (other ? other.points > MAX_FAR : others.length === MAX_PLACES) return undefined
    if (far > MAX_FAR && far > rows * MAX_FAR_SHARE) return undefined
    const { latitude, longitude } = place
    return `the point is at latitude ${latitude.toFixed(5)}, longitude ${longitude.toFixed(5)}, ${Math.round(distance(place, middle) / 1000)} km from the other points of the file: check its coordinates`
  }
}
