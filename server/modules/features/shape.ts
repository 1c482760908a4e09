import type { DegreeBox } from '../places/degree-boxes.ts'
import { type Point, polygons, turn } from '../zones/rings.ts'
import type { Boundary } from '../zones/schema.ts'
import { holdsPoint } from '../zones/zone-shape.ts'

/** Whether a boundary and a part of the map have a point in common: planar in degrees as GeoJSON is, exact for the numbers as given. */
export function touches(boundary: Boundary, box: DegreeBox): boolean {
  const rings = polygons(boundary).flatMap((polygon) => polygon.rings)
  return (
    rings.some((ring) => ring.some((end, i) => i > 0 && crosses(ring[i - 1]!, end, box))) ||
    // No line passes the box: it lies wholly inside or outside.
    holdsPoint(rings, box.west, box.south)
  )
}

/** Whether any of a line lies in the box: the two overlap from west to east and from south to north, and the corners of the box are not all on one side of the line. */
function crosses(a: Point, b: Point, { west, south, east, north }: DegreeBox): boolean {
  const [ax, ay, bx, by] = [a[0]!, a[1]!, b[0]!, b[1]!]
  if ((ax < west && bx < west) || (ax > east && bx > east)) return false
  if ((ay < south && by < south) || (ay > north && by > north)) return false
  const corners: Point[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]
  const sides = corners.map((corner) => turn(a, b, corner))
  return !sides.every((side) => side > 0) && !sides.every((side) => side < 0)
}
