import type { Crate, Rep } from '../check/reader/read-crate.ts'
import { numberOf, samplesOf, tokensOf, vectorOf } from '../check/reader/read-values.ts'
import type { StagePrim, StageProperty } from '../check/reader/stage.ts'
import { compose, identity, type Matrix, multiply } from '../scene/matrix.ts'

/** Returns the default value of an attribute, else its first time sample. */
export const defaultOf = (crate: Crate, property: StageProperty | undefined): Rep | undefined =>
  property?.value ?? samplesOf(crate, property?.samples)?.values[0]

/**
 * Returns the local matrix of a prim. Source: UsdGeomXformable of OpenUSD: the first op of the order is the outermost.
 * Inverse ops are ignored.
 */
export function localMatrix(crate: Crate, prim: StagePrim): { matrix: Matrix; isReset: boolean } {
  const order = tokensOf(crate, prim.properties.get('xformOpOrder')?.value)
  const matrix = order
    .map((name) => opMatrix(crate, name, defaultOf(crate, prim.properties.get(name))))
    .reduce(multiply, identity)
  return { matrix, isReset: order.includes('!resetXformStack!') }
}

const none = [0, 0, 0] as const

function opMatrix(crate: Crate, name: string, rep: Rep | undefined): Matrix {
  const op = /^xformOp:([a-zA-Z]+)/.exec(name)?.[1]
  const vector = vectorOf(crate, rep)
  if (op === 'transform' && vector?.length === 16) return vector
  if (op === 'translate' && vector) return compose(vector, [], [])
  if (op === 'scale' && vector) return compose(none, [], vector)
  if (op === 'orient' && vector) return compose(none, vector, [])
  const axes = /^rotate([XYZ]{1,3})$/.exec(op ?? '')?.[1]
  const angle = numberOf(crate, rep)
  if (axes?.length === 1 && angle !== undefined) return rotationMatrix(axes, angle)
  // rotateXYZ rotates about x first: Z · Y · X.
  if (axes && vector)
    return [...axes]
      .reverse()
      .map((axis) => rotationMatrix(axis, vector['XYZ'.indexOf(axis)]!))
      .reduce(multiply)
  return identity
}

function rotationMatrix(axis: string, degrees: number): Matrix {
  const half = (degrees * Math.PI) / 360
  const rotation = [0, 0, 0, Math.cos(half)]
  rotation['XYZ'.indexOf(axis)] = Math.sin(half)
  return compose(none, rotation, [])
}
