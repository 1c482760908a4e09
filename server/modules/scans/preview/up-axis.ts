import type { Bounds } from '../processing/inspection.ts'

/** How much thinner than the other axis one has to be to be taken for the height. */
const THIN = 0.6

/**
 * Which axis points up, for a format that does not say: what is captured outdoors or of a room lies flatter than it is
 * wide, so of y and z a much thinner one does.
 * @param usual the one that programs which write the format mostly mean
 */
export function upOf(bounds: Bounds | null, usual: 'y' | 'z'): 'y' | 'z' {
  if (!bounds) return usual
  const [, y, z] = [0, 1, 2].map((axis) => bounds.max[axis]! - bounds.min[axis]!) as [number, number, number]
  if (y < THIN * z) return 'y'
  return z < THIN * y ? 'z' : usual
}
