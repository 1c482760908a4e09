import { type Box, boxOf, polygons, sideOf } from './rings.ts'
import type { Boundary } from './schema.ts'

const METRES_PER_DEGREE = 111_320

/** Whether a point, in degrees, belongs to a zone. */
export type PointTest = (latitude: number, longitude: number) => boolean

/**
 * Whether a point is inside a zone: planar in longitude and latitude, as GeoJSON means it (RFC 7946 §3.1.1); the line
 * itself is inside, a hole is outside. Exact for the numbers as given. 180 and −180 are the same meridian, and a pole
 * is one point: it is inside when the boundary reaches it anywhere.
 */
export function insideZone(boundary: Boundary): PointTest {
  const parts = polygons(boundary).map(({ rings }) => ({ rings, box: boxOf(rings[0]!) }))
  const at = (longitude: number, latitude: number) =>
    parts.some(({ rings: [outer, ...holes], box: [west, south, east, north] }) => {
      if (longitude < west || longitude > east || latitude < south || latitude > north) return false
      const point = [longitude, latitude]
      return sideOf(point, outer!) >= 0 && !holes.some((hole) => sideOf(point, hole) > 0)
    })
  const reaches = (pole: number) => parts.some(({ box: [, south, , north] }) => south === pole || north === pole)
  return (latitude, longitude) => {
    if (Math.abs(latitude) === 90) return reaches(latitude)
    return at(longitude, latitude) || (Math.abs(longitude) === 180 && at(-longitude, latitude))
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
