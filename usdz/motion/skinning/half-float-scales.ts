import { type AnimatedValue, type Curve, maxMagnitudes } from '../animation/curve.ts'

/**
 * UsdSkel keeps the scales of joints as halfs, of 11 binary digits. Two joints behind each other multiply theirs: with a
 * second factor that stays the same from key to key, the first runs as straight as their product, and among the
 * thousand halfs from one to two there nearly always is a factor that makes both ends of a stretch exact to five digits.
 */
const tolerance = 1e-5

/** The halfs from one up to two: all there are, but for powers of two. */
const factors = Array.from({ length: 1024 }, (_, k) => 1 + k / 1024)

/** The half next to a number (IEEE 754 binary16, without its infinities). */
export function roundToHalf(value: number): number {
  const size = Math.abs(value)
  if (size < 2 ** -24 / 2) return 0
  const step = 2 ** (Math.max(-14, Math.min(15, Math.floor(Math.log2(size)))) - 10)
  return Math.sign(value) * Math.min(65504, Math.round(size / step) * step)
}

/** A scale as two to be multiplied, all of whose keys are halfs. The second is undefined when one is enough. */
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

/** One factor curve of the two: at each key it ends a stretch and, a moment later, begins the next with another factor. */
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

/** How many time codes a change from one pair of factors to the next takes. */
const factorChangeDuration = 1 / 1024

/** The factor with which all the values, divided by it, come closest to halfs. */
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
