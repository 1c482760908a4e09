import { inverse } from '../motion/math/affine.ts'
import { normalize } from '../motion/math/quaternion.ts'
import { compose, identity, type Matrix, multiply } from '../scene/matrix.ts'

const inverted = '!invert!'

/** Returns the attribute of an op in `xformOpOrder`. */
export const opAttribute = (op: string): string => (op.startsWith(inverted) ? op.slice(inverted.length) : op)

/** Returns the kind of an op: `translate`, `rotateXYZ` … */
export const opKind = (op: string): string => /^xformOp:([a-zA-Z]+)/.exec(opAttribute(op))?.[1] ?? ''

/** Returns how many numbers an op of a kind has; undefined for kinds that USD does not have. */
export function opSize(kind: string): number | undefined {
  if (kind === 'transform') return 16
  if (kind === 'orient') return 4
  if (/^(?:translate|scale|rotate)[XYZ]$/.test(kind)) return 1
  return /^(?:translate|scale|rotate(?:XYZ|XZY|YXZ|YZX|ZXY|ZYX))$/.test(kind) ? 3 : undefined
}

/**
 * Returns the matrix of an op in `xformOpOrder`. Source: UsdGeomXformOp of OpenUSD. An op without a usable value is the
 * identity.
 */
export function opMatrix(op: string, value: readonly number[] | undefined): Matrix {
  const kind = opKind(op)
  const matrix = value && value.length === opSize(kind) ? plainMatrix(kind, value) : identity
  return op.startsWith(inverted) ? (inverse(matrix) ?? identity) : matrix
}

const none = [0, 0, 0] as const

function plainMatrix(kind: string, value: readonly number[]): Matrix {
  if (kind === 'transform') return value
  if (kind === 'orient') return compose(none, normalize(value), [])
  const [, what = '', axes = ''] = /^(translate|scale|rotate)(.*)$/.exec(kind) ?? []
  if (what === 'rotate') {
    // rotateXYZ rotates about x first: Z · Y · X.
    return [...axes]
      .reverse()
      .map((axis) => rotationMatrix(axis, value[axes.length === 1 ? 0 : 'XYZ'.indexOf(axis)]!))
      .reduce(multiply)
  }
  const rest = what === 'scale' ? 1 : 0
  const whole = axes === '' ? value : [...'XYZ'].map((axis) => (axis === axes ? value[0]! : rest))
  return what === 'scale' ? compose(none, [], whole) : compose(whole, [], [])
}

function rotationMatrix(axis: string, degrees: number): Matrix {
  const half = (degrees * Math.PI) / 360
  const rotation = [0, 0, 0, Math.cos(half)]
  rotation['XYZ'.indexOf(axis)] = Math.sin(half)
  return compose(none, rotation, [])
}
