import type { Primitive } from '@gltf-transform/core'

export type Color = readonly [number, number, number]
export type Wrap = 'repeat' | 'mirror' | 'clamp'

/** KHR_texture_transform: uv' = offset + rotation · scale · uv, the angle in radians. */
export type UvTransform = { offset: readonly [number, number]; rotation: number; scale: readonly [number, number] }

/** An image of the model, its bytes as they are in the file; undefined when it has none that can be reached. */
export type SourceImage = { name: string; bytes: Uint8Array | undefined }

/** An image and how a surface samples it. */
export type TextureRef = { image: SourceImage; texCoord: number; transform?: UvTransform; wrapS: Wrap; wrapT: Wrap }

/** A surface in glTF's metallic-roughness terms. A value beside a texture multiplies what is sampled from it. */
export type Material = {
  name: string
  doubleSided: boolean
  alpha: 'opaque' | 'mask' | 'blend'
  alphaCutoff: number
  baseColor: Color
  opacity: number
  baseColorTexture?: TextureRef
  metallic: number
  roughness: number
  /** Roughness in g, metallic in b. */
  metallicRoughnessTexture?: TextureRef
  normalTexture?: TextureRef
  normalScale: number
  /** Occlusion in r. */
  occlusionTexture?: TextureRef
  occlusionStrength: number
  /** May exceed 1 (KHR_materials_emissive_strength). */
  emissive: Color
  emissiveTexture?: TextureRef
  clearcoat: number
  clearcoatTexture?: TextureRef
  clearcoatRoughness: number
  clearcoatRoughnessTexture?: TextureRef
  ior?: number
  /** The base colour is a diffuse one, and this, in linear r g b and alpha, stands for metallic and roughness. */
  specularGlossiness?: { specular: Color; glossiness: number; texture?: TextureRef }
}

/** Gives each primitive its material; `used` are those that were given out, in order. */
export type MaterialSource = { get(primitive: Primitive): Material | undefined; used(): Material[] }
