import { tooLarge } from '../../errors.ts'
import { evaluate } from '../../motion/animation/curve.ts'
import type { StageTime } from './stage-time.ts'
import { keyTimes, type TransformOp } from './transform-curves.ts'

/** Interpolated samples between keys are needed where USD interpolates other numbers than glTF. */
const maxSamples = 200_000

/** The largest angle between samples, in degrees: rotations between them take the shorter way. */
const maxTurn = 90

/** How many degrees the rotations of ops turn at most between two keys. */
function turnBetween(ops: readonly TransformOp[], from: number, to: number): number {
  const angles = ops.filter(({ kind, value }) => value.curve && kind.startsWith('rotate'))
  return angles.reduce((sum, { value }) => {
    const [before, after] = [evaluate(value, from), evaluate(value, to)]
    return before.reduce((turn, angle, k) => turn + Math.abs(after[k]! - angle), sum)
  }, 0)
}

/**
 * The keys in the range of the stage, and times between them no farther apart than a time code, nor than a rotation
 * needs.
 */
export function denseTimes(ops: readonly TransformOp[], { start, end }: StageTime): number[] {
  const keys = keyTimes(ops)
  const inside = keys.filter((key) => key > start && key < end)
  const [first, last] = [Math.min(end, Math.max(start, keys[0]!)), Math.max(start, Math.min(end, keys.at(-1)!))]
  const ends = [...new Set([first, ...inside, last])]
  const times: number[] = []
  for (const [at, key] of ends.entries()) {
    const next = ends[at + 1]
    const codes = next === undefined ? 1 : next - key
    const turns = next === undefined ? 1 : turnBetween(ops, key, next) / maxTurn
    const steps = Math.max(1, Math.ceil(codes - 1e-6), Math.ceil(turns - 1e-6))
    if (times.length + steps > maxSamples)
      throw tooLarge(`An animation of the package has more than ${maxSamples} keys.`)
    for (let step = 0; step < steps; step++) times.push(step === 0 ? key : key + ((next! - key) * step) / steps)
  }
  return times
}
