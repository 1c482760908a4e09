import type { Matrix } from '../../../../usdz/index.ts'
import type { Bounds } from '../processing/inspection.ts'

/**
 * Where the points of a file stand, as they are read. They are kept as distances from the first one: coordinates of a
 * reference system are too large for half of a double.
 */
export function positionsReader() {
  const min: [number, number, number] = [Infinity, Infinity, Infinity]
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  let origin: [number, number, number] | undefined
  let strays = 0
  return {
    /** Counts a point in. @returns what is taken off it; undefined when it is no point, because a coordinate is not a finite number */
    reach(x: number, y: number, z: number): readonly [number, number, number] | undefined {
      // Whatever is not finite makes the sum so, and more than a float holds is no place either.
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
    /** Where what was kept has to be put. */
    place: (): Matrix => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...(origin ?? [0, 0, 0]), 1],
    /** Points that are none. */
    strays: () => strays,
  }
}
export type Positions = ReturnType<typeof positionsReader>
