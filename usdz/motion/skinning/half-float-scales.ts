import { type AnimatedValue, type Curve, evaluate, maxMagnitudes } from '../animation/curve.ts'

/**
 * UsdSkel stores joint scales as half-precision floats, which have 11 significant bits. Two nested joints multiply
 * their scales. The second factor is constant between two keys, so the product stays linear, and among the 1,024 halfs
 * from one to two there is nearly always a factor that makes both ends of a segment exact to five digits. Between
 * factors, the product is off by up to an eighth: keys that are close together have factors that differ little.
 */
const tolerance = 1e-5

/** The half-precision numbers from one up to two, one for each significand, and their reciprocals. */
const factors = Float64Array.from({ length: 1024 }, (_, k) => 1 + k / 1024)
const reciprocals = factors.map((factor) => 1 / factor)
/** The distance of half-precision numbers near zero. */
const leastStep = 2 ** -24

/** Rounds a number to the nearest half-precision value (IEEE 754 binary16). Does not produce infinities. */
export function roundToHalf(value: number): number {
  const size = Math.abs(value)
  if (size < leastStep / 2) return 0
  const step = stepAt(size)
  return Math.sign(value) * Math.min(65504, Math.round(size / step) * step)
}

/** The distance of the half-precision numbers around a positive number. */
const stepAt = (size: number) => 2 ** (Math.max(-14, Math.min(15, Math.floor(Math.log2(size)))) - 10)

/**
 * Splits a scale into two factors whose keys are half-precision numbers. The second is undefined when one is enough.
 * @param times those at which its values are written, ascending; its own keys are among them.
 * @param exactAt those at which a single factor must be exact: also the ends of changes, where other joints are split.
 */
export function splitIntoHalfs(
  given: AnimatedValue,
  times: readonly number[] = given.curve?.times ?? [],
  exactAt: readonly number[] = times,
): { first: AnimatedValue; second: AnimatedValue | undefined } {
  if (fitsHalfs(given, exactAt)) return { first: given, second: undefined }
  const scale = resample(given, times)
  const largest = maxMagnitudes(scale)
  const rest = [0, 1, 2].map((axis) => bestFactor([scale.rest[axis]!], largest[axis]!))
  const first: AnimatedValue = { rest: rest.map(({ first: [value] }) => value!) }
  const second: AnimatedValue = { rest: rest.map(({ factor }) => factor) }
  if (!scale.curve) return { first, second }
  const pairs = split(scale.curve, largest)
  return {
    first: { ...first, curve: curveOf(pairs.map(({ time, first: value }) => ({ time, value }))) },
    second: { ...second, curve: curveOf(pairs.map(({ time, factor: value }) => ({ time, value }))) },
  }
}

/** Tells whether half-precision numbers are close to a scale at rest, at its keys and at other times. */
export function fitsHalfs(given: AnimatedValue, times: readonly number[]): boolean {
  const scale = resample(given, times)
  const largest = maxMagnitudes(scale)
  const fits = (value: number, axis: number) => Math.abs(roundToHalf(value) - value) <= tolerance * largest[axis]!
  return scale.rest.every(fits) && (scale.curve?.values ?? []).every((value, at) => fits(value, at % 3))
}

/** Adds to times those at which the factors of a split scale have changed. */
export const withChanges = (times: readonly number[]): number[] =>
  times.flatMap((time, index) =>
    index > 0 && index + 1 < times.length && !isShort(times, index) ? [time, changedAt(times, index)] : [time],
  )

function resample(scale: AnimatedValue, times: readonly number[]): AnimatedValue {
  const { curve } = scale
  if (!curve || times.length <= curve.times.length) return scale
  return { ...scale, curve: { ...curve, times, values: times.flatMap((time) => evaluate(scale, time)) } }
}

/** The factors of a scale at a time, one for each axis. */
type Pair = { time: number; first: number[]; factor: number[] }

/**
 * Finds the factors of a curve. Each key ends a segment; shortly after it the next segment begins with another factor.
 * During short segments, factors change all the time.
 */
function split({ times, values }: Curve, largest: readonly number[]): Pair[] {
  const out: Pair[] = []
  const add = (time: number, axes: { factor: number; first: number }[]) =>
    out.push({ time, first: axes.map(({ first }) => first), factor: axes.map(({ factor }) => factor) })
  for (let index = 0; index < Math.max(1, times.length - 1); index++) {
    const isLast = index + 1 === times.length
    const last = out.at(-1)
    if (last && isShort(times, index)) {
      const duration = times[index + 1]! - times[index]!
      const next = largest.map((size, axis) =>
        nearbyFactor(last.first[axis]!, last.factor[axis]!, values[index * 3 + 3 + axis]!, size, duration),
      )
      add(times[index + 1]!, next)
      continue
    }
    const begin = index === 0 || isLast ? times[index]! : changedAt(times, index)
    const part = isLast ? 0 : (begin - times[index]!) / (times[index + 1]! - times[index]!)
    const axes = largest.map((size, axis) => {
      const [from, to] = [values[index * 3 + axis]!, values[index * 3 + 3 + axis] ?? 0]
      return bestFactor(isLast ? [from] : [from + (to - from) * part, to], size)
    })
    const endOf = (end: number) => axes.map(({ first, factor }) => ({ factor, first: first[end]! }))
    add(begin, endOf(0))
    if (!isLast) add(times[index + 1]!, endOf(1))
  }
  return out
}

/** The curve of one of the factors, without keys that are equal to both beside them. */
function curveOf(keys: readonly { time: number; value: readonly number[] }[]): Curve {
  const kept = keys.filter(
    ({ value }, index) =>
      index === 0 ||
      index === keys.length - 1 ||
      [-1, 1].some((side) => keys[index + side]!.value.some((v, k) => v !== value[k])),
  )
  return {
    times: kept.map(({ time }) => time),
    values: kept.flatMap(({ value }) => value),
    size: 3,
    isRotation: false,
  }
}

/** The duration of a change from one pair of factors to the next, in time codes. */
const factorChangeDuration = 1 / 1024

/** The time at which the factors have changed after a key that is neither the first nor the last. */
const changedAt = (times: readonly number[], index: number) =>
  times[index]! + Math.min(factorChangeDuration, (times[index + 1]! - times[index]!) / 4)

/** Segments shorter than this have no time for a change of factors, in time codes. */
const shortDuration = 0.5

const isShort = (times: readonly number[], index: number) => times[index + 1]! - times[index]! < shortDuration

/** A change within a change of factors that is larger than this part of the largest value is a step: it has no middle. */
const stepSize = 1e-3

/**
 * Finds a factor for the end of a segment that begins with a factor and the value divided by it: the nearest that is exact,
 * or the least wrong. In the middle of the segment, the product is off by a quarter of the product of both changes.
 */
function nearbyFactor(
  first: number,
  factor: number,
  value: number,
  largest: number,
  duration: number,
): { factor: number; first: number } {
  const isStep = duration <= 2 * factorChangeDuration && Math.abs(value - first * factor) > stepSize * largest
  let found = { factor, first: roundToHalf(value / factor), error: Infinity }
  const start = Math.round((factor - 1) * factors.length)
  for (let away = 0; away <= maxAway && found.error > tolerance * largest; away++) {
    for (const k of away > 0 ? [start - away, start + away] : [start]) {
      const other = factors[k]
      if (other === undefined) continue
      const next = roundToHalf(value / other)
      const middle = isStep ? 0 : Math.abs((next - first) * (other - factor)) / 4
      const error = Math.max(Math.abs(next * other - value), middle)
      if (error < found.error) found = { factor: other, first: next, error }
    }
  }
  return found
}

/** The largest difference of factors at the ends of a short segment, in halfs. */
const maxAway = 32

/** Finds the factor for which one or two values divided by it are closest to half-precision numbers. */
function bestFactor(values: readonly number[], largest: number): { factor: number; first: number[] } {
  let found = { factor: 1, error: values.every((value) => value === roundToHalf(value)) ? 0 : Infinity }
  const steps = values.map((value) => stepAt(Math.abs(value) || leastStep))
  const counts = values.map((value, end) => Math.abs(value) / steps[end]!)
  const [lastStep, lastCount] = [steps.at(-1)!, counts.at(-1)!]
  for (let k = 0; k < factors.length && found.error > tolerance * largest; k++) {
    // Few factors suit the first value: the last is not looked at for the others.
    const first = errorOf(counts[0]!, steps[0]!, k)
    if (first >= found.error) continue
    const error = Math.max(first, errorOf(lastCount, lastStep, k))
    if (error < found.error) found = { factor: factors[k]!, error }
  }
  return { factor: found.factor, first: values.map((value) => roundToHalf(value / found.factor)) }
}

/** The distance from a value, in steps, to the nearest product of a half-precision number and a factor. */
function errorOf(count: number, step: number, k: number): number {
  const quotient = count * reciprocals[k]!
  // A quotient below a power of two has neighbours that are half as far apart.
  const finer = quotient < 1024 && step > leastStep ? 2 : 1
  const off = quotient * finer
  return (Math.abs(Math.floor(off + 0.5) - off) / finer) * factors[k]! * step
}
