import type { Material as GltfMaterial, Primitive, Texture, TextureInfo } from '@gltf-transform/core'
import type { Clearcoat, EmissiveStrength, IOR, Transform } from '@gltf-transform/extensions'
import type { Model } from '../../read/read-glb.ts'
import type { Notes } from '../../report.ts'
import { originOf } from '../origin.ts'
import { uniqueNames } from '../prim-names.ts'
import { materialAdapter } from './adapted-materials.ts'
import type { Material, MaterialSource, StoredImage, TextureRef, UvTransform, Wrap } from './material.ts'
import { applyExtensions } from './material-extensions.ts'
import type { MaterialVariants } from './material-variants.ts'
import { applyShadingModel, type Shaders } from './shading-models.ts'

/** The material of primitives without one (glTF 2.0 §3.7.2.1). */
const defaultMaterial: Omit<Material, 'name'> = {
  doubleSided: false,
  alpha: 'opaque',
  alphaCutoff: 0.5,
  baseColor: [1, 1, 1],
  opacity: 1,
  metallic: 1,
  roughness: 1,
  normalScale: 1,
  occlusionStrength: 1,
  emissive: [0, 0, 0],
  clearcoat: 0,
  clearcoatRoughness: 0,
  unlit: false,
  addedColor: [0, 0, 0],
}

/**
 * Reads materials on demand, each once. A primitive without a material gets the default one.
 * @param shaders `realitykit` if the materials are also written for RealityKit, which shows more of them.
 */
export function materialSource(
  model: Model,
  variants: MaterialVariants,
  notes: Notes,
  shaders: Shaders = 'preview',
): MaterialSource {
  const uniqueName = uniqueNames()
  const read = new Map<GltfMaterial | null, Material>()
  const images = imageSource(model)
  const materialOf = (source: GltfMaterial | null): Material => {
    let material = read.get(source)
    if (!material) {
      const name = uniqueName(source ? source.getName() : 'Default', 'Material')
      material = source ? readMaterial(source, name, images, notes, shaders) : { name, ...defaultMaterial }
      read.set(source, material)
    }
    return material
  }
  return {
    adapt: materialAdapter(uniqueName, notes),
    get: (primitive: Primitive) => materialOf(primitive.getMaterial()),
    variants(primitive: Primitive) {
      const materials = variants.materialsOf(primitive)
      return materials ? { variants: materials.map((source) => materialOf(source ?? primitive.getMaterial())) } : {}
    },
  }
}

function readMaterial(
  source: GltfMaterial,
  name: string,
  images: ImageSource,
  notes: Notes,
  shaders: Shaders,
): Material {
  const ref = (texture: Texture | null, info: TextureInfo | null) => {
    if (texture && info?.getMagFilter() === nearest) {
      notes.changed('texture_filter', 'Textures with nearest-neighbour filtering are smoothed: USD has no equivalent.')
    }
    return textureRef(texture, info, images)
  }
  const [r, g, b] = source.getBaseColorFactor()
  const { opacity, cutoff } = transparency(source)
  const strength = source.getExtension<EmissiveStrength>('KHR_materials_emissive_strength')?.getEmissiveStrength() ?? 1
  const [er, eg, eb] = source.getEmissiveFactor()
  const ior = source.getExtension<IOR>('KHR_materials_ior')?.getIOR()
  const coat = source.getExtension<Clearcoat>('KHR_materials_clearcoat')
  const readsCoatNormal = shaders === 'realitykit' && !source.getExtension('KHR_materials_unlit')
  if (coat?.getClearcoatNormalTexture() && readsCoatNormal) {
    notes.changed('clearcoat_normal', 'Normal maps of clear coats are left out, except in MaterialX.')
  } else if (coat?.getClearcoatNormalTexture()) {
    notes.leftOut('clearcoat_normal', 'Normal maps of clear coats are left out.')
  }
  const coatNormal =
    coat && readsCoatNormal && ref(coat.getClearcoatNormalTexture(), coat.getClearcoatNormalTextureInfo())

  const origin = originOf(source, notes)
  const material: Material = {
    name,
    ...(origin && { origin }),
    doubleSided: source.getDoubleSided(),
    alpha: alphaMode(source),
    alphaCutoff: cutoff,
    baseColor: [r, g, b],
    opacity,
    metallic: source.getMetallicFactor(),
    roughness: source.getRoughnessFactor(),
    normalScale: source.getNormalScale(),
    occlusionStrength: source.getOcclusionStrength(),
    emissive: [er * strength, eg * strength, eb * strength],
    clearcoat: coat?.getClearcoatFactor() ?? 0,
    clearcoatRoughness: coat?.getClearcoatRoughnessFactor() ?? 0,
    ...given('baseColorTexture', ref(source.getBaseColorTexture(), source.getBaseColorTextureInfo())),
    ...given(
      'metallicRoughnessTexture',
      ref(source.getMetallicRoughnessTexture(), source.getMetallicRoughnessTextureInfo()),
    ),
    ...given('normalTexture', ref(source.getNormalTexture(), source.getNormalTextureInfo())),
    ...given('occlusionTexture', ref(source.getOcclusionTexture(), source.getOcclusionTextureInfo())),
    ...given('emissiveTexture', ref(source.getEmissiveTexture(), source.getEmissiveTextureInfo())),
    ...(coat && given('clearcoatTexture', ref(coat.getClearcoatTexture(), coat.getClearcoatTextureInfo()))),
    ...(coat &&
      given(
        'clearcoatRoughnessTexture',
        ref(coat.getClearcoatRoughnessTexture(), coat.getClearcoatRoughnessTextureInfo()),
      )),
    ...(coatNormal && { clearcoatNormal: { texture: coatNormal, scale: coat.getClearcoatNormalScale() } }),
    // In KHR_materials_ior, 0 disables refraction, which a preview surface cannot express.
    ...(ior && { ior }),
    unlit: false,
    addedColor: [0, 0, 0],
  }
  const replaced = applyShadingModel(material, source, ref, notes, shaders)
  return replaced.unlit ? replaced : applyExtensions(replaced, source, ref, notes)
}

const given = <K extends string>(key: K, ref: TextureRef | undefined) =>
  (ref ? { [key]: ref } : {}) as { [key in K]?: TextureRef }

/**
 * Opacity and cutoff of a material. A cutoff applies to texture and factor together: it is divided by the factor, so
 * that a texture is kept as it is, and rounded alpha does not move to the other side of the cutoff.
 */
function transparency(source: GltfMaterial): { opacity: number; cutoff: number } {
  const [factor, cutoff] = [source.getAlpha(), source.getAlphaCutoff()]
  if (alphaMode(source) !== 'mask') return { opacity: factor, cutoff }
  return factor < cutoff ? { opacity: 0, cutoff: Math.min(1, cutoff) } : { opacity: 1, cutoff: cutoff / factor }
}

function alphaMode(source: GltfMaterial): Material['alpha'] {
  if (source.getAlphaMode() === 'BLEND') return 'blend'
  // A cutoff of 0 keeps every pixel.
  return source.getAlphaMode() === 'MASK' && source.getAlphaCutoff() > 0 ? 'mask' : 'opaque'
}

type ImageSource = (texture: Texture) => StoredImage

/** Returns the image of a texture, the same for each use, with the one that replaces it. */
function imageSource({ document, fallbacks }: Model): ImageSource {
  const images = new Map<Texture, StoredImage>()
  const textures = document.getRoot().listTextures()
  const imageOf = (texture: Texture): StoredImage => ({
    name: texture.getName() || texture.getURI(),
    bytes: texture.getImage() ?? undefined,
  })
  const replacements = new Map([...fallbacks].map(([image, other]) => [textures[image]!, textures[other]!]))
  return (texture) => {
    const replacement = replacements.get(texture)
    const image = images.get(texture) ?? {
      ...imageOf(texture),
      ...(replacement && { fallback: imageOf(replacement) }),
    }
    images.set(texture, image)
    return image
  }
}

function textureRef(texture: Texture | null, info: TextureInfo | null, images: ImageSource): TextureRef | undefined {
  if (!texture || !info) return undefined
  const image = images(texture)
  const moved = info.getExtension<Transform>('KHR_texture_transform')
  const transform = moved && uvTransform(moved)
  return {
    image,
    texCoord: moved?.getTexCoord() ?? info.getTexCoord(),
    wrapS: wrap(info.getWrapS()),
    wrapT: wrap(info.getWrapT()),
    ...(transform && { transform }),
  }
}

function uvTransform(moved: Transform): UvTransform | undefined {
  const [ox, oy] = moved.getOffset()
  const [sx, sy] = moved.getScale()
  const rotation = moved.getRotation()
  const still = ox === 0 && oy === 0 && sx === 1 && sy === 1 && rotation === 0
  return still ? undefined : { offset: [ox, oy], rotation, scale: [sx, sy] }
}

/** The sampler constants of WebGL. */
const nearest = 9728
const wrap = (mode: number): Wrap => (mode === 33071 ? 'clamp' : mode === 33648 ? 'mirror' : 'repeat')
