import { angleBetween, dot, normalize, slerp } from '../math/quaternion.ts'
import { interpolateSegment, keyValue, type Track } from './track.ts'

/** Keys of a track in seconds. Values between keys are interpolated linearly (rotations by slerp). */
export type Keys = { times: number[]; values: (readonly number[])[] }

export type ReductionLimits = {
  /** The largest deviation from a cubic track, in the unit of the value; radians for rotations. */
  curveTolerance: number
  /** The largest deviation caused by dropping a key, in the same unit. */
  dropTolerance: number
  /** The largest rotation between two keys, in radians. */
  maxRotation: number
  /** Called with the number of keys processed; throws to stop when there are too many. */
  countKeys: (keys: number) => void
}

/** A step is written as two keys this many seconds apart. */
export const stepDuration = 1 / 1024 / 60
const maxHalvings = 10
/** The cost of checking a cubic segment, in keys: it is evaluated three times. */
const evaluationCost = 4
/** The largest number of consecutive keys dropped; checking longer runs costs more than it saves. */
const maxDroppedRun = 200

/**
 * Converts any track to keys with linear interpolation: a step becomes two keys, a curve as many as its tolerance
 * requires.
 */
export function reduceKeyframes(track: Track, fit: ReductionLimits): Keys {
  const keys: Keys = { times: [], values: [] }
  const add = (time: number, value: readonly number[]) => {
    fit.countKeys(1)
    const last = keys.values.at(-1)
    const away = track.path === 'rotation' && last && dot(last, value) < 0
    keys.times.push(time)
    keys.values.push(away ? value.map((number) => -number) : value)
  }
  const count = track.times.length
  // Rotations of a cubic track are not necessarily unit quaternions.
  const keyAt = (index: number) =>
    track.path === 'rotation' ? normalize(keyValue(track, index)) : [...keyValue(track, index)]
  let value: readonly number[] = keyAt(0)
  for (let index = 0; index < count; index++) {
    const time = track.times[index]!
    add(time, value)
    if (index + 1 === count) break
    const [next, end] = [keyAt(index + 1), track.times[index + 1]!]
    if (track.interpolation === 'STEP') add(Math.max(end - stepDuration, (time + end) / 2), value)
    else if (track.interpolation === 'CUBICSPLINE')
      refine(track, fit, { index, u: 0, value }, { u: 1, value: next }, 0, add)
    else if (track.path === 'rotation') {
      const steps = Math.ceil(angleBetween(value, next) / fit.maxRotation)
      for (let step = 1; step < steps; step++)
        add(time + ((end - time) * step) / steps, slerp(value, next, step / steps))
    }
    value = next
  }
  return dropRedundantKeys(keys, track, fit)
}

type Add = (time: number, value: readonly number[]) => void
type Place = { u: number; value: readonly number[] }

/** Adds keys between two points of a cubic segment until linear interpolation is within the tolerance. */
function refine(
  track: Track,
  fit: ReductionLimits,
  from: Place & { index: number },
  to: Place,
  depth: number,
  add: Add,
): void {
  if (depth === maxHalvings) return
  fit.countKeys(evaluationCost)
  const { index } = from
  const at = (part: number): Place => {
    const u = from.u + (to.u - from.u) * part
    return { u, value: interpolateSegment(track, index, u) }
  }
  const bends = ({ value }: Place, part: number) =>
    distance(track, interpolate(track, from.value, to.value, part), value) > fit.curveTolerance
  const middle = at(0.5)
  const turns = track.path === 'rotation' && angleBetween(from.value, to.value) > fit.maxRotation
  if (!turns && !bends(middle, 0.5) && !bends(at(0.25), 0.25) && !bends(at(0.75), 0.75)) return
  const [start, end] = [track.times[index]!, track.times[index + 1]!]
  refine(track, fit, from, middle, depth + 1, add)
  add(start + (end - start) * middle.u, middle.value)
  refine(track, fit, { ...middle, index }, to, depth + 1, add)
}

/** Drops keys that interpolation between their neighbours reproduces within the tolerance. */
function dropRedundantKeys(keys: Keys, track: Track, fit: ReductionLimits): Keys {
  const { times, values } = keys
  const kept: Keys = { times: [], values: [] }
  const keep = (index: number) => {
    kept.times.push(times[index]!)
    kept.values.push(values[index]!)
  }
  const isPassed = (from: number, to: number) => {
    if (track.path === 'rotation' && angleBetween(values[from]!, values[to]!) > fit.maxRotation) return false
    for (let index = from + 1; index < to; index++) {
      const part = (times[index]! - times[from]!) / (times[to]! - times[from]!)
      const chord = interpolate(track, values[from]!, values[to]!, part)
      if (distance(track, chord, values[index]!) > fit.dropTolerance) return false
    }
    return true
  }
  for (let from = 0; from < times.length; ) {
    keep(from)
    from = farthest(from, Math.min(times.length - 1, from + maxDroppedRun), isPassed)
  }
  return kept
}

/**
 * Finds the farthest key that can follow a key: doubles the step while all keys between are reproduced, then halves it.
 */
function farthest(from: number, last: number, isPassed: (from: number, to: number) => boolean): number {
  let good = from + 1
  let step = 1
  while (good < last && isPassed(from, Math.min(last, good + step))) {
    good = Math.min(last, good + step)
    step *= 2
  }
  for (step = Math.floor(step / 2); step >= 1; step = Math.floor(step / 2)) {
    if (good + step <= last && isPassed(from, good + step)) good += step
  }
  return good
}

function interpolate(track: Track, from: readonly number[], to: readonly number[], u: number): readonly number[] {
  return track.path === 'rotation' ? slerp(from, to, u) : from.map((value, k) => value + (to[k]! - value) * u)
}

function distance(track: Track, a: readonly number[], b: readonly number[]): number {
  if (track.path === 'rotation') return angleBetween(a, b)
  let [sum, most] = [0, 0]
  for (let k = 0; k < a.length; k++) {
    const difference = Math.abs(a[k]! - b[k]!)
    sum += difference * difference
    if (difference > most) most = difference
  }
  return track.path === 'weights' ? most : Math.sqrt(sum)
}
