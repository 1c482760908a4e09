import { malformed } from '../../errors.ts'
import { angleBetween, dot } from '../math/quaternion.ts'
import type { Curve } from './curve.ts'
import { type Keys, stepDuration } from './keyframe-reduction.ts'

/** Time codes per second: the frame rate of AR viewers. */
export const timeCodesPerSecond = 60
/** Time codes between the end of a clip and the start of the next, which hold the last pose: readers round times. */
const clipGap = 1

/** The position of a clip on the timeline, in time codes. */
export type ClipSpan = { start: number; end: number }

/** Places clips of the given durations (seconds) in sequence; each starts at a whole time code. */
export function layOutClips(lengths: readonly number[]): ClipSpan[] {
  let next = 0
  return lengths.map((length) => {
    const start = next
    const end = start + length * timeCodesPerSecond
    next = Math.ceil(end) + clipGap
    return { start, end }
  })
}

/**
 * Joins the keys of a property in each clip to one curve. The first key holds from the start of the clip, the last one
 * to the start of the next; a clip without keys uses the rest value.
 * @param keys those of each clip, in seconds; undefined for a clip without any.
 * @returns undefined when the value never differs from the rest value.
 * @throws ConversionError when a value is too large for a float.
 */
export function joinClips(
  keys: readonly (Keys | undefined)[],
  clips: readonly ClipSpan[],
  rest: readonly number[],
  isRotation: boolean,
  where: string,
): Curve | undefined {
  const times: number[] = []
  const values: (readonly number[])[] = []
  const add = (time: number, value: readonly number[]) => {
    if (!value.every((number) => Number.isFinite(Math.fround(number)))) {
      throw malformed(`${where}: its animation produces values that are not finite.`)
    }
    const last = values.at(-1)
    times.push(time)
    values.push(isRotation && last && dot(last, value) < 0 ? value.map((number) => -number) : value)
  }
  for (const [index, { start, end }] of clips.entries()) {
    const own = keys[index]
    const first = own?.values[0] ?? rest
    const last = own?.values.at(-1) ?? rest
    const [from, to] = own
      ? [start + own.times[0]! * timeCodesPerSecond, start + own.times.at(-1)! * timeCodesPerSecond]
      : [end, end]
    if (from > start) add(start, first)
    if (own) for (const [at, value] of own.values.entries()) add(start + own.times[at]! * timeCodesPerSecond, value)
    if (to < end || !own) add(end, last)
    const next = clips[index + 1]
    if (next) add(next.start - stepDuration * timeCodesPerSecond, last)
  }
  return curveOf(times, values, rest, isRotation)
}

function curveOf(
  times: readonly number[],
  values: readonly (readonly number[])[],
  rest: readonly number[],
  isRotation: boolean,
): Curve | undefined {
  const isSame = (a: readonly number[], b: readonly number[]) =>
    isRotation ? angleBetween(a, b) < 1e-9 : a.every((value, k) => value === b[k])
  // Of consecutive keys with the same value, the first and last are enough.
  const kept = [...times.keys()].filter(
    (at) =>
      !(isSame(values[at]!, values[at - 1] ?? values[at]!) && isSame(values[at]!, values[at + 1] ?? values[at]!)) ||
      (at === 0 && times.length === 1),
  )
  const [first] = values
  if (!first) return undefined
  if (kept.length === 0)
    return isSame(first, rest) ? undefined : { times: [times[0]!], values: first, size: first.length, isRotation }
  return {
    times: kept.map((at) => times[at]!),
    values: kept.flatMap((at) => values[at]!),
    size: rest.length,
    isRotation,
  }
}
