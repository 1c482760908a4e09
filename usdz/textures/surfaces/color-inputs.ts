import type { Notes } from '../../report.ts'
import type { Color, Material } from '../../scene/materials/material.ts'
import { alphaCutoff } from '../images/alpha-cutoff.ts'
import { composeEdits, metalToOpacity, type PixelEdit, tint, transmissionToOpacity } from '../images/pixel-edits.ts'
import type { SurfacePlan, TextureChange } from './plan-surface.ts'

const black: Color = [0, 0, 0]
const isAll = (color: Color, wanted: number) => color.every((value) => value === wanted)

/** Plans base colour and opacity, which share a texture. */
export async function planBaseColor(material: Material, plan: SurfacePlan): Promise<void> {
  const { baseColorTexture: texture, alpha, addedColor: added, opacity: ownOpacity } = material
  const color = material.unlit ? black : material.baseColor
  const seesThrough = alpha !== 'opaque'
  const image = texture && (await plan.files.inspect(texture.image))
  // A surface with texture alpha is rendered as transparent, which is slower and may sort incorrectly.
  const sampledAlpha =
    seesThrough &&
    ownOpacity > 0 &&
    image?.header.alpha === true &&
    (alpha === 'mask' || (await plan.files.isSeenThrough(image)))
  const kept = 1 - (material.transmission?.texture ? 0 : transparencyOf(material))
  const cutsGlass = material.transmission?.cutsAlpha === true
  const opacity = cutsGlass && !sampledAlpha ? Number(ownOpacity >= material.alphaCutoff) * kept : ownOpacity * kept
  const factor = sampledAlpha ? opacity : 1
  const needed = !isAll(color, 0) || sampledAlpha
  const isPlain = isAll(color, 1) && isAll(added, 0) && factor === 1
  const bias = isAll(added, 0) ? {} : { bias: [...added, 0] }
  const change: TextureChange | undefined = isPlain
    ? undefined
    : { edit: tint(color, factor, added), scale: [...color, factor], ...bias }
  const use = {
    colorSpace: 'sRGB',
    change,
    edit: sampledAlpha ? cutting(material, color, kept, change, plan.notes) : undefined,
    readsAlpha: sampledAlpha,
  } as const
  const sampler = needed ? await plan.sampler(texture, use) : undefined

  if (sampler && !isAll(color, 0)) plan.sampled('diffuseColor', sampler, 'rgb')
  else if (material.vertexColors && !material.unlit) plan.perVertex('diffuseColor', 'displayColor', color)
  else plan.constant('diffuseColor', color.map((value, i) => value + added[i]!) as unknown as Color)
  if (!seesThrough) return
  if (sampler && sampledAlpha) {
    plan.sampled('opacity', sampler, 'a')
    if (cutsGlass && plan.profile === 'spec') {
      plan.notes.changed('transmission_edges', 'Cut-outs in transmissive surfaces have soft edges.')
    }
  } else if (material.vertexColors) plan.perVertex('opacity', 'displayOpacity', opacity)
  else if (!(await planTransmission(material, plan))) plan.constant('opacity', constantOpacity(material, opacity, plan))
  if (alpha === 'mask') plan.constant('opacityThreshold', material.alphaCutoff)
}

/** Returns the edit that cuts alpha at the cutoff; transmission is applied to what remains. */
function cutting(
  { alpha, alphaCutoff: cutoff, transmission, opacity, addedColor }: Material,
  color: Color,
  kept: number,
  change: TextureChange | undefined,
  notes: Notes,
): PixelEdit | undefined {
  const noteHoles = () =>
    notes.changed('alpha_cutoff', 'Cut-outs whose hidden pixels are half opaque have larger holes from afar.')
  if (alpha === 'mask') return composeEdits([change?.edit, alphaCutoff(cutoff, noteHoles)])
  if (!transmission?.cutsAlpha) return undefined
  return composeEdits([tint(color, opacity, addedColor), alphaCutoff(cutoff), tint([1, 1, 1], kept)])
}

const constantOpacity = ({ alpha, alphaCutoff }: Material, opacity: number, { profile }: SurfacePlan) =>
  alpha === 'mask' && profile !== 'spec' ? Number(opacity >= alphaCutoff) : opacity

/**
 * Returns how much transmission reduces opacity. Clear glass remains slightly visible. Coloured glass can only be shown
 * by its own colour: the darker it is, the more opaque. Metals transmit nothing; where a texture says what is metal,
 * that is decided by its pixels.
 */
function transparencyOf(material: Material): number {
  const { transmission, baseColor, metallic, metallicRoughnessTexture } = material
  if (!transmission) return 0
  const [r, g, b] = baseColor.map((value, i) => value * (transmission.tint?.[i] ?? 1)) as [number, number, number]
  const brightness = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return transmission.factor * (0.15 + 0.7 * brightness) * (metallicRoughnessTexture ? 1 : 1 - metallic)
}

/**
 * Plans opacity from a transmission texture, or from the metallic values of a texture.
 * @returns false when there is none that can be used.
 */
async function planTransmission(material: Material, plan: SurfacePlan): Promise<boolean> {
  const { transmission, opacity: whole, metallic, metallicRoughnessTexture, alphaCutoff: cutoff } = material
  if (!transmission) return false
  const opacity = transmission.cutsAlpha ? Number(whole >= cutoff) : whole
  const share = transparencyOf(material)
  if (transmission.texture) {
    const edit = transmissionToOpacity(opacity, share)
    const change = { edit, scale: [-opacity * share, 1, 1, 1], bias: [opacity, 0, 0, 0] }
    return await plan.channel('opacity', transmission.texture, 'r', change)
  }
  if (!metallicRoughnessTexture || metallic === 0) return false
  const edit = metalToOpacity(opacity, share, metallic)
  const change = {
    edit,
    scale: [1, 1, opacity * share * metallic, 1],
    bias: [0, 0, opacity * (1 - share), 0],
  }
  return await plan.channel('opacity', metallicRoughnessTexture, 'b', change)
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
  if (plan.profile !== 'spec' && emissive.some((value) => value > 1)) {
    const message =
      plan.profile === 'realitykit'
        ? 'Emission from textures is clamped to 1, except in MaterialX.'
        : 'Emission from textures is clamped to 1.'
    plan.notes.changed('emissive_strength', message)
  }
}
