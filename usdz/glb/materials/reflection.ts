import type { Texture } from '@gltf-transform/core'
import { scaleNormals } from '../../textures/images/pixel-edits.ts'
import type { UsableImage } from '../../textures/images/usable-image.ts'
import { clamp, fallbackOf, isSampledAlike, noteDataSpace } from './base-color.ts'
import type { MaterialPlan } from './material-writer.ts'
import type { TextureInput } from './shader-inputs.ts'
import { channelOf } from './texture-store.ts'

/** Writes metallic, roughness, normal and occlusion. */
export async function writeReflection(plan: MaterialPlan): Promise<void> {
  await writeMetallicRoughness(plan)
  await writeNormal(plan)
  await writeOcclusion(plan)
}

type Sampled = { texture: TextureInput; image: UsableImage }

/** The texture of an input, if its image can be used. */
export async function sampledInput(plan: MaterialPlan, name: string): Promise<Sampled | undefined> {
  const texture = plan.texture(name)
  const image = texture && (await plan.store.image(texture.file))
  if (image && !/Color$/.test(name)) noteDataSpace(plan, texture)
  return image && { texture, image }
}

/** The value of an input without a usable texture. */
export function plainValue(plan: MaterialPlan, name: string, otherwise: number): number {
  const texture = plan.texture(name)
  return clamp((texture ? fallbackOf(texture) : plan.constant(name)?.[0]) ?? otherwise)
}

/** Whether a texture is the channel of an image, with a factor that glTF can have. */
const isPlain = ({ texture }: Sampled, channel: 'r' | 'g' | 'b'): boolean => {
  const index = 'rgb'.indexOf(channel)
  const [scale, bias] = [texture.scale[index]!, texture.bias[index]!]
  return texture.channel === channel && bias === 0 && scale >= 0 && scale <= 1
}

async function writeMetallicRoughness(plan: MaterialPlan): Promise<void> {
  const { material, store, notes } = plan
  const [rough, metal] = [await sampledInput(plan, 'roughness'), await sampledInput(plan, 'metallic')]
  const specular = plan.constant('useSpecularWorkflow')?.[0] === 1
  const [roughness, metallic] = [plainValue(plan, 'roughness', 0.5), specular ? 0 : plainValue(plan, 'metallic', 0)]
  material.setRoughnessFactor(roughness).setMetallicFactor(metallic)
  const sampledMetal = specular ? undefined : metal
  const either = rough ?? sampledMetal
  if (!either) return
  if (rough && sampledMetal && !isSampledAlike(rough.texture, sampledMetal.texture)) {
    notes.changed('metallic_sampling', 'Metallic textures are sampled like roughness.')
  }
  const isOneImage =
    (!rough || isPlain(rough, 'g')) &&
    (!sampledMetal || isPlain(sampledMetal, 'b')) &&
    (rough && sampledMetal ? rough.image.hash === sampledMetal.image.hash : rough ? metallic === 0 : roughness === 0)
  let texture: Texture | undefined
  if (isOneImage) {
    if (rough) material.setRoughnessFactor(rough.texture.scale[1]!)
    if (sampledMetal) material.setMetallicFactor(sampledMetal.texture.scale[2]!)
    texture = await store.texture(either.image)
  } else {
    if (rough) material.setRoughnessFactor(1)
    if (sampledMetal) material.setMetallicFactor(1)
    const sources = [rough, sampledMetal].map((each) => each && channelOf(each.texture, each.image))
    texture = await store.packed(`${either.image.name}_metallic_roughness`, [undefined, ...sources])
  }
  if (!texture) return
  material.setMetallicRoughnessTexture(texture)
  plan.sample(material.getMetallicRoughnessTextureInfo(), either.texture)
}

async function writeNormal(plan: MaterialPlan): Promise<void> {
  const { material } = plan
  const found = await sampledInput(plan, 'normal')
  if (!found) return
  const { texture, image } = found
  const { strength, edit } = normalScale(texture)
  const made = await plan.store.texture(image, edit)
  if (!made) return
  material.setNormalTexture(made).setNormalScale(strength)
  plan.sample(material.getNormalTextureInfo(), texture)
}

/** The strength of a normal map: glTF has the same for x and y, other signs and proportions are for the pixels. */
function normalScale({ scale }: TextureInput) {
  const [x, y, z] = [scale[0]! / 2, scale[1]! / 2, scale[2]! / 2]
  // Without a scale the values are those of the pixels, which stand for -1 to 1 all the same.
  if (scale.every((value) => value === 1) || z === 0 || x === 0) return { strength: 1 }
  const strength = x / z
  return y === x ? { strength } : { strength, edit: scaleNormals(1, y / x) }
}

async function writeOcclusion(plan: MaterialPlan): Promise<void> {
  const { material, store, notes } = plan
  const found = await sampledInput(plan, 'occlusion')
  if (!found) {
    if (plainValue(plan, 'occlusion', 1) < 1) notes.leftOut('occlusion', 'Occlusion without a texture is left out.')
    return
  }
  const { texture, image } = found
  const source = channelOf(texture, image)
  // Occlusion of a strength is 1 + strength * (value - 1).
  const isStrength = source.scale >= 0 && source.scale <= 1 && Math.abs(source.scale + source.bias - 1) < 1e-6
  const isRed = source.channel === 0
  const made =
    isRed && isStrength
      ? await store.texture(image)
      : await store.packed(`${image.name}_occlusion`, [isStrength ? { ...source, scale: 1, bias: 0 } : source])
  if (!made) return
  material.setOcclusionTexture(made).setOcclusionStrength(isStrength ? source.scale : 1)
  plan.sample(material.getOcclusionTextureInfo(), texture)
}
