import { type AnimatedValue, type Curve, maxMagnitudes } from '../animation/curve.ts'

/**
 * UsdSkel stores joint scales as half-precision floats, which have 11 significant bits. Two nested joints multiply
 * their scales. The second factor is constant between two keys, so the product stays linear, and among the 1,024 halfs
 * from one to two there is nearly always a factor that makes both ends of a segment exact to five digits.
 */
const tolerance = 1e-5

/** The half-precision numbers from one up to two, one for each significand. */
const factors = Array.from({ length: 1024 }, (_, k) => 1 + k / 1024)

/** Rounds a number to the nearest half-precision value (IEEE 754 binary16). Does not produce infinities. */
export function roundToHalf(value: number): number {
  const size = Math.abs(value)
  if (size < 2 ** -24 / 2) return 0
  const step = 2 ** (Math.max(-14, Math.min(15, Math.floor(Math.log2(size)))) - 10)
  return Math.sign(value) * Math.min(65504, Math.round(size / step) * step)
}

/**
 * Splits a scale into two factors whose keys are half-precision numbers. The second is undefined when one is enough.
 */
export function splitIntoHalfs(scale: AnimatedValue): { first: AnimatedValue; second: AnimatedValue | undefined } {
  const largest = maxMagnitudes(scale)
  const isExact = [0, 1, 2].every((axis) =>
    valuesOf(scale, axis).every((value) => Math.abs(roundToHalf(value) - value) <= tolerance * largest[axis]!),
  )
  if (isExact) return { first: scale, second: undefined }
  const rest = [0, 1, 2].map((axis) => bestFactor([scale.rest[axis]!], largest[axis]!))
  const first: AnimatedValue = { rest: rest.map(({ first: [value] }) => value!) }
  const second: AnimatedValue = { rest: rest.map(({ factor }) => factor) }
  if (!scale.curve) return { first, second }
  return {
    first: { ...first, curve: split(scale.curve, largest, 0) },
    second: { ...second, curve: split(scale.curve, largest, 1) },
  }
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

/** Finds the factor for which the values divided by it are closest to half-precision numbers. */
function bestFactor(values: readonly number[], largest: number): { factor: number; first: number[] } {
  let found = { factor: 1, first: values.map(roundToHalf), error: Infinity }
  for (const factor of values.every((value) => value === roundToHalf(value)) ? [1] : factors) {
    const first = values.map((value) => roundToHalf(value / factor))
    const error = Math.max(...values.map((value, k) => Math.abs(first[k]! * factor - value)))
    if (error < found.error) found = { factor, first, error }
    if (error <= tolerance * largest) break
  }
  return found
}

const valuesOf = ({ rest, curve }: AnimatedValue, axis: number): number[] => [
  rest[axis]!,
  ...(curve?.values.filter((_, index) => index % 3 === axis) ?? []),
]
