import type { Color, Material, NormalMap } from '../../scene/materials/material.ts'
import type { Sampler } from '../../usd/surface.ts'
import { scaleChannels, scaleNormals, weakenOcclusion } from '../images/pixel-edits.ts'
import type { SurfacePlan, TextureChange } from './plan-surface.ts'

const times = (factors: readonly number[]): TextureChange | undefined =>
  factors.every((factor) => factor === 1) ? undefined : { edit: scaleChannels(factors), scale: factors }

/** Plans roughness (g) and metallic (b) of one texture. With a factor of 0 the texture has no effect. */
export async function planMetallicRoughness(material: Material, plan: SurfacePlan): Promise<void> {
  const { metallic, roughness, metallicRoughnessTexture: texture } = material
  // A shared file is changed by both factors, a separate one only by its own.
  const bakes = plan.profile !== 'spec'
  const both = times([1, roughness || 1, metallic || 1, 1])
  const rough = bakes ? times([1, roughness, 1, 1]) : both
  if (!roughness || !(await plan.channel('roughness', texture, 'g', rough))) plan.constant('roughness', roughness)
  const metal = bakes ? times([1, 1, metallic, 1]) : both
  if (!metallic || !(await plan.channel('metallic', texture, 'b', metal))) plan.constant('metallic', metallic)
}

export async function planNormal(material: Material, plan: SurfacePlan): Promise<void> {
  const { normalTexture: texture, normalScale: scale, normalSigns: signs } = material
  const sampler = await planNormalMap(texture && { texture, scale, ...(signs && { signs }) }, plan)
  if (sampler) plan.sampled('normal', sampler, 'rgb')
}

/** Above it, viewers that filter unit vectors show visibly other slopes between pixels than glTF, which scales later. */
const STEEP_NORMAL_SCALE = 4

/** Adds a normal map to the package. */
export async function planNormalMap(map: NormalMap | undefined, plan: SurfacePlan): Promise<Sampler | undefined> {
  if (!map) return undefined
  const { texture, scale: normalScale, signs = [1, 1] } = map
  const unpack = { scale: [2, 2, 2, 1], bias: [-1, -1, -1, 0] }
  const [x, y] = signs.map((sign) => sign * normalScale) as [number, number]
  if (Math.abs(normalScale) > STEEP_NORMAL_SCALE && plan.profile !== 'spec') {
    plan.notes.changed(
      'normal_scale',
      'Normal maps with a scale above 4 are stored as unit vectors, which are smoother.',
    )
  }
  const scaled = { scale: [2 * x, 2 * y, 2, 1], bias: [-x, -y, -1, 0] }
  const change = x === 1 && y === 1 ? undefined : { edit: scaleNormals(x, y), ...scaled }
  return plan.sampler(texture, { colorSpace: 'raw', change, always: unpack, isNormalMap: true })
}

export async function planOcclusion(material: Material, plan: SurfacePlan): Promise<void> {
  // A black metal still reflects an environment at grazing angles; light that does not reach it does not.
  if (material.unlit) return plan.constant('occlusion', 0)
  const { occlusionTexture: texture, occlusionStrength: strength } = material
  if (strength === 0) return
  const shaded = { scale: [strength, 1, 1, 1], bias: [1 - strength, 0, 0, 0] }
  const change = strength === 1 ? undefined : { edit: weakenOcclusion(strength), ...shaded }
  const isShared = texture?.image === material.metallicRoughnessTexture?.image
  await plan.channel('occlusion', texture, 'r', change, isShared)
}

export async function planClearcoat(material: Material, plan: SurfacePlan): Promise<void> {
  const { clearcoat, clearcoatRoughness, clearcoatTexture: coat, clearcoatRoughnessTexture: rough } = material
  if (clearcoat === 0) return
  const isShared = coat?.image === rough?.image
  const strength = times([clearcoat, 1, 1, 1])
  if (!(await plan.channel('clearcoat', coat, 'r', strength, isShared))) plan.constant('clearcoat', clearcoat)
  const change = times([1, clearcoatRoughness, 1, 1])
  if (!clearcoatRoughness || !(await plan.channel('clearcoatRoughness', rough, 'g', change))) {
    plan.constant('clearcoatRoughness', clearcoatRoughness)
  }
}

/**
 * Plans reflectance at normal incidence: a specular colour for dielectrics (`spec` only: Apple's viewers do not support
 * the specular workflow), else the index of refraction with the same luminance.
 */
export async function planSpecular(material: Material, plan: SurfacePlan): Promise<void> {
  const { specular, ior, metallic } = material
  const plain = reflectance(ior ?? 1.5)
  if (!specular) {
    if (ior !== undefined) plan.constant('ior', ior)
    return
  }
  const { strength, color, texture, colorTexture } = specular
  const straight = color.map((value) => Math.min(1, plain * value) * strength) as unknown as Color
  if (texture) plan.notes.leftOut('specular_texture', 'Specular strength textures are left out.')
  if (plan.profile === 'spec' && metallic === 0) {
    plan.constant('useSpecularWorkflow', 1)
    const scale = [...color.map((value) => plain * value * strength), 1]
    const change = { edit: scaleChannels(scale), scale }
    const sampler = await plan.sampler(colorTexture, { colorSpace: 'sRGB', change })
    if (sampler) plan.sampled('specularColor', sampler, 'rgb')
    else plan.constant('specularColor', straight)
  } else {
    if (colorTexture) plan.notes.leftOut('specular_texture', 'Specular colour textures are left out.')
    const [r, g, b] = straight
    plan.constant('ior', indexOf(0.2126 * r + 0.7152 * g + 0.0722 * b))
  }
}

/** Fresnel reflectance at normal incidence for an index of refraction, and the inverse. */
export const reflectance = (index: number) => ((index - 1) / (index + 1)) ** 2
const indexOf = (share: number) => {
  const root = Math.sqrt(Math.min(share, 0.9))
  return (1 + root) / (1 - root)
}
