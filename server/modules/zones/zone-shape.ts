import Flatbush from 'flatbush'
import { type Box, boxOf, crossesEastOf, polygons, sideOf } from './rings.ts'
import type { Boundary, Ring } from './schema.ts'

const METRES_PER_DEGREE = 111_320

/** Whether a point, in degrees, belongs to a zone. */
export type PointTest = (latitude: number, longitude: number) => boolean

/** A test that is asked more often than this prepares itself for it. */
const FEW = 8

/**
 * Whether a point is inside a zone: planar in longitude and latitude, as GeoJSON means it (RFC 7946 §3.1.1); the line
 * itself is inside, a hole is outside. Exact for the numbers as given. 180 and −180 are the same meridian, and a pole
 * is one point: it is inside when the boundary reaches it anywhere.
 */
export function insideZone(boundary: Boundary): PointTest {
  const rings = polygons(boundary).flatMap((polygon) => polygon.rings)
  const [west, south, east, north] = boxOf(rings.flat())
  let asked = 0
  let holds = (x: number, y: number) => holdsPoint(rings, x, y)
  const at = (x: number, y: number) => {
    if (x < west || x > east || y < south || y > north) return false
    if (++asked === FEW) holds = indexed(rings)
    return holds(x, y)
  }
  return (latitude, longitude) => {
    if (Math.abs(latitude) === 90) return latitude === south || latitude === north
    return at(longitude, latitude) || (Math.abs(longitude) === 180 && at(-longitude, latitude))
  }
}

/** Whether a point is inside the rings of a boundary or on one. They do not cross, so it is inside when an odd number of their sides lies east of it. */
export function holdsPoint(rings: readonly Ring[], x: number, y: number): boolean {
  let inside = false
  for (const ring of rings) {
    const side = sideOf([x, y], ring)
    if (side === 0) return true
    if (side > 0) inside = !inside
  }
  return inside
}

/** The same test, which looks only at sides of the point's own latitude. */
function indexed(rings: readonly Ring[]): (x: number, y: number) => boolean {
  const sides = rings.flatMap((ring) => ring.slice(1).map((b, i) => [ring[i]!, b] as const))
  const index = new Flatbush(sides.length)
  for (const [a, b] of sides)
    index.add(Math.min(a[0]!, b[0]!), Math.min(a[1]!, b[1]!), Math.max(a[0]!, b[0]!), Math.max(a[1]!, b[1]!))
  index.finish()
  return (x, y) => {
    let inside = false
    let onLine = false
    index.search(x, y, Number.POSITIVE_INFINITY, y, (i) => {
      const [a, b] = sides[i]!
      const found = crossesEastOf(x, y, a, b)
      if (found === 'holds') onLine = true
      else if (found === 'crosses') inside = !inside
      return false
    })
    return onLine || inside
  }
}

/** The boxes that a boundary's own box must touch for a zone to hold a point: what an index is asked for. */
export function boxesAround(latitude: number, longitude: number): Box[] {
  if (Math.abs(latitude) === 90) return [[-180, latitude, 180, latitude]]
  const meridians = Math.abs(longitude) === 180 ? [180, -180] : [longitude]
  return meridians.map((meridian) => [meridian, latitude, meridian, latitude])
}

/**
 * A quick test whether a point is near a zone: inside the box around one of its polygons, widened by a margin in
 * metres. What it refuses is surely outside; for telling exchanged axes and far-off points, not for containment.
 */
export function nearZone(boundary: Boundary, marginMetres: number): PointTest {
  const wider = marginMetres / METRES_PER_DEGREE
  const boxes = polygons(boundary).map(({ rings }) => {
    const [west, south, east, north] = boxOf(rings[0]!)
    const [bottom, top] = [south - wider, north + wider]
    const widest = Math.cos((Math.min(89.9, Math.max(Math.abs(bottom), Math.abs(top))) * Math.PI) / 180)
    return { bottom, top, west: west - wider / widest, east: east + wider / widest }
  })
  return (latitude, longitude) =>
    boxes.some(({ bottom, top, west, east }) => {
      if (latitude < bottom || latitude > top) return false
      return [longitude - 360, longitude, longitude + 360].some((turned) => turned >= west && turned <= east)
    })
}
