import type { Profile } from '../../options/options.ts'
import type { Notes } from '../../report.ts'
import type { Color, Material, TextureRef } from '../../scene/materials/material.ts'
import type { Sampler, Surface, SurfaceInput } from '../../usd/surface.ts'
import type { PixelEdit } from '../images/pixel-edits.ts'
import type { ImageUse, TextureFiles } from '../texture-files.ts'
import { planBaseColor, planEmission } from './color-inputs.ts'
import { planRealityKit } from './realitykit-inputs.ts'
import { planClearcoat, planMetallicRoughness, planNormal, planOcclusion, planSpecular } from './reflection-inputs.ts'
import { planUvPrimvars } from './uv-primvars.ts'

/** A change of a texture's values: new pixels in `quicklook`, shader inputs in `spec`. */
export type TextureChange = { edit: PixelEdit; scale: readonly number[]; bias?: readonly number[] }

type TextureUse = Omit<ImageUse, 'edit'> & {
  change?: TextureChange | undefined
  /** An edit of pixels without a shader equivalent. */
  edit?: PixelEdit | undefined
  always?: Partial<Sampler>
}
type Channel = 'r' | 'g' | 'b'

/** Collects the inputs of a surface. */
export type SurfacePlan = {
  profile: Profile
  notes: Notes
  files: TextureFiles
  /** Adds the texture's image to the package; undefined without a usable texture. */
  sampler(ref: TextureRef | undefined, use: TextureUse): Promise<Sampler | undefined>
  /**
   * Adds an input from one channel of a data texture. Some viewers always read the first channel: for them
   * (`quicklook`) the channel gets a grey file, unless the image contains nothing else.
   */
  channel(
    name: string,
    ref: TextureRef | undefined,
    channel: Channel,
    change: TextureChange | undefined,
    isShared?: boolean,
  ): Promise<boolean>
  constant(name: string, value: number | Color): void
  sampled(name: string, sampler: Sampler, channel: 'rgb' | 'r' | 'g' | 'b' | 'a'): void
  /** Adds a vertex attribute as input; the fallback applies to meshes without it. */
  perVertex(name: string, primvar: 'displayColor' | 'displayOpacity', fallback: number | Color): void
}

/**
 * Converts a glTF material to UsdPreviewSurface and adds its textures to the package. Texture scales, which viewers
 * ignore, are baked into pixels for `quicklook` and written as shader inputs for `spec`.
 */
export async function planSurface(
  material: Material,
  profile: Profile,
  files: TextureFiles,
  notes: Notes,
): Promise<Surface> {
  const uvs = planUvPrimvars(material, profile)
  const inputs: SurfaceInput[] = []
  const bakes = profile !== 'spec'
  const plan: SurfacePlan = {
    profile,
    notes,
    files,
    async sampler(ref, { change, edit, always, ...use }) {
      const usable = ref && (await files.inspect(ref.image))
      if (!usable) return undefined
      const file = files.file(usable, { ...use, edit: bakes ? (edit ?? change?.edit) : undefined })
      const shaded = !bakes && change ? { scale: change.scale, ...(change.bias && { bias: change.bias }) } : {}
      const { colorSpace } = use
      return { file, colorSpace, wrapS: ref.wrapS, wrapT: ref.wrapT, ...uvs.use(ref), ...always, ...shaded }
    },
    async channel(name, ref, channel, change, isShared = false) {
      const ownFile = bakes && (channel !== 'r' || change || isShared)
      const alone = ownFile
        ? { channel: channelIndex[channel], suffix: name.replace(/[A-Z]/g, '_$&').toLowerCase() }
        : {}
      const sampler = await plan.sampler(ref, { colorSpace: 'raw', change, ...alone })
      if (sampler) plan.sampled(name, sampler, ownFile ? 'r' : channel)
      return sampler !== undefined
    },
    constant: (name, value) => inputs.push({ name, typeName: typeName(name), value }),
    sampled: (name, sampler, channel) => inputs.push({ name, typeName: typeName(name), sampler, channel }),
    perVertex: (name, primvar, fallback) => inputs.push({ name, typeName: typeName(name), primvar, fallback }),
  }
  await planBaseColor(material, plan)
  await planMetallicRoughness(material, plan)
  await planNormal(material, plan)
  await planOcclusion(material, plan)
  await planEmission(material, plan)
  await planClearcoat(material, plan)
  await planSpecular(material, plan)
  const realityKit = profile === 'realitykit' ? await planRealityKit(material, inputs, plan) : undefined
  if (bakes && uvs.primvars().length > 1) {
    notes.changed(
      'uv_sets',
      'Textures of one material use different coordinates: viewers with support for one set misplace some.',
    )
  }
  const { name, origin } = material
  return { name, ...(origin && { origin }), inputs, ...(realityKit && { realityKit }), primvars: uvs.primvars() }
}

const channelIndex = { r: 0, g: 1, b: 2 } as const

const typeNames = new Map<string, SurfaceInput['typeName']>([
  ['diffuseColor', 'color3f'],
  ['emissiveColor', 'color3f'],
  ['specularColor', 'color3f'],
  ['normal', 'normal3f'],
  ['useSpecularWorkflow', 'int'],
])
const typeName = (name: string) => typeNames.get(name) ?? 'float'
