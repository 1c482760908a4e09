/** A key light from the upper left behind the camera, a fill light from the right, and ambient light, brighter from above. */
const KEY = [-0.447, 0.646, 0.619] as const
const FILL = [0.8, 0.1, 0.59] as const
/** Half vector between the key light and the camera. */
const HALF = [-0.248, 0.359, 0.9] as const

/** Diffuse light on a surface with that normal, in camera space (right, up, toward the camera). */
export const diffuseOf = (x: number, y: number, z: number): number =>
  0.4 +
  0.16 * y +
  0.62 * Math.max(0, x * KEY[0] + y * KEY[1] + z * KEY[2]) +
  0.14 * Math.max(0, x * FILL[0] + y * FILL[1] + z * FILL[2])

/** Specular reflection of the key light. */
export function shineOf(x: number, y: number, z: number): number {
  const mirrored = Math.max(0, x * HALF[0] + y * HALF[1] + z * HALF[2])
  const second = mirrored * mirrored
  const eighth = second * second * second * second
  return 0.1 * eighth * eighth * eighth
}
