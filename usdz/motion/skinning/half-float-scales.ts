import { type AnimatedValue, type Curve, evaluate, maxMagnitudes } from '../animation/curve.ts'

/**
 * UsdSkel stores joint scales as half-precision floats, which have 11 significant bits. Two nested joints multiply
 * their scales. The second factor is constant between two keys, so the product stays linear, and among the 1,024 halfs
 * from one to two there is nearly always a factor that makes both ends of a segment exact to five digits.
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
 */
export function splitIntoHalfs(
  given: AnimatedValue,
  times: readonly number[] = given.curve?.times ?? [],
): { first: AnimatedValue; second: AnimatedValue | undefined } {
  const scale = { ...given, ...(given.curve && { curve: resample(given, given.curve, times) }) }
  const largest = maxMagnitudes(scale)
  const isExact = [0, 1, 2].every((axis) =>
    valuesOf(scale, axis).every((value) => Math.abs(roundToHalf(value) - value) <= tolerance * largest[axis]!),
  )
  if (isExact) return { first: given, second: undefined }
  const rest = [0, 1, 2].map((axis) => bestFactor([scale.rest[axis]!], largest[axis]!))
  const first: AnimatedValue = { rest: rest.map(({ first: [value] }) => value!) }
  const second: AnimatedValue = { rest: rest.map(({ factor }) => factor) }
  if (!scale.curve) return { first, second }
  return {
    first: { ...first, curve: split(scale.curve, largest, 0) },
    second: { ...second, curve: split(scale.curve, largest, 1) },
  }
}

function resample(scale: AnimatedValue, curve: Curve, times: readonly number[]): Curve {
  return times.length > curve.times.length
    ? { ...curve, times, values: times.flatMap((time) => evaluate(scale, time)) }
    : curve
}

/**
 * Builds one of the two factor curves. Each key ends a segment; shortly after it the next segment begins with another
 * factor.
 */
function split(curve: Curve, largest: readonly number[], which: 0 | 1): Curve {
  const { times, values } = curve
  const out: { time: number; value: number[] }[] = []
  for (let index = 0; index < times.length; index++) {
    const ends = index + 1 < times.length ? [index, index + 1] : [index]
    if (index > 0 && ends.length === 1) break
    const axes = [0, 1, 2].map((axis) =>
      bestFactor(
        ends.map((end) => values[end * 3 + axis]!),
        largest[axis]!,
      ),
    )
    for (const [number, end] of ends.entries()) {
      const value = axes.map(({ first, factor }) => (which === 0 ? first[number]! : factor))
      const span = number === 0 && index > 0 ? Math.min(factorChangeDuration, (times[end + 1]! - times[end]!) / 4) : 0
      out.push({ time: times[end]! + span, value })
    }
  }
  const kept = out.filter(
    ({ value }, index) =>
      index === 0 ||
      index === out.length - 1 ||
      [-1, 1].some((side) => out[index + side]!.value.some((v, k) => v !== value[k])),
  )
  return { ...curve, times: kept.map(({ time }) => time), values: kept.flatMap(({ value }) => value) }
}

/** The duration of a change from one pair of factors to the next, in time codes. */
const factorChangeDuration = 1 / 1024

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

const valuesOf = ({ rest, curve }: AnimatedValue, axis: number): number[] => [
  rest[axis]!,
  ...(curve?.values.filter((_, index) => index % 3 === axis) ?? []),
]
