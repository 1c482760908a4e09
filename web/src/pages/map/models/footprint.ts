import { type Place, placeFrom } from '../../../map/geodesic.ts'

/** Metres east and north of a place. */
export type Offset = [east: number, north: number]

const cross = ([ax, ay]: Offset, [bx, by]: Offset, [cx, cy]: Offset) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

/** The convex hull of offsets, counter-clockwise (A. M. Andrew, Information Processing Letters 9/5, 1979). */
function hullOf(offsets: Offset[]): Offset[] {
  const sorted = offsets.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (points: Offset[]) => {
    const chain: Offset[] = []
    for (const point of points) {
      while (chain.length > 1 && cross(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

/** The closed ring of a footprint, longitude first: what is below each corner, measured along the ellipsoid. */
export function ringOf(place: Place, corners: Offset[]): [number, number][] {
  const ring = hullOf(corners).map(([east, north]): [number, number] => {
    const bearing = (Math.atan2(east, north) * 180) / Math.PI
    const { lat, lon } = placeFrom(place, bearing, Math.hypot(east, north))
    return [lon, lat]
  })
  return ring[0] ? [...ring, ring[0]] : ring
}
