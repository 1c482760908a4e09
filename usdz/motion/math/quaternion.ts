/** A rotation as a unit quaternion, x y z w. */
export type Quaternion = readonly [number, number, number, number]

export const identityRotation: Quaternion = [0, 0, 0, 1]

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!

/** Normalises a quaternion; returns the identity for one of length zero. */
export function normalize(q: ArrayLike<number>): Quaternion {
  const length = Math.sqrt(dot(q, q))
  return length > 0 ? [q[0]! / length, q[1]! / length, q[2]! / length, q[3]! / length] : identityRotation
}

/** Interpolates along the shorter arc from a to b at constant speed (glTF 2.0, appendix C.4). */
export function slerp(a: ArrayLike<number>, b: ArrayLike<number>, u: number): Quaternion {
  const cosine = dot(a, b)
  const sign = cosine < 0 ? -1 : 1
  const angle = Math.acos(Math.min(1, Math.abs(cosine)))
  // For small angles the sine loses precision, and linear interpolation is as good.
  const sine = Math.sin(angle)
  const [p, q] = sine < 1e-6 ? [1 - u, u] : [Math.sin((1 - u) * angle) / sine, Math.sin(u * angle) / sine]
  const r = q * sign
  return normalize([p * a[0]! + r * b[0]!, p * a[1]! + r * b[1]!, p * a[2]! + r * b[2]!, p * a[3]! + r * b[3]!])
}

/** The angle in radians by which two rotations differ. */
export function angleBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const sign = dot(a, b) < 0 ? -1 : 1
  // Computed from the length of the difference: the cosine of a small angle has no precision.
  let sum = 0
  for (let k = 0; k < 4; k++) sum += (a[k]! - sign * b[k]!) ** 2
  return 4 * Math.asin(Math.min(1, Math.sqrt(sum) / 2))
}

/** Composes two rotations: b is applied first. */
export const multiplyQuaternions = (a: Quaternion, b: ArrayLike<number>): Quaternion => [
  a[3] * b[0]! + a[0] * b[3]! + a[1] * b[2]! - a[2] * b[1]!,
  a[3] * b[1]! - a[0] * b[2]! + a[1] * b[3]! + a[2] * b[0]!,
  a[3] * b[2]! + a[0] * b[1]! - a[1] * b[0]! + a[2] * b[3]!,
  a[3] * b[3]! - a[0] * b[0]! - a[1] * b[1]! - a[2] * b[2]!,
]

/** Converts a right-handed orthonormal 3 × 3 matrix to a quaternion. */
export function quaternionFromColumns(m: ArrayLike<number>): Quaternion {
  const [xx, yy, zz] = [m[0]!, m[4]!, m[8]!]
  const trace = xx + yy + zz
  if (trace > 0) return normalize([m[5]! - m[7]!, m[6]! - m[2]!, m[1]! - m[3]!, 1 + trace])
  if (xx >= yy && xx >= zz) return normalize([1 + xx - yy - zz, m[3]! + m[1]!, m[6]! + m[2]!, m[5]! - m[7]!])
  if (yy >= zz) return normalize([m[3]! + m[1]!, 1 + yy - xx - zz, m[7]! + m[5]!, m[6]! - m[2]!])
  return normalize([m[6]! + m[2]!, m[7]! + m[5]!, 1 + zz - xx - yy, m[1]! - m[3]!])
}
