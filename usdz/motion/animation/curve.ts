import { slerp } from '../math/quaternion.ts'

/**
 * A value over the whole timeline: keys in time codes, ascending, with `size` numbers each. Numbers are interpolated
 * linearly and rotations (`isRotation`, x y z w, signs continuous) by slerp. The first and last values hold outside the
 * keys.
 */
export type Curve = { times: readonly number[]; values: readonly number[]; size: number; isRotation: boolean }

/** A value that an animation may change: its value at rest, and a curve if it is animated. */
export type AnimatedValue = { rest: readonly number[]; curve?: Curve | undefined }

/** The value at a time code. */
export function evaluate({ rest, curve }: AnimatedValue, time: number): readonly number[] {
  if (!curve) return rest
  const { times, size, isRotation } = curve
  const after = firstAfter(times, time)
  if (after === 0) return key(curve, 0)
  const before = key(curve, after - 1)
  if (after === times.length || times[after - 1] === time) return before
  const u = (time - times[after - 1]!) / (times[after]! - times[after - 1]!)
  const next = key(curve, after)
  if (isRotation) return slerp(before, next, u)
  return Array.from({ length: size }, (_, k) => before[k]! + (next[k]! - before[k]!) * u)
}

/** Writes the values at ascending time codes, each into its array at `offset`. */
export function writeSamples(
  { rest, curve }: AnimatedValue,
  times: readonly number[],
  arrays: Float32Array[],
  offset: number,
) {
  if (!curve) {
    for (const array of arrays) array.set(rest, offset)
    return
  }
  const { times: keys, values, size, isRotation } = curve
  let next = 0
  for (const [at, time] of times.entries()) {
    const array = arrays[at]!
    while (next < keys.length && keys[next]! <= time) next++
    const last = Math.max(0, next - 1)
    const u = next === 0 || next === keys.length ? 0 : (time - keys[last]!) / (keys[next]! - keys[last]!)
    if (u > 0 && isRotation) array.set(slerp(key(curve, last), key(curve, next), u), offset)
    else {
      const [from, to] = [last * size, (u > 0 ? next : last) * size]
      for (let k = 0; k < size; k++) array[offset + k] = values[from + k]! + (values[to + k]! - values[from + k]!) * u
    }
  }
}

/** Returns the largest absolute value of each component, at rest or at any key. */
export function maxMagnitudes({ rest, curve }: AnimatedValue): number[] {
  const sizes = rest.map(Math.abs)
  const values = curve?.values ?? []
  for (let at = 0; at < values.length; at++) {
    const k = at % sizes.length
    sizes[k] = Math.max(sizes[k]!, Math.abs(values[at]!))
  }
  return sizes
}

/**
 * Maps the values of all keys. The map must commute with interpolation: a fixed rotation for rotations, an affine map
 * for numbers.
 */
export function mapValues(
  { rest, curve }: AnimatedValue,
  map: (value: readonly number[]) => readonly number[],
): AnimatedValue {
  if (!curve) return { rest: map(rest) }
  const values: number[] = []
  for (let index = 0; index < curve.times.length; index++) values.push(...map(key(curve, index)))
  return { rest: map(rest), curve: { ...curve, values, size: values.length / curve.times.length } }
}

/** Every time at which one of the curves has a key, ascending. */
export function unionOfTimes(curves: Iterable<Curve | undefined>): number[] {
  const times = new Set<number>()
  for (const curve of curves) for (const time of curve?.times ?? []) times.add(time)
  return [...times].sort((a, b) => a - b)
}

export const key = ({ values, size }: Curve, index: number): readonly number[] =>
  values.slice(index * size, (index + 1) * size)

function firstAfter(times: readonly number[], time: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! > time) high = middle
    else low = middle + 1
  }
  return low
}
