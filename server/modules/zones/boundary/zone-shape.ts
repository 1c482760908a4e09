import type { Boundary } from '../schema.ts'
import { type Box, boxOf, polygons } from './rings.ts'

const METRES_PER_DEGREE = 111_320

/** Whether a point, in degrees, belongs to a zone. */
export type PointTest = (latitude: number, longitude: number) => boolean

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
