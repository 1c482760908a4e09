import { inverse } from '../motion/math/affine.ts'
import { compose, identity, type Matrix, multiply } from '../scene/matrix.ts'

const inverted = '!invert!'

/** Returns the attribute of an op in `xformOpOrder`. */
export const opAttribute = (op: string): string => (op.startsWith(inverted) ? op.slice(inverted.length) : op)

/** Returns the kind of an op: `translate`, `rotateXYZ` … */
export const opKind = (op: string): string => /^xformOp:([a-zA-Z]+)/.exec(opAttribute(op))?.[1] ?? ''

/**
 * Returns the matrix of an op in `xformOpOrder`. Source: UsdGeomXformOp of OpenUSD. An op without a usable value is the
 * identity.
 */
export function opMatrix(op: string, value: readonly number[] | number | undefined): Matrix {
  const matrix = plainMatrix(opKind(op), value)
  return op.startsWith(inverted) ? (inverse(matrix) ?? identity) : matrix
}

const none = [0, 0, 0] as const

function plainMatrix(kind: string, value: readonly number[] | number | undefined): Matrix {
  const axes = /^rotate([XYZ]{1,3})$/.exec(kind)?.[1]
  if (typeof value === 'number') return axes?.length === 1 ? rotationMatrix(axes, value) : identity
  if (!value) return identity
  if (kind === 'transform' && value.length === 16) return value
  if (kind === 'translate') return compose(value, [], [])
  if (kind === 'scale') return compose(none, [], value)
  if (kind === 'orient') return compose(none, value, [])
  if (!axes) return identity
  // rotateXYZ rotates about x first: Z · Y · X.
  return [...axes]
    .reverse()
    .map((axis) => rotationMatrix(axis, value['XYZ'.indexOf(axis)]!))
    .reduce(multiply)
}

function rotationMatrix(axis: string, degrees: number): Matrix {
  const half = (degrees * Math.PI) / 360
  const rotation = [0, 0, 0, Math.cos(half)]
  rotation['XYZ'.indexOf(axis)] = Math.sin(half)
  return compose(none, rotation, [])
}
