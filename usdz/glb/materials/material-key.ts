import type { ComposedStage } from '../../stage/compose-stage.ts'
import { contentKey, type UsdPrim, values } from '../../stage/usd-prim.ts'

/** The largest number of prims outside a material that its key has. */
const maxOutside = 64

const keys = new WeakMap<UsdPrim, string>()

/**
 * A text that is the same for materials made of the same prims of layers, and connected to such prims outside: OpenUSD
 * resolves connections to shaders of other prims too.
 */
export function materialKey(stage: ComposedStage, material: UsdPrim): string {
  const known = keys.get(material)
  if (known !== undefined) return known
  const parts = new Set([material])
  const isPart = (prim: UsdPrim): boolean => {
    for (let at: UsdPrim | undefined = prim; at; at = at.parent) if (parts.has(at)) return true
    return false
  }
  for (const part of parts) {
    for (const prim of connectedTo(stage, part)) {
      if (parts.size <= maxOutside && !isPart(prim)) parts.add(prim)
    }
  }
  const key = [...parts].map(contentKey).join(' ')
  keys.set(material, key)
  return key
}

const connected = new WeakMap<UsdPrim, readonly UsdPrim[]>()

/** The prims that a prim and those below it are connected to. */
function connectedTo(stage: ComposedStage, prim: UsdPrim): readonly UsdPrim[] {
  const known = connected.get(prim)
  if (known) return known
  const targets = [...values.names(prim)].flatMap((name) => values.targets(prim, name))
  const owners = targets.map((target) => stage.primAt(target.slice(0, target.lastIndexOf('.'))))
  const all = [
    ...owners.filter((owner) => owner !== undefined),
    ...prim.children.flatMap((child) => connectedTo(stage, child)),
  ]
  const distinct = [...new Set(all)]
  connected.set(prim, distinct)
  return distinct
}
