import type { ComposedStage } from '../../stage/compose-stage.ts'
import { type UsdPrim, values } from '../../stage/usd-prim.ts'

/** The relationships to a material: one for previews is stronger, wherever it is. */
export const bindings = ['material:binding:preview', 'material:binding']

/** Returns the material that is bound to a prim, or to the nearest of its ancestors. */
export function boundMaterial({ primAt }: ComposedStage, prim: UsdPrim): UsdPrim | undefined {
  for (const name of bindings) {
    let bound: UsdPrim | undefined
    for (let at: UsdPrim | undefined = prim; at; at = at.parent) {
      const [target] = values.targets(at, name)
      if (target === undefined) continue
      const strength = values.fieldText(at, name, 'bindMaterialAs')
      if (!bound || strength === 'strongerThanDescendants') bound = primAt(target)
    }
    if (bound?.type === 'Material') return bound
  }
  return undefined
}
