import type { Matrix } from '../../../../usdz/index.ts'
import type { Bounds } from '../processing/inspection.ts'

/**
 * Positions of points, stored as float offsets from the first one: coordinates of a reference system exceed the precision
 * of a float.
 */
export function positionsReader() {
  const min: [number, number, number] = [Infinity, Infinity, Infinity]
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  let origin: [number, number, number] | undefined
  let strays = 0
  return {
    /** Adds a point. @returns the offset to subtract; undefined if a coordinate is not finite */
    reach(x: number, y: number, z: number): readonly [number, number, number] | undefined {
      // The sum is not finite if a coordinate is not; also refuse what a float cannot hold.
      if (!(Math.abs(x) + Math.abs(y) + Math.abs(z) < 1e30)) {
        strays++
        return undefined
      }
      if (x < min[0]) min[0] = x
      if (y < min[1]) min[1] = y
      if (z < min[2]) min[2] = z
      if (x > max[0]) max[0] = x
      if (y > max[1]) max[1] = y
      if (z > max[2]) max[2] = z
      origin ??= [x, y, z]
      return origin
    },
    bounds: (): Bounds | null => (origin ? { min, max } : null),
    /** The transformation back to the original coordinates. */
    place: (): Matrix => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...(origin ?? [0, 0, 0]), 1],
    /** Number of points with non-finite coordinates. */
    strays: () => strays,
  }
}
export type Positions = ReturnType<typeof positionsReader>
