import type { Color, Material } from '../../scene/materials/material.ts'
import { alphaCutoff } from '../images/alpha-cutoff.ts'
import { composeEdits, tint, transmissionToOpacity } from '../images/pixel-edits.ts'
import type { SurfacePlan, TextureChange } from './plan-surface.ts'

const black: Color = [0, 0, 0]
const isAll = (color: Color, wanted: number) => color.every((value) => value === wanted)

/** Plans base colour and opacity, which share a texture. */
export async function planBaseColor(material: Material, plan: SurfacePlan): Promise<void> {
  const { baseColorTexture: texture, alpha, addedColor: added } = material
  const color = material.unlit ? black : material.baseColor
  const seesThrough = alpha !== 'opaque'
  const image = texture && (await plan.files.inspect(texture.image))
  // A surface with texture alpha is rendered as transparent, which is slower and may sort incorrectly.
  const sampledAlpha =
    seesThrough && image?.header.alpha === true && (alpha === 'mask' || (await plan.files.isSeenThrough(image)))
  const opacity = material.opacity * (1 - (material.transmission?.texture ? 0 : transparencyOf(material)))
  const factor = sampledAlpha ? opacity : 1
  const needed = !isAll(color, 0) || sampledAlpha
  const isPlain = isAll(color, 1) && isAll(added, 0) && factor === 1
  const bias = isAll(added, 0) ? {} : { bias: [...added, 0] }
  const change: TextureChange | undefined = isPlain
    ? undefined
    : { edit: tint(color, factor, added), scale: [...color, factor], ...bias }
  const cut = alpha === 'mask' && sampledAlpha ? alphaCutoff(material.alphaCutoff) : undefined
  const edit = cut && composeEdits([change?.edit, cut])
  const use = { colorSpace: 'sRGB', change, edit, readsAlpha: sampledAlpha } as const
  const sampler = needed ? await plan.sampler(texture, use) : undefined

  if (sampler && !isAll(color, 0)) plan.sampled('diffuseColor', sampler, 'rgb')
  else if (material.vertexColors && !material.unlit) plan.perVertex('diffuseColor', 'displayColor', color)
  else plan.constant('diffuseColor', color.map((value, i) => value + added[i]!) as unknown as Color)
  if (!seesThrough) return
  if (sampler && sampledAlpha) plan.sampled('opacity', sampler, 'a')
  else if (material.vertexColors) plan.perVertex('opacity', 'displayOpacity', opacity)
  else if (!(await planTransmission(material, plan))) plan.constant('opacity', constantOpacity(material, opacity, plan))
  if (alpha === 'mask') plan.constant('opacityThreshold', material.alphaCutoff)
}

const constantOpacity = ({ alpha, alphaCutoff }: Material, opacity: number, { profile }: SurfacePlan) =>
  alpha === 'mask' && profile === 'quicklook' ? Number(opacity >= alphaCutoff) : opacity

/**
 * Returns how much transmission reduces opacity. Clear glass remains slightly visible. Coloured glass can only be shown
 * by its own colour: the darker it is, the more opaque.
 */
function transparencyOf({ transmission, baseColor: [r, g, b] }: Material): number {
  if (!transmission) return 0
  const brightness = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return transmission.factor * (0.15 + 0.7 * brightness)
}

/**
 * Plans opacity from a transmission texture.
 * @returns false when there is none that can be used.
 */
async function planTransmission(material: Material, plan: SurfacePlan): Promise<boolean> {
  const { transmission, opacity } = material
  if (!transmission?.texture) return false
  const share = transparencyOf(material)
  const change = {
    edit: transmissionToOpacity(opacity, share),
    scale: [-opacity * share, 1, 1, 1],
    bias: [opacity, 0, 0, 0],
  }
  return await plan.channel('opacity', transmission.texture, 'r', change)
}

/** Plans emission; an unlit material emits its base colour. */
export async function planEmission(material: Material, plan: SurfacePlan): Promise<void> {
  const emissive = material.unlit ? material.baseColor : material.emissive
  const texture = material.unlit ? material.baseColorTexture : material.emissiveTexture
  if (isAll(emissive, 0)) return
  const change = isAll(emissive, 1) ? undefined : { edit: tint(emissive, 1), scale: [...emissive, 1] }
  const sampler = await plan.sampler(texture, { colorSpace: 'sRGB', change })
  if (!sampler && material.unlit && material.vertexColors) {
    return plan.perVertex('emissiveColor', 'displayColor', emissive)
  }
  if (!sampler) return plan.constant('emissiveColor', emissive)
  plan.sampled('emissiveColor', sampler, 'rgb')
  if (plan.profile === 'quicklook' && emissive.some((value) => value > 1)) {
    plan.notes.changed('emissive_strength', 'Emission from textures is clamped to 1.')
  }
}
