import type { Profile } from '../options.ts'
import type { NoteBook } from '../report.ts'
import type { Color, Material, TextureRef } from '../scene/material.ts'
import type { Sampler, Surface, SurfaceInput } from '../usd/surface.ts'
import { type PixelEdit, scaleChannels, scaleNormals, tint, weakenOcclusion } from './pixel-edits.ts'
import type { TextureFiles } from './texture-files.ts'
import { uvPlan } from './uv-plan.ts'

/** How a texture's values change on their way to the surface: by new pixels in one profile, by the shader in the other. */
type Change = { edit: PixelEdit; scale: readonly number[]; bias?: readonly number[] }
type Use = {
  colorSpace: Sampler['colorSpace']
  change?: Change | undefined
  always?: Partial<Sampler>
  readsAlpha?: boolean
}
type Plan = {
  inputs: SurfaceInput[]
  /** A sampler of the texture, its image in the package; undefined when there is no texture that can be used. */
  sampler(ref: TextureRef | undefined, use: Use): Promise<Sampler | undefined>
  constant(name: string, value: number | Color): void
  sampled(name: string, sampler: Sampler, channel: 'rgb' | 'r' | 'g' | 'b' | 'a'): void
}

/**
 * Says a glTF material in UsdPreviewSurface's terms and puts its textures into the package. Where viewers ignore how a
 * texture is to be scaled (`quicklook`) the scaling is worked into its pixels, else it is left to the shader.
 */
export async function planSurface(
  material: Material,
  profile: Profile,
  files: TextureFiles,
  notes: NoteBook,
): Promise<Surface> {
  const uvs = uvPlan(material, profile)
  const inputs: SurfaceInput[] = []
  const typeNames = new Map([
    ['diffuseColor', 'color3f'],
    ['emissiveColor', 'color3f'],
    ['normal', 'normal3f'],
  ] as const)
  const typeName = (name: string) => typeNames.get(name as 'normal') ?? 'float'
  const plan: Plan = {
    inputs,
    async sampler(ref, { colorSpace, change, always, readsAlpha = false }) {
      const usable = ref && (await files.inspect(ref.image))
      if (!usable) return undefined
      const edit = profile === 'quicklook' ? change?.edit : undefined
      const file = await files.file(usable, { edit, colorSpace, readsAlpha })
      if (!file) return undefined
      const shaded =
        profile === 'spec' && change ? { scale: change.scale, ...(change.bias && { bias: change.bias }) } : {}
      return { file, colorSpace, wrapS: ref.wrapS, wrapT: ref.wrapT, ...uvs.use(ref), ...always, ...shaded }
    },
    constant: (name, value) => inputs.push({ name, typeName: typeName(name), value }),
    sampled: (name, sampler, channel) => inputs.push({ name, typeName: typeName(name), sampler, channel }),
  }
  await planBaseColor(material, plan, files)
  await planMetallicRoughness(material, plan)
  await planNormal(material, plan)
  await planOcclusion(material, plan)
  await planEmission(material, plan, profile, notes)
  await planClearcoat(material, plan)
  if (material.ior !== undefined) plan.constant('ior', material.ior)
  return { name: material.name, inputs, primvars: uvs.primvars() }
}

async function planBaseColor(material: Material, plan: Plan, files: TextureFiles): Promise<void> {
  const { baseColor, baseColorTexture: texture, alpha, opacity } = material
  const seesThrough = alpha !== 'opaque'
  const image = texture && (await files.inspect(texture.image))
  const sampledAlpha = seesThrough && image?.header.alpha === true
  const factor = sampledAlpha ? opacity : 1
  const isPlain = baseColor.every((value) => value === 1) && factor === 1
  const change = isPlain ? undefined : { edit: tint(baseColor, factor), scale: [...baseColor, factor] }
  const isBlack = baseColor.every((value) => value === 0)
  const needed = !isBlack || sampledAlpha
  const sampler = needed
    ? await plan.sampler(texture, { colorSpace: 'sRGB', change, readsAlpha: sampledAlpha })
    : undefined

  if (sampler && !isBlack) plan.sampled('diffuseColor', sampler, 'rgb')
  else plan.constant('diffuseColor', baseColor)
  if (!seesThrough) return
  if (sampler && sampledAlpha) plan.sampled('opacity', sampler, 'a')
  else plan.constant('opacity', opacity)
  if (alpha === 'mask') plan.constant('opacityThreshold', material.alphaCutoff)
}

async function planMetallicRoughness(material: Material, plan: Plan): Promise<void> {
  const { metallic, roughness, metallicRoughnessTexture: texture } = material
  // A factor of 0 makes the texture say nothing; the other factor alone decides whether pixels change.
  const factors = [1, roughness || 1, metallic || 1, 1]
  const isPlain = factors.every((factor) => factor === 1)
  const change = isPlain ? undefined : { edit: scaleChannels(factors), scale: factors }
  const sampler = metallic || roughness ? await plan.sampler(texture, { colorSpace: 'raw', change }) : undefined
  if (sampler && roughness) plan.sampled('roughness', sampler, 'g')
  else plan.constant('roughness', roughness)
  if (sampler && metallic) plan.sampled('metallic', sampler, 'b')
  else plan.constant('metallic', metallic)
}

async function planNormal({ normalTexture, normalScale }: Material, plan: Plan): Promise<void> {
  const unpack = { scale: [2, 2, 2, 1], bias: [-1, -1, -1, 0] }
  const scaled = { scale: [2 * normalScale, 2 * normalScale, 2, 1], bias: [-normalScale, -normalScale, -1, 0] }
  const change = normalScale === 1 ? undefined : { edit: scaleNormals(normalScale), ...scaled }
  const sampler = await plan.sampler(normalTexture, { colorSpace: 'raw', change, always: unpack })
  if (sampler) plan.sampled('normal', sampler, 'rgb')
}

async function planOcclusion({ occlusionTexture, occlusionStrength: strength }: Material, plan: Plan): Promise<void> {
  if (strength === 0) return
  const shaded = { scale: [strength, 1, 1, 1], bias: [1 - strength, 0, 0, 0] }
  const change = strength === 1 ? undefined : { edit: weakenOcclusion(strength), ...shaded }
  const sampler = await plan.sampler(occlusionTexture, { colorSpace: 'raw', change })
  if (sampler) plan.sampled('occlusion', sampler, 'r')
}

async function planEmission(material: Material, plan: Plan, profile: Profile, notes: NoteBook): Promise<void> {
  const { emissive, emissiveTexture } = material
  if (emissive.every((value) => value === 0)) return
  const isPlain = emissive.every((value) => value === 1)
  const change = isPlain ? undefined : { edit: tint(emissive, 1), scale: [...emissive, 1] }
  const sampler = await plan.sampler(emissiveTexture, { colorSpace: 'sRGB', change })
  if (!sampler) return plan.constant('emissiveColor', emissive)
  plan.sampled('emissiveColor', sampler, 'rgb')
  if (profile === 'quicklook' && emissive.some((value) => value > 1)) {
    notes.add('emissive_strength', 'Emission brighter than 1 is cut off where it comes from a texture.')
  }
}

async function planClearcoat(material: Material, plan: Plan): Promise<void> {
  const { clearcoat, clearcoatRoughness } = material
  if (clearcoat === 0) return
  const times = (factors: number[]) =>
    factors.every((factor) => factor === 1) ? undefined : { edit: scaleChannels(factors), scale: factors }
  const coat = await plan.sampler(material.clearcoatTexture, { colorSpace: 'raw', change: times([clearcoat, 1, 1, 1]) })
  if (coat) plan.sampled('clearcoat', coat, 'r')
  else plan.constant('clearcoat', clearcoat)
  const change = times([1, clearcoatRoughness, 1, 1])
  const rough = clearcoatRoughness
    ? await plan.sampler(material.clearcoatRoughnessTexture, { colorSpace: 'raw', change })
    : undefined
  if (rough) plan.sampled('clearcoatRoughness', rough, 'g')
  else plan.constant('clearcoatRoughness', clearcoatRoughness)
}
