import type { Material as GltfMaterial, Texture, TextureInfo } from '@gltf-transform/core'
import type { PBRSpecularGlossiness } from '@gltf-transform/extensions'
import type { Notes } from '../../report.ts'
import type { Color, Material, TextureRef } from './material.ts'
import { toMetallicRoughness } from './specular-glossiness.ts'

export type ReadTexture = (texture: Texture | null, info: TextureInfo | null) => TextureRef | undefined

/** Which shaders a material is written for: UsdPreviewSurface alone, or also those of RealityKit. */
export type Shaders = 'preview' | 'realitykit'

/** Converts materials of other shading models (specular-glossiness, unlit) to metallic-roughness, with a note. */
export function applyShadingModel(
  material: Material,
  source: GltfMaterial,
  ref: ReadTexture,
  notes: Notes,
  shaders: Shaders,
): Material {
  const glossy = source.getExtension<PBRSpecularGlossiness>('KHR_materials_pbrSpecularGlossiness')
  if (glossy) {
    notes.changed('specular_glossiness', 'Specular-glossiness materials are approximated by metallic-roughness.')
    return fromSpecularGlossiness(material, glossy, ref)
  }
  if (source.getExtension('KHR_materials_unlit')) {
    const where = shaders === 'realitykit' ? ', except in MaterialX' : ''
    notes.changed('unlit', `Unlit materials are approximated by emissive surfaces${where}.`)
    return unlit(material)
  }
  return material
}

/** A black metal reflects nothing in UsdPreviewSurface, at any angle: only emission is visible. */
function unlit({ metallicRoughnessTexture: _, normalTexture: __, occlusionTexture: ___, ...rest }: Material): Material {
  return { ...rest, unlit: true, metallic: 1, roughness: 1, clearcoat: 0 }
}

/** The diffuse colour becomes the base colour; the specular colour is merged in where its texture can be read. */
function fromSpecularGlossiness(material: Material, glossy: PBRSpecularGlossiness, ref: ReadTexture): Material {
  const [r, g, b, opacity] = glossy.getDiffuseFactor()
  const { baseColorTexture: _, metallicRoughnessTexture: __, ...rest } = material
  const baseColorTexture = ref(glossy.getDiffuseTexture(), glossy.getDiffuseTextureInfo())
  const texture = ref(glossy.getSpecularGlossinessTexture(), glossy.getSpecularGlossinessTextureInfo())
  const specular = glossy.getSpecularFactor()
  const glossiness = glossy.getGlossinessFactor()
  if (baseColorTexture || texture) {
    const specularGlossiness = { specular, glossiness, ...(texture && { texture }) }
    return { ...rest, baseColor: [r, g, b], opacity, ...(baseColorTexture && { baseColorTexture }), specularGlossiness }
  }
  const [red, green, blue, metallic] = metallicOf([r, g, b], specular)
  return { ...rest, baseColor: [red, green, blue], opacity, metallic, roughness: 1 - glossiness }
}

function metallicOf(diffuse: Color, specular: Color): [number, number, number, number] {
  const out = new Float64Array(4)
  toMetallicRoughness(diffuse, specular, out)
  return [out[0]!, out[1]!, out[2]!, out[3]!]
}
