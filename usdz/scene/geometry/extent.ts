import { malformed } from '../../errors.ts'

/**
 * Computes the smallest and largest x, y and z of points.
 * @throws ConversionError with the message `otherwise` when there are no points or a coordinate is not a finite
 * single-precision number.
 */
export function computeExtent(points: ArrayLike<number>, otherwise: string): Float32Array {
  let [x0, y0, z0, x1, y1, z1] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  let sum = 0
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i]!
    const y = points[i + 1]!
    const z = points[i + 2]!
    if (x < x0) x0 = x
    if (x > x1) x1 = x
    if (y < y0) y0 = y
    if (y > y1) y1 = y
    if (z < z0) z0 = z
    if (z > z1) z1 = z
    // Stays 0 while all values are finite, which is faster than testing each.
    sum += (x + y + z) * 0
  }
  const extent = Float32Array.of(x0, y0, z0, x1, y1, z1)
  if (sum !== 0 || !extent.every(Number.isFinite)) throw malformed(otherwise)
  return extent
}
