import { tooLarge } from '../errors.ts'
import { type UsdPrim, values } from './usd-prim.ts'

/** Returns the nearest prim with a property: one itself, or an ancestor. */
export function nearestWith(prim: UsdPrim | undefined, name: string): UsdPrim | undefined {
  for (let at = prim; at; at = at.parent) if (values.has(at, name)) return at
  return undefined
}

/** The largest number of primvars that one prim passes on to those below it. */
const maxInherited = 200

const known = new WeakMap<UsdPrim, ReadonlyMap<string, UsdPrim>>()

/**
 * The primvars that prims below one inherit, with the prim that has each: those whose value is constant, except of
 * skeletons. Source: UsdGeomPrimvarsAPI of OpenUSD, "inheritance of primvars".
 * @throws ConversionError when there are too many.
 */
function passedOn(prim: UsdPrim | undefined): ReadonlyMap<string, UsdPrim> {
  // Not recursive: prims may be hundreds deep.
  const unknown: UsdPrim[] = []
  let at = prim
  for (; at && !known.has(at); at = at.parent) unknown.push(at)
  let passed: ReadonlyMap<string, UsdPrim> = (at && known.get(at)) ?? new Map()
  for (const each of unknown.reverse()) {
    const own = [...values.names(each)].filter((name) => name.startsWith('primvars:') && !name.endsWith(':indices'))
    const ofMesh = own.filter((name) => !name.startsWith('primvars:skel:'))
    if (ofMesh.length > 0) {
      const changed = new Map(passed)
      for (const name of ofMesh) {
        const isConstant = (values.fieldText(each, name, 'interpolation') ?? 'constant') === 'constant'
        if (isConstant) changed.set(name, each)
        else changed.delete(name)
      }
      if (changed.size > maxInherited) throw tooLarge(`${each.path} passes on more than ${maxInherited} primvars.`)
      passed = changed
    }
    known.set(each, passed)
  }
  return passed
}

/** The primvars that a mesh takes from its ancestors, with the prim that has each. */
export const inheritedPrimvars = (mesh: UsdPrim): ReadonlyMap<string, UsdPrim> => passedOn(mesh.parent)

/** The prim that has a primvar of a mesh: the mesh, or an ancestor. */
export const primvarOwner = (mesh: UsdPrim, name: string): UsdPrim | undefined =>
  values.has(mesh, name) ? mesh : inheritedPrimvars(mesh).get(name)
