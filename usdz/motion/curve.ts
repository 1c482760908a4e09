import { slerp } from './quaternion.ts'

/**
 * A value over the whole timeline: keys in time codes, ascending, with `size` numbers each. Between keys numbers run
 * straight and rotations (`turns`, x y z w, signs continuous) by slerp; outside the first and the last hold.
 */
export type Curve = { times: readonly number[]; values: readonly number[]; size: number; turns: boolean }

/** A value that may change: what it is at rest, and its curve when an animation moves it. */
export type Moving = { rest: readonly number[]; curve?: Curve | undefined }

/** The value at a time code. */
export function valueAt({ rest, curve }: Moving, time: number): readonly number[] {
  if (!curve) return rest
  const { times, size, turns } = curve
  const after = firstAfter(times, time)
  if (after === 0) return key(curve, 0)
  const before = key(curve, after - 1)
  if (after === times.length || times[after - 1] === time) return before
  const u = (time - times[after - 1]!) / (times[after]! - times[after - 1]!)
  const next = key(curve, after)
  if (turns) return slerp(before, next, u)
  return Array.from({ length: size }, (_, k) => before[k]! + (next[k]! - before[k]!) * u)
}

/** The same keys with other values. A map of rotations must turn all alike, one of numbers be affine: else it bends. */
export function mapped({ rest, curve }: Moving, map: (value: readonly number[]) => readonly number[]): Moving {
  if (!curve) return { rest: map(rest) }
  const values = curve.times.flatMap((_, index) => map(key(curve, index)))
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
