import type { Primitive } from '@gltf-transform/core'

export type Color = readonly [number, number, number]
export type Wrap = 'repeat' | 'mirror' | 'clamp'

/** KHR_texture_transform: uv' = offset + rotation · scale · uv, the angle in radians. */
export type UvTransform = { offset: readonly [number, number]; rotation: number; scale: readonly [number, number] }

/** Pixels row by row from the top, 8 bits a channel: grey, r g b, or r g b and alpha. */
export type Pixels = { data: Uint8Array; width: number; height: number; channels: 1 | 3 | 4 }

/** An image that is computed from others when it is needed. Equal keys, equal pixels. */
export type GeneratedImage = {
  name: string
  key: string
  width: number
  height: number
  alpha: boolean
  /** Small losses do not matter: what it comes from had them too. */
  lossy: boolean
  /** Meshes find single pixels in it: it cannot be resized. */
  fixedSize?: boolean
  render(): Promise<Pixels>
}

/** An image of the model, its bytes as they are in the file; undefined when it has none that can be reached. */
export type StoredImage = { name: string; bytes: Uint8Array | undefined }
export type SourceImage = StoredImage | GeneratedImage

/** An image and how a surface samples it: at a TEXCOORD set, or where the corners of triangles find their colours. */
export type TextureRef = {
  image: SourceImage
  texCoord: number | 'colors'
  transform?: UvTransform
  wrapS: Wrap
  wrapT: Wrap
}

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
  /** KHR_materials_unlit: the base colour is what is seen, whatever the light. */
  unlit: boolean
  /** Where it is seen with vertex colours that are not worked into its texture. */
  vertexColors?: boolean
  /** Linear light added to the base colour, after its texture. */
  addedColor: Color
  /** KHR_materials_specular: how strongly what is no metal reflects, and in which colour (both beside a texture). */
  specular?: { strength: number; color: Color; texture?: TextureRef; colorTexture?: TextureRef }
  /** KHR_materials_transmission: how much light passes, with a texture in r. */
  transmission?: { factor: number; texture?: TextureRef }
  /** The base colour is a diffuse one, and this, in linear r g b and alpha, stands for metallic and roughness. */
  specularGlossiness?: { specular: Color; glossiness: number; texture?: TextureRef }
}

/** Gives each primitive its material, and the one it has in each look of the model when looks change it. */
export type MaterialSource = {
  get(primitive: Primitive): Material
  variants(primitive: Primitive): { looks?: readonly Material[] }
}
