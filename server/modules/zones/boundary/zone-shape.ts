import type { Boundary } from '../schema.ts'
import { type Box, boxOf, polygons } from './rings.ts'

const METRES_PER_DEGREE = 111_320

/** Whether a point, in degrees, belongs to a zone. */
export type PointTest = (latitude: number, longitude: number) => boolean

/** The boxes that a boundary's own box must intersect for a zone to contain a point: the query for the index. */
export function boxesAround(latitude: number, longitude: number): Box[] {
  if (Math.abs(latitude) === 90) return [[-180, latitude, 180, latitude]]
  const meridians = Math.abs(longitude) === 180 ? [180, -180] : [longitude]
  return meridians.map((meridian) => [meridian, latitude, meridian, latitude])
}

/**
 * A quick test whether a point is near a zone: inside the box of one of its polygons, widened by a margin in metres. A
 * point that it refuses is surely outside. For detecting swapped axes and distant points, not for containment.
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
