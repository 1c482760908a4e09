import type { Stage, StagePrim } from '../../layers/stage.ts'
import type { Report } from './rules.ts'

const primName = /^[\p{L}_][\p{L}\p{N}\p{M}_]*$/u
const propertyName = /^[\p{L}_][\p{L}\p{N}\p{M}_]*(:[\p{L}\p{N}\p{M}_]+)*$/u

/** Checks the names of the prims and properties of a layer. */
export function checkNames({ prims }: Stage, report: Report): void {
  for (const prim of prims) checkPrim(prim, report)
}

function checkPrim(prim: StagePrim, report: Report): void {
  if (!primName.test(prim.name)) report('Names', `${prim.path} has a name that is not allowed.`)
  for (const property of prim.own.values()) {
    if (!propertyName.test(property.name)) report('Names', `${property.path} has a name that is not allowed.`)
  }
}
