import type { Material as GltfMaterial, Texture, TextureInfo } from '@gltf-transform/core'
import type { PBRSpecularGlossiness } from '@gltf-transform/extensions'
import type { NoteBook } from '../report.ts'
import type { Color, Material, TextureRef } from './material.ts'

type ReadRef = (texture: Texture | null, info: TextureInfo | null) => TextureRef | undefined

/** Some extensions replace the whole material model. They are brought back to metallic-roughness here, and noted. */
export function applyReplacements(material: Material, source: GltfMaterial, ref: ReadRef, notes: NoteBook): Material {
  const glossy = source.getExtension<PBRSpecularGlossiness>('KHR_materials_pbrSpecularGlossiness')
  if (glossy) {
    notes.add('specular_glossiness', 'Specular-glossiness materials are approximated by metallic-roughness.')
    return fromSpecularGlossiness(material, glossy, ref, notes)
  }
  if (source.getExtension('KHR_materials_unlit')) {
    notes.add('unlit', 'Unlit materials are approximated by surfaces that glow in their own colour.')
    return fromUnlit(material)
  }
  return material
}

function fromUnlit(material: Material): Material {
  const { baseColorTexture, ...rest } = material
  return {
    ...rest,
    // The base colour stays black, but its texture is kept when it says where the surface is transparent.
    baseColor: [0, 0, 0],
    ...(baseColorTexture && { emissiveTexture: baseColorTexture }),
    ...(baseColorTexture && material.alpha !== 'opaque' && { baseColorTexture }),
    emissive: material.baseColor,
    metallic: 0,
    roughness: 1,
  }
}

const dielectric = 0.04

function fromSpecularGlossiness(
  material: Material,
  glossy: PBRSpecularGlossiness,
  ref: ReadRef,
  notes: NoteBook,
): Material {
  const [r, g, b, a] = glossy.getDiffuseFactor()
  const { baseColorTexture: _, metallicRoughnessTexture: __, ...rest } = material
  const baseColorTexture = ref(glossy.getDiffuseTexture(), glossy.getDiffuseTextureInfo())
  const roughness = 1 - glossy.getGlossinessFactor()
  if (glossy.getSpecularGlossinessTexture()) {
    notes.add('specular_glossiness_texture', 'Specular-glossiness textures are left out; their factors are used.')
  }
  if (baseColorTexture) return { ...rest, baseColor: [r, g, b], opacity: a, metallic: 0, roughness, baseColorTexture }
  return { ...rest, ...metallicFrom([r, g, b], glossy.getSpecularFactor()), opacity: a, roughness }
}

/**
 * The metallic value and base colour that reflect like a diffuse and a specular colour, from the appendix of
 * KHR_materials_pbrSpecularGlossiness ("Convert specular-glossiness to metallic-roughness").
 */
function metallicFrom(diffuse: Color, specular: Color): { baseColor: Color; metallic: number } {
  const diffuseLight = brightness(diffuse)
  const specularLight = brightness(specular)
  const strongest = Math.max(...specular)
  let metallic = 0
  if (specularLight >= dielectric) {
    const b = (diffuseLight * (1 - strongest)) / (1 - dielectric) + specularLight - 2 * dielectric
    const c = dielectric - specularLight
    const root = Math.sqrt(Math.max(0, b * b - 4 * dielectric * c))
    metallic = Math.min(1, Math.max(0, (-b + root) / (2 * dielectric)))
  }
  const channel = (index: 0 | 1 | 2) => {
    const fromDiffuse = (diffuse[index] * (1 - strongest)) / (1 - dielectric) / Math.max(1 - metallic, 1e-6)
    const fromSpecular = (specular[index] - dielectric * (1 - metallic)) / Math.max(metallic, 1e-6)
    const mixed = fromDiffuse * (1 - metallic * metallic) + fromSpecular * metallic * metallic
    return Math.min(1, Math.max(0, mixed))
  }
  return { baseColor: [channel(0), channel(1), channel(2)], metallic }
}

const brightness = ([r, g, b]: Color) => Math.sqrt(0.299 * r * r + 0.587 * g * g + 0.114 * b * b)
