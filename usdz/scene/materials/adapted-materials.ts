import type { UniqueNames } from '../prim-names.ts'
import type { Adaptation, Material } from './material.ts'

/**
 * Adapts materials to the parts that show them. Parts with the same needs share a copy; a part without needs keeps the
 * material.
 */
export function materialAdapter(uniqueName: UniqueNames) {
  const made = new Map<Material, Map<string, Material>>()
  return (material: Material, { normalSigns }: Adaptation): Material => {
    if (!normalSigns) return material
    const copies = made.get(material) ?? new Map<string, Material>()
    made.set(material, copies)
    const key = JSON.stringify([normalSigns])
    const known = copies.get(key) ?? { ...material, name: uniqueName(material.name, 'Material'), normalSigns }
    copies.set(key, known)
    return known
  }
}
