import { malformed } from '../../errors.ts'
import { type AnimatedValue, type Curve, evaluate, unionOfTimes } from '../../motion/animation/curve.ts'
import { normalize } from '../../motion/math/quaternion.ts'
import type { Notes } from '../../report.ts'
import { identity, type Matrix, multiply } from '../../scene/matrix.ts'
import { opAttribute, opKind, opMatrix, opSize } from '../../stage/transform-ops.ts'
import { type UsdPrim, values } from '../../stage/usd-prim.ts'

/** A transform op with its value, which may be animated. */
export type TransformOp = { op: string; kind: string; value: AnimatedValue }

/** The transform of a prim. `resets`: it is that of the world, whatever its parents are. */
export type PrimTransform = { ops: readonly TransformOp[]; resets: boolean }

/**
 * Reads the transform ops of a prim: the first is the outermost.
 * @throws ConversionError for values that are not finite.
 */
export function readTransform(prim: UsdPrim, notes: Notes): PrimTransform {
  const order = values.tokens(prim, 'xformOpOrder')
  const reset = order.lastIndexOf('!resetXformStack!')
  const ops = order.slice(reset + 1).flatMap((op): TransformOp[] => {
    const value = readOp(prim, op, notes)
    return value ? [{ op, kind: opKind(op), value }] : []
  })
  return { ops, resets: reset >= 0 }
}

function readOp(prim: UsdPrim, op: string, notes: Notes): AnimatedValue | undefined {
  const name = opAttribute(op)
  const rest = values.numbers(prim, name)
  const samples = values.sampledNumbers(prim, name)
  for (const value of [rest, ...(samples?.values ?? [])]) {
    if (value && !value.every(Number.isFinite)) throw malformed(`${prim.path}: ${name} is not a finite number.`)
  }
  const curve = samples && curveOf(samples.times, samples.values, opKind(op) === 'orient', prim.path)
  if (!rest) return undefined
  const size = opSize(opKind(op))
  if (rest.length === size && (curve ?? { size }).size === size) return { rest, curve }
  notes.leftOut('transform_op', 'Transforms of other kinds, or with values of other sizes, are left out.')
  return undefined
}

/**
 * Makes a curve of samples; those without a value (blocked) are left out.
 * @throws ConversionError when times do not ascend or values have different sizes.
 */
export function curveOf(
  times: readonly number[],
  values: readonly (ArrayLike<number> | undefined)[],
  isRotation: boolean,
  path: string,
): Curve | undefined {
  const kept = [...times.keys()].filter((at) => values[at])
  const size = values[kept[0] ?? -1]?.length ?? 0
  if (size === 0) return undefined
  const curve: Curve = {
    times: kept.map((at) => times[at]!),
    // Only rotations of length 1 are interpolated as such.
    values: kept.flatMap((at) => [...(isRotation && size === 4 ? normalize(values[at]!) : Array.from(values[at]!))]),
    size,
    isRotation,
  }
  const ascends = curve.times.every((time, at) => Number.isFinite(time) && (at === 0 || time > curve.times[at - 1]!))
  if (!ascends) throw malformed(`${path}: the times of its samples do not ascend.`)
  if (kept.some((at) => values[at]!.length !== size)) throw malformed(`${path}: its samples have different sizes.`)
  return curve
}

/** The local matrix of a prim, at a time code or at rest. */
export function matrixAt(ops: readonly TransformOp[], time?: number): Matrix {
  return ops
    .map(({ op, value }) => {
      const now = time === undefined ? value.rest : evaluate(value, time)
      return opMatrix(op, now)
    })
    .reduce(multiply, identity)
}

/** The times at which the transform of a prim has keys. */
export const keyTimes = (ops: readonly TransformOp[]): number[] => unionOfTimes(ops.map(({ value }) => value.curve))

const plainOrder = ['translate', 'orient', 'scale']

/**
 * Returns translation, rotation and scale when the ops are these alone, in the order of glTF; then their keys are
 * those of glTF.
 */
export function plainChannels(ops: readonly TransformOp[]): Map<string, AnimatedValue> | undefined {
  const places = ops.map(({ op, kind }) => (op.startsWith('!') ? -1 : plainOrder.indexOf(kind)))
  const isPlain = places.every((place, at) => place >= 0 && (at === 0 || place > places[at - 1]!))
  return isPlain ? new Map(ops.map(({ kind, value }) => [kind, value])) : undefined
}
