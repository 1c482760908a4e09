import type { Bounds } from '../processing/inspection.ts'

/** How much flatter than the other extent an axis must be to count as the height. */
const THIN = 0.6

/**
 * Guesses the up axis, y or z, for a format that does not define it: captures of outdoors or rooms are flatter than wide,
 * so a much shorter axis is the height.
 * @param usual the convention of most programs that write the format
 */
export function upOf(bounds: Bounds | null, usual: 'y' | 'z'): 'y' | 'z' {
  if (!bounds) return usual
  const [, y, z] = [0, 1, 2].map((axis) => bounds.max[axis]! - bounds.min[axis]!) as [number, number, number]
  if (y < THIN * z) return 'y'
  return z < THIN * y ? 'z' : usual
}
