import { type UsdPrim, values } from './usd-prim.ts'

/** The nearest prim with a property: one itself, or an ancestor. */
export function nearestWith(prim: UsdPrim | undefined, name: string): UsdPrim | undefined {
  for (let at = prim; at; at = at.parent) if (values.has(at, name)) return at
  return undefined
}

/** Primvars that meshes take from their ancestors. */
export const inheritedPrimvars = ['primvars:displayColor', 'primvars:displayOpacity']

/**
 * The prim that has a primvar of a mesh: the mesh, or an ancestor whose value is constant. Source: UsdGeomPrimvarsAPI of
 * OpenUSD, "inheritance of primvars".
 */
export function primvarOwner(prim: UsdPrim, name: string): UsdPrim | undefined {
  const owner = nearestWith(prim, name)
  if (!owner || owner === prim) return owner
  const isConstant = (values.fieldText(owner, name, 'interpolation') ?? 'constant') === 'constant'
  return isConstant && inheritedPrimvars.includes(name) ? owner : undefined
}
