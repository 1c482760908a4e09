import { tint } from '../../textures/images/pixel-edits.ts'
import type { UsableImage } from '../../textures/images/usable-image.ts'
import type { MaterialPlan } from './material-writer.ts'
import type { TextureInput } from './shader-inputs.ts'
import { type ChannelSource, channelOf } from './texture-store.ts'

type Color = [number, number, number]
type Alpha = 'OPAQUE' | 'MASK' | 'BLEND'

/** Writes base colour and opacity, which share a texture in glTF. */
export async function writeBaseColor(plan: MaterialPlan): Promise<void> {
  const { material } = plan
  const threshold = plan.constant('opacityThreshold')?.[0] ?? 0
  const opacity = plan.input('opacity')
  const constant = opacity?.kind === 'value' ? (opacity.value[0] ?? 1) : 1
  const isClear = opacity !== undefined && (opacity.kind !== 'value' || constant < 1)
  const mode: Alpha = threshold > 0 ? 'MASK' : isClear ? 'BLEND' : 'OPAQUE'
  material.setAlphaMode(mode)
  // A cut-off above 1 hides all, as does one of 1 with an opacity below it.
  if (mode === 'MASK') material.setAlphaCutoff(threshold)
  plan.readsOpacities = opacity?.kind === 'primvar' && opacity.name === 'displayOpacity'
  if (opacity?.kind === 'primvar' && !plan.readsOpacities) {
    plan.notes.leftOut('opacity_primvar', 'Opacity by values of meshes other than displayOpacity is left out.')
  }

  const diffuse = plan.input('diffuseColor')
  const color = diffuse?.kind === 'texture' ? diffuse.texture : undefined
  const cut = mode !== 'OPAQUE' && opacity?.kind === 'texture' ? opacity.texture : undefined
  if (cut) noteDataSpace(plan, cut)
  const plainColor = constantColor(plan)
  const [image, cutImage] = [color && (await plan.store.image(color.file)), cut && (await plan.store.image(cut.file))]
  if (image && color) return await writeTexture(plan, { color, image, cut, cutImage, constant })
  const alpha = cutImage || !cut ? constant : fallbackOf(cut)
  material.setBaseColorFactor([...plainColor, clamp(alpha)])
  if (cut && cutImage) {
    // A texture of opacity alone is white.
    const source = channelOf(cut, cutImage)
    setTexture(
      plan,
      await plan.store.packed(`${cutImage.name}_opacity`, [undefined, undefined, undefined, source]),
      cut,
    )
  }
}

/** The value of a channel without its image. */
export const fallbackOf = ({ channel, fallback }: TextureInput): number =>
  fallback[Math.max(0, 'rgba'.indexOf(channel))]!

/** The colour without a texture: that of the input, of its missing image, or white where meshes have colours. */
function constantColor(plan: MaterialPlan): Color {
  const diffuse = plan.input('diffuseColor')
  if (diffuse?.kind === 'primvar') {
    plan.colors = { name: diffuse.name, fallback: diffuse.fallback ?? [0, 0, 0] }
    return [1, 1, 1]
  }
  const value =
    diffuse?.kind === 'texture' ? diffuse.texture.fallback : diffuse?.kind === 'value' ? diffuse.value : undefined
  const [r = 0.18, g = r, b = r] = value ?? []
  return [clamp(r), clamp(g), clamp(b)]
}

type Textured = {
  color: TextureInput
  image: UsableImage
  cut: TextureInput | undefined
  cutImage: UsableImage | undefined
  constant: number
}

async function writeTexture(plan: MaterialPlan, { color, image, cut, cutImage, constant }: Textured): Promise<void> {
  const { material, store, notes } = plan
  noteColorSpace(plan, color)
  const [r, g, b] = color.scale as Color
  const isInOne =
    cut !== undefined && cutImage?.hash === image.hash && cut.channel === 'a' && isSampledAlike(color, cut)
  const isFactor = [r, g, b].every((value) => value >= 0 && value <= 1) && color.bias.slice(0, 3).every((v) => v === 0)
  if (color.channel !== 'rgb') notes.changed('texture_channel', 'Base colours from a single channel show all channels.')
  const edit = isFactor ? undefined : tint([r, g, b], 1, [color.bias[0]!, color.bias[1]!, color.bias[2]!])
  const factor: Color = isFactor ? [r, g, b] : [1, 1, 1]

  if (isInOne && cut.bias[3] === 0 && cut.scale[3]! <= 1) {
    material.setBaseColorFactor([...factor, clamp(cut.scale[3]!)])
    return setTexture(plan, await store.texture(image, edit), color)
  }
  if (!cut || !cutImage) {
    material.setBaseColorFactor([...factor, clamp(cut ? fallbackOf(cut) : constant)])
    return setTexture(plan, await store.texture(image, edit, material.getAlphaMode() !== 'OPAQUE'), color)
  }
  if (!isSampledAlike(color, cut)) {
    notes.changed('opacity_sampling', 'Opacity textures are sampled like the base colour.')
  }
  if (edit)
    notes.changed('texture_scale', 'Scales above 1 and biases of base colours with an opacity texture are left out.')
  material.setBaseColorFactor([...factor, 1])
  const rgb = [0, 1, 2].map((channel): ChannelSource => ({ image, channel, scale: 1, bias: 0 }))
  setTexture(plan, await store.packed(image.name, [...rgb, channelOf(cut, cutImage)]), color)
}

function setTexture(
  plan: MaterialPlan,
  texture: Awaited<ReturnType<MaterialPlan['store']['texture']>>,
  as: TextureInput,
) {
  if (!texture) return
  plan.material.setBaseColorTexture(texture)
  plan.sample(plan.material.getBaseColorTextureInfo(), as)
}

/** Whether two textures read the same pixels of images with the same layout. */
export const isSampledAlike = (a: TextureInput, b: TextureInput): boolean =>
  a.primvar === b.primvar &&
  a.wrapS === b.wrapS &&
  a.wrapT === b.wrapT &&
  JSON.stringify(a.transform) === JSON.stringify(b.transform)

/** Colours are sRGB in glTF. */
export function noteColorSpace({ notes }: MaterialPlan, { colorSpace }: TextureInput): void {
  if (colorSpace === 'raw') notes.changed('color_space', 'Linear colour textures are shown as sRGB.')
}

/** Values other than colours are linear in glTF, and alpha everywhere. */
export function noteDataSpace({ notes }: MaterialPlan, { colorSpace, channel }: TextureInput): void {
  if (colorSpace === 'sRGB' && channel !== 'a') {
    notes.changed('color_space', 'Textures of values that are declared as sRGB are shown as linear.')
  }
}

export const clamp = (value: number) => Math.min(1, Math.max(0, value))
