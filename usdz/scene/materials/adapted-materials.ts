import type { UniqueNames } from '../prim-names.ts'
import { scaleVolume } from './attenuation.ts'
import type { Adaptation, Material } from './material.ts'

/**
 * Adapts materials to the parts that show them. Parts with the same needs share a version of the material; the first
 * version keeps its name.
 */
export function materialAdapter(uniqueName: UniqueNames) {
  const made = new Map<Material, Map<string, Material>>()
  return (material: Material, { normalSigns, scale = 1 }: Adaptation): Material => {
    const versions = made.get(material) ?? new Map<string, Material>()
    made.set(material, versions)
    // Scales that differ by less look the same.
    const depth = material.attenuation ? Number(scale.toPrecision(3)) : 1
    const key = JSON.stringify([normalSigns, depth])
    const known = versions.get(key)
    if (known) return known
    const name = versions.size === 0 ? material.name : uniqueName(material.name, 'Material')
    const signed = normalSigns ? { ...material, normalSigns } : material
    const version = signed.attenuation ? scaleVolume(signed, depth) : signed
    const named = version.name === name ? version : { ...version, name }
    versions.set(key, named)
    return named
  }
}
