import type { Primitive } from '@gltf-transform/core'
import type { Origin } from '../origin.ts'

export type Color = readonly [number, number, number]
export type Wrap = 'repeat' | 'mirror' | 'clamp'

/** KHR_texture_transform: uv' = offset + rotation · scale · uv, with the angle in radians. */
export type UvTransform = { offset: readonly [number, number]; rotation: number; scale: readonly [number, number] }

/** Pixels in rows from the top, 8 bits per channel: grey, RGB or RGBA. */
export type Pixels = { data: Uint8Array; width: number; height: number; channels: 1 | 3 | 4 }

/** An image computed on demand. Equal keys mean equal pixels. */
export type GeneratedImage = {
  name: string
  key: string
  width: number
  height: number
  alpha: boolean
  /** Lossy compression is acceptable: its source was compressed that way. */
  lossy: boolean
  /** Meshes address single pixels, so the image must not be resized. */
  fixedSize?: boolean
  render(): Promise<Pixels>
}

/**
 * An image of the model, as stored in the file; `bytes` is undefined when they are not available. `fallback` is shown if
 * it cannot be read.
 */
export type StoredImage = { name: string; bytes: Uint8Array | undefined; fallback?: StoredImage }
export type SourceImage = StoredImage | GeneratedImage

/** An image and how a surface samples it: by a TEXCOORD set, or by the coordinates of baked vertex colours. */
export type TextureRef = {
  image: SourceImage
  texCoord: number | 'colors'
  transform?: UvTransform
  wrapS: Wrap
  wrapT: Wrap
}

/** The signs, 1 or -1, of x and y of a normal map. */
export type NormalSigns = readonly [number, number]

/** A normal map with its strength, and the signs of its x and y. */
export type NormalMap = { texture: TextureRef; scale: number; signs?: NormalSigns }

/**
 * KHR_materials_volume: the colour of light after the attenuation distance, the thickness in such distances, and the
 * share of light that passes. A texture scales the thickness by g.
 */
export type Attenuation = { color: Color; depth: number; share: number; texture?: TextureRef }

/**
 * What a part needs of its material because of its geometry or its node: `scale` is the mean scale of the node, `tint`
 * the linear colour of an instance.
 */
export type Adaptation = { normalSigns?: NormalSigns | undefined; scale?: number; tint?: Color | undefined }

/** A metallic-roughness material. A factor multiplies the values sampled from its texture. */
export type Material = {
  name: string
  origin?: Origin
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
  normalSigns?: NormalSigns
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
  /** Present where a shader reads it. */
  clearcoatNormal?: NormalMap
  ior?: number
  /** KHR_materials_unlit: the base colour is shown regardless of lighting. */
  unlit: boolean
  /** Whether meshes supply vertex colours that are not baked into its texture. */
  vertexColors?: boolean
  /** A linear colour added to the base colour after its texture. */
  addedColor: Color
  /** KHR_materials_specular: strength and colour of dielectric reflection, both with optional textures. */
  specular?: { strength: number; color: Color; texture?: TextureRef; colorTexture?: TextureRef }
  /**
   * KHR_materials_transmission: the transmitted share, with an optional texture in r. `tint` is the mean tint of the
   * base colour texture by the volume behind it. `cutsAlpha`: alpha is cut at the cutoff before.
   */
  transmission?: { factor: number; texture?: TextureRef; tint?: Color; cutsAlpha?: boolean }
  /** The tint of a volume that is not in the base colour. */
  attenuation?: Attenuation
  /**
   * Specular-glossiness values (linear RGB and alpha) that replace metallic and roughness; the base colour is then
   * diffuse.
   */
  specularGlossiness?: { specular: Color; glossiness: number; texture?: TextureRef }
}

/** Returns the default and variant materials of a primitive, and adapts them to a part. */
export type MaterialSource = {
  adapt(material: Material, needs: Adaptation): Material
  get(primitive: Primitive): Material
  variants(primitive: Primitive): { variants?: readonly Material[] }
}
