import { tooLarge } from '../../errors.ts'
import { type AnimatedValue, type Curve, evaluate } from '../../motion/animation/curve.ts'
import { dot, normalize } from '../../motion/math/quaternion.ts'
import type { ComposedStage } from '../../stage/compose-stage.ts'
import { timeCodesPerSecond } from '../../stage/layer-time.ts'

/** The largest number of numbers in all keys. */
const maxNumbers = 20_000_000

/** Returns a counter of numbers. @throws ConversionError, from the counter, when animations have too many. */
export function numberBudget(): (count: number) => void {
  let numbers = 0
  return (count) => {
    numbers += count
    if (numbers > maxNumbers) throw tooLarge(`The animations of the package have more than ${maxNumbers} values.`)
  }
}

/** The keys of a property in seconds; `values` has them one after the other. */
export type Keys = { times: number[]; values: number[] }

/** The time of a stage: what a GLB plays begins at its start time code, and ends at its end. */
export type StageTime = ReturnType<typeof stageTime>

/** Reads the frame rate and the range of a stage. */
export function stageTime({ metadata: { number } }: ComposedStage) {
  const rate = timeCodesPerSecond(number)
  const [startCode, endCode] = [number('startTimeCode'), number('endTimeCode')]
  const isRange = startCode !== undefined && endCode !== undefined && endCode >= startCode
  const [start, end] = isRange ? [startCode, endCode] : [0, Infinity]
  const spend = numberBudget()
  return {
    rate,
    start,
    end,
    /** Counts numbers that are computed for keys. */
    spend,
    /** Returns the keys of a curve in the range of the stage, with those at its ends. */
    keysOf(curve: Curve): Keys {
      // Keys outside the range are work, too.
      spend((curve.times.length + 2) * curve.size)
      const inside = curve.times.filter((time) => time > start && time < end)
      const first = curve.times[0]!
      const last = curve.times.at(-1)!
      const times = [
        ...(first <= start || inside.length === 0 ? [start] : []),
        ...inside,
        ...(last >= end && end > start ? [end] : []),
      ]
      const value: AnimatedValue = { rest: [], curve }
      const values = times.flatMap((time) => [...evaluate(value, time)])
      if (curve.isRotation) makeContinuous(values)
      return { times: times.map((time) => (time - start) / rate), values }
    },
  }
}

/** Makes unit quaternions whose signs are such that each is near the one before. */
export function makeContinuous(values: number[]): void {
  for (let at = 0; at < values.length; at += 4) {
    const unit = normalize(values.slice(at, at + 4))
    const isFar = at > 0 && dot(values.slice(at - 4, at), unit) < 0
    for (let k = 0; k < 4; k++) values[at + k] = isFar ? -unit[k]! : unit[k]!
  }
}
