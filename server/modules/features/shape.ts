import pointInPolygon from 'point-in-polygon-hao'
import type { Boundary } from '../zones/schema.ts'
import type { MapBox } from './box.ts'

type Position = readonly number[]

/** Whether a boundary and a part of the map have a point in common, planar in degrees as GeoJSON is. */
export function touches(boundary: Boundary, box: MapBox): boolean {
  const polygons = boundary.type === 'Polygon' ? [boundary.coordinates] : boundary.coordinates
  return polygons.some(
    (rings) =>
      rings.some((ring) => ring.some((end, i) => i > 0 && crosses(ring[i - 1]!, end, box))) ||
      // No line passes the box: it lies wholly inside or outside.
      pointInPolygon([box.west, box.south], rings as [number, number][][]) !== false,
  )
}

/** Whether any of a line lies in the box: what is left of it between two edges, then between the others (Liang and Barsky, 1984). */
function crosses(a: Position, b: Position, { west, south, east, north }: MapBox): boolean {
  let [from, to] = [0, 1]
  for (const [start, end, low, high] of [
    [a[0]!, b[0]!, west, east],
    [a[1]!, b[1]!, south, north],
  ] as const) {
    if (start === end) {
      if (start < low || start > high) return false
      continue
    }
    const [enter, leave] = [(low - start) / (end - start), (high - start) / (end - start)].sort((p, q) => p - q)
    from = Math.max(from, enter!)
    to = Math.min(to, leave!)
    if (from > to) return false
  }
  return true
}
