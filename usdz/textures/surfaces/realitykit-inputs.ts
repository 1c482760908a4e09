import type { Material } from '../../scene/materials/material.ts'
import type { RealityKitSurface, SurfaceInput } from '../../usd/surface.ts'
import { tint } from '../images/pixel-edits.ts'
import type { SurfacePlan } from './plan-surface.ts'
import { planNormalMap, reflectance } from './reflection-inputs.ts'

type Inputs = RealityKitSurface['inputs']

/** The inputs of RealityKit's PBR surface, by those of UsdPreviewSurface. Source: Apple, "PBR Surface (RealityKit)". */
const pbrNames = new Map([
  ['diffuseColor', 'baseColor'],
  ['normal', 'normal'],
  ['roughness', 'roughness'],
  ['metallic', 'metallic'],
  ['occlusion', 'ambientOcclusion'],
  ['opacity', 'opacity'],
  ['opacityThreshold', 'opacityThreshold'],
  ['clearcoat', 'clearcoat'],
  ['clearcoatRoughness', 'clearcoatRoughness'],
])

/** Those of its unlit surface: the colour that the preview surface emits. */
const unlitNames = new Map([
  ['emissiveColor', 'color'],
  ['opacity', 'opacity'],
  ['opacityThreshold', 'opacityThreshold'],
])

/**
 * Converts a planned UsdPreviewSurface to the shader of RealityKit, and adds what only that can show: unlit surfaces,
 * the normal map of a clear coat, and emission above 1 from a texture. It has no inputs for sheen, transmission,
 * volume, iridescence, anisotropy and dispersion, which stay as they are approximated in the preview surface.
 */
export async function planRealityKit(
  material: Material,
  preview: readonly SurfaceInput[],
  plan: SurfacePlan,
): Promise<RealityKitSurface> {
  if (material.unlit) {
    const inputs = renamed(preview, unlitNames)
    const isBlack = !inputs.some(({ name }) => name === 'color')
    return { shader: 'unlit', inputs: [...inputs, ...(isBlack ? [black] : [])] }
  }
  const inputs = renamed(preview, pbrNames)
  const emission = (await strongEmission(material, plan)) ?? preview.find(({ name }) => name === 'emissiveColor')
  const { clearcoat, clearcoatNormal, normalSigns: signs } = material
  const isSeen = clearcoat > 0 && clearcoatNormal
  const coatNormal = isSeen && (await planNormalMap({ ...clearcoatNormal, ...(signs && { signs }) }, plan))
  const ior = preview.find(({ name }) => name === 'ior')
  return {
    shader: 'pbr',
    inputs: [
      ...inputs,
      ...(emission ? [emission] : []),
      ...(ior && 'value' in ior ? [specularOf(Number(ior.value))] : []),
      ...(coatNormal
        ? [{ name: 'clearcoatNormal', typeName: 'normal3f', sampler: coatNormal, channel: 'rgb' } as const]
        : []),
    ],
  }
}

const renamed = (inputs: readonly SurfaceInput[], names: ReadonlyMap<string, string>): Inputs =>
  inputs.flatMap((input) => {
    const name = names.get(input.name)
    return name ? [{ ...input, name }] : []
  })

const black: Inputs[number] = { name: 'color', typeName: 'color3f', value: [0, 0, 0] }

/** RealityKit's specular is the reflectance at normal incidence as a share of 0.08: 0.5 is an index of 1.5. */
const specularOf = (ior: number): Inputs[number] => ({
  name: 'specular',
  typeName: 'float',
  value: Math.min(1, reflectance(ior) / 0.08),
})

/** Returns emission above 1 from a texture: its pixels have the colour, a factor the strength. */
async function strongEmission(
  { emissive, emissiveTexture }: Material,
  plan: SurfacePlan,
): Promise<Inputs[number] | undefined> {
  const factor = Math.max(...emissive)
  if (factor <= 1) return undefined
  const scale = emissive.map((value) => value / factor) as [number, number, number]
  const isPlain = scale.every((value) => value === 1)
  const change = isPlain ? undefined : { edit: tint(scale, 1), scale: [...scale, 1] }
  const sampler = await plan.sampler(emissiveTexture, { colorSpace: 'sRGB', change })
  return sampler && { name: 'emissiveColor', typeName: 'color3f', sampler, channel: 'rgb', factor }
}
