import type { Preview } from '../../../../usdz/index.ts'
import type { Bounds } from '../processing/inspection.ts'

/** The bounds and counts of a drawing, with each instance counted. Bounds are null if it draws nothing. */
export function extentOf({ meshes, pointClouds }: Preview): {
  bounds: Bounds | null
  triangles: number
  points: number
} {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  let triangles = 0
  let points = 0
  for (const { points: vertices, indices, transforms } of meshes) {
    triangles += (indices.length / 3) * transforms.length
    for (const place of transforms) reach(vertices, indices, place, min, max)
  }
  for (const { points: vertices, transforms } of pointClouds) {
    points += (vertices.length / 3) * transforms.length
    for (const place of transforms) reach(vertices, undefined, place, min, max)
  }
  const isThere = [...min, ...max].every(Number.isFinite)
  return { bounds: isThere ? { min: min as Bounds['min'], max: max as Bounds['max'] } : null, triangles, points }
}

/** Vertices that no triangle uses are not drawn. */
function reach(
  points: Float32Array,
  indices: Uint32Array | undefined,
  m: readonly number[],
  min: number[],
  max: number[],
): void {
  const count = indices?.length ?? points.length / 3
  for (let i = 0; i < count; i++) {
    const at = (indices ? indices[i]! : i) * 3
    const [x, y, z] = [points[at]!, points[at + 1]!, points[at + 2]!]
    for (let axis = 0; axis < 3; axis++) {
      const value = m[axis]! * x + m[4 + axis]! * y + m[8 + axis]! * z + m[12 + axis]!
      if (value < min[axis]!) min[axis] = value
      if (value > max[axis]!) max[axis] = value
    }
  }
}
