import type { Node } from '@gltf-transform/core'
import { normalize, slerp } from '../math/quaternion.ts'

export type Path = 'translation' | 'rotation' | 'scale' | 'weights'
export type Interpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE'

/** The animation of one property of one node: glTF's channel and sampler in one. */
export type Track = {
  node: Node
  path: Path
  interpolation: Interpolation
  /** Seconds, ascending, none negative. */
  times: Float32Array
  /** `size` numbers a key; with CUBICSPLINE three times as many: incoming tangent, value, outgoing tangent. */
  values: Float32Array
  size: number
}

/** The value of a key. */
export function keyValue({ interpolation, values, size }: Omit<Track, 'node' | 'path'>, index: number): Float32Array {
  const at = interpolation === 'CUBICSPLINE' ? index * 3 + 1 : index
  return values.subarray(at * size, (at + 1) * size)
}

/** Interpolates between key `index` and the next at the fraction `u`, 0 to 1 (glTF 2.0, appendix C). */
export function interpolateSegment(track: Omit<Track, 'node'>, index: number, u: number): readonly number[] {
  const { interpolation, times, values, size, path } = track
  const from = keyValue(track, index)
  const to = keyValue(track, index + 1)
  if (interpolation === 'STEP') return [...(u < 1 ? from : to)]
  if (interpolation === 'LINEAR') {
    if (path === 'rotation') return slerp(from, to, u)
    return Array.from(from, (value, k) => value + (to[k]! - value) * u)
  }
  const seconds = times[index + 1]! - times[index]!
  const out = values.subarray((index * 3 + 2) * size, (index * 3 + 3) * size)
  const into = values.subarray((index + 1) * 3 * size, ((index + 1) * 3 + 1) * size)
  const [uu, uuu] = [u * u, u * u * u]
  const [a, b, c, d] = [2 * uuu - 3 * uu + 1, seconds * (uuu - 2 * uu + u), 3 * uu - 2 * uuu, seconds * (uuu - uu)]
  const value: number[] = []
  for (let k = 0; k < size; k++) value.push(a * from[k]! + b * out[k]! + c * to[k]! + d * into[k]!)
  return path === 'rotation' ? normalize(value) : value
}
