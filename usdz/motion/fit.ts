import { angleBetween, dot, slerp } from './quaternion.ts'
import { between, keyOf, type Track } from './track.ts'

/** Keys of a track in seconds, between which the value runs straight (rotations: by slerp). */
export type Keys = { times: number[]; values: (readonly number[])[] }

export type Fit = {
  /** How far the keys may lead away from a cubic track, in the unit of the value; radians for rotations. */
  bend: number
  /** The same for leaving out keys of a track that all but lie on a line. */
  drop: number
  /** The largest turn in radians from one key to the next. */
  turn: number
  /** Is told of keys as they come about, to stop before there are too many. */
  spend: (keys: number) => void
}

/** A jump is written as two keys this many seconds apart. */
export const jump = 1 / 1024 / 60
const maxHalvings = 10
/** So many keys at most are left out in a row: looking back over more would cost more than it saves. */
const longestRun = 200

/** Turns any track into keys between which viewers may run straight: jumps get two, curves as many as they need. */
export function fitted(track: Track, fit: Fit): Keys {
  const keys: Keys = { times: [], values: [] }
  const add = (time: number, value: readonly number[]) => {
    fit.spend(1)
    const last = keys.values.at(-1)
    const away = track.path === 'rotation' && last && dot(last, value) < 0
    keys.times.push(time)
    keys.values.push(away ? value.map((number) => -number) : value)
  }
  const count = track.times.length
  for (let index = 0; index < count; index++) {
    const time = track.times[index]!
    if (track.interpolation === 'STEP' && index > 0) {
      add(Math.max(time - jump, (time + track.times[index - 1]!) / 2), [...keyOf(track, index - 1)])
    }
    add(time, [...keyOf(track, index)])
    if (track.interpolation !== 'STEP' && index + 1 < count) refine(track, fit, index, 0, 1, 0, add)
  }
  return thinned(keys, track, fit)
}

type Add = (time: number, value: readonly number[]) => void

/** Adds keys between two places of a segment until the way between them is straight enough. */
function refine(track: Track, fit: Fit, index: number, u0: number, u1: number, depth: number, add: Add): void {
  const needsMany = track.interpolation === 'CUBICSPLINE' || track.path === 'rotation'
  if (!needsMany || depth === maxHalvings) return
  const from = between(track, index, u0)
  const to = between(track, index, u1)
  const turns = track.path === 'rotation' && angleBetween(from, to) > fit.turn
  const bends = () =>
    [0.25, 0.5, 0.75].some((part) => {
      const chord = straight(track, from, to, part)
      return distance(track, chord, between(track, index, u0 + (u1 - u0) * part)) > fit.bend
    })
  if (!turns && !(track.interpolation === 'CUBICSPLINE' && bends())) return
  const middle = (u0 + u1) / 2
  const [start, end] = [track.times[index]!, track.times[index + 1]!]
  refine(track, fit, index, u0, middle, depth + 1, add)
  add(start + (end - start) * middle, between(track, index, middle))
  refine(track, fit, index, middle, u1, depth + 1, add)
}

/** Leaves out keys that the way between their neighbours passes anyway. */
function thinned(keys: Keys, track: Track, fit: Fit): Keys {
  const { times, values } = keys
  const kept: Keys = { times: [], values: [] }
  const keep = (index: number) => {
    kept.times.push(times[index]!)
    kept.values.push(values[index]!)
  }
  const isPassed = (from: number, to: number) => {
    if (track.path === 'rotation' && angleBetween(values[from]!, values[to]!) > fit.turn) return false
    for (let index = from + 1; index < to; index++) {
      const part = (times[index]! - times[from]!) / (times[to]! - times[from]!)
      const chord = straight(track, values[from]!, values[to]!, part)
      if (distance(track, chord, values[index]!) > fit.drop) return false
    }
    return true
  }
  for (let from = 0; from < times.length; ) {
    keep(from)
    let to = from + 1
    while (to + 1 < times.length && to - from < longestRun && isPassed(from, to + 1)) to++
    from = to
  }
  return kept
}

function straight(track: Track, from: readonly number[], to: readonly number[], u: number): readonly number[] {
  return track.path === 'rotation' ? slerp(from, to, u) : from.map((value, k) => value + (to[k]! - value) * u)
}

function distance(track: Track, a: readonly number[], b: readonly number[]): number {
  if (track.path === 'rotation') return angleBetween(a, b)
  if (track.path === 'weights') return Math.max(0, ...a.map((value, k) => Math.abs(value - b[k]!)))
  return Math.hypot(...a.map((value, k) => value - b[k]!))
}
