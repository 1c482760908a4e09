import type { Notes } from '../../report.ts'
import type { UniqueNames } from '../prim-names.ts'
import { scaleVolume } from './attenuation.ts'
import type { Adaptation, Color, Material } from './material.ts'

/** The versions of a material up to which the colours of instances stay exact; each needs its own image. */
const maxVersions = 1000
const maxTextured = 32
/** The steps of a channel to which further colours are rounded. */
const coarse = { plain: 7, textured: 3 }
const exact = 1000

/**
 * Adapts materials to the parts that show them. Parts with the same needs share a version of the material; the first
 * version keeps its name.
 */
export function materialAdapter(uniqueName: UniqueNames, notes: Notes) {
  const made = new Map<Material, Map<string, Material>>()

  const rounded = (tint: Color, material: Material, count: number): Color => {
    const isTextured = material.baseColorTexture !== undefined
    const isCoarse = count >= (isTextured ? maxTextured : maxVersions)
    if (isCoarse) {
      const message = `The colours of instances of "${material.name}" are rounded: there are too many.`
      notes.changed('instance_colors', message)
    }
    const steps = isCoarse ? (isTextured ? coarse.textured : coarse.plain) : exact
    return tint.map((value) => Math.round(value * steps) / steps) as unknown as Color
  }
  return (material: Material, { normalSigns, scale = 1, tint }: Adaptation): Material => {
    const versions = made.get(material) ?? new Map<string, Material>()
    made.set(material, versions)
    // Scales that differ by less look the same.
    const depth = material.attenuation ? Number(scale.toPrecision(3)) : 1
    const color = tint && rounded(tint, material, versions.size)
    const key = JSON.stringify([normalSigns, depth, color])
    const known = versions.get(key)
    if (known) return known
    const name = versions.size === 0 ? material.name : uniqueName(material.name, 'Material')
    const volume = scaleVolume(material, depth)
    const baseColor = volume.baseColor.map((value, i) => value * (color?.[i] ?? 1)) as unknown as Color
    const needed = normalSigns || color || volume !== material || name !== material.name
    const version = needed ? { ...volume, name, baseColor, ...(normalSigns && { normalSigns }) } : material
    versions.set(key, version)
    return version
  }
}
