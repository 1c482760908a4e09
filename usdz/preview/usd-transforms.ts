import type { Crate, Rep } from '../check/reader/read-crate.ts'
import { numbersOf, samplesOf, tokensOf } from '../check/reader/read-values.ts'
import type { StagePrim, StageProperty } from '../check/reader/stage.ts'
import { identity, type Matrix, multiply } from '../scene/matrix.ts'
import { opAttribute, opMatrix } from '../stage/transform-ops.ts'

/** Returns the default value of an attribute, else its first time sample. */
export const defaultOf = (crate: Crate, property: StageProperty | undefined): Rep | undefined =>
  property?.value ?? samplesOf(crate, property?.samples)?.values[0]

/**
 * Returns the local matrix of a prim. Source: UsdGeomXformable of OpenUSD: the first op of the order is the outermost.
 */
export function localMatrix(crate: Crate, prim: StagePrim): { matrix: Matrix; isReset: boolean } {
  const order = tokensOf(crate, prim.properties.get('xformOpOrder')?.value)
  const matrix = order
    .map((name) => opMatrix(name, numbersOf(crate, defaultOf(crate, prim.properties.get(opAttribute(name))))))
    .reduce(multiply, identity)
  return { matrix, isReset: order.includes('!resetXformStack!') }
}
