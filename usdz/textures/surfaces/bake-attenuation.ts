import { tintOf } from '../../scene/materials/attenuation.ts'
import type {
  Attenuation,
  Color,
  GeneratedImage,
  Material,
  Pixels,
  TextureRef,
} from '../../scene/materials/material.ts'
import { decodeSrgb, srgbCode } from '../images/pixel-edits.ts'
import { decodePixels } from '../images/process-image.ts'
import type { UsableImage } from '../images/usable-image.ts'
import type { TextureFiles } from '../texture-files.ts'

/**
 * Bakes the tint of volumes with a thickness texture into the base colour, pixel by pixel. Where base colour and
 * thickness are mapped differently, the mean tint is used.
 */
export function attenuationBaker(files: TextureFiles) {
  const means = new Map<string, Promise<Color>>()
  return async (material: Material): Promise<Material> => {
    const { attenuation, ...rest } = material
    if (!attenuation?.texture) return material
    const thickness = await files.inspect(attenuation.texture.image)
    if (!thickness) return { ...rest, baseColor: times(rest.baseColor, tintOf(attenuation)) }
    const key = JSON.stringify([thickness.hash, attenuation.color, attenuation.depth, attenuation.share])
    const mean = means.get(key) ?? meanTint(thickness, attenuation)
    means.set(key, mean)
    const tint = await mean
    const { baseColorTexture: ref, transmission } = rest
    const base = ref && (await files.inspect(ref.image))
    if (base && !isMappedAlike(ref, attenuation.texture)) return { ...rest, baseColor: times(rest.baseColor, tint) }
    const image = tintedImage(`${key} ${base?.hash}`, base, thickness, attenuation)
    return {
      ...rest,
      baseColorTexture: { ...(base ? ref! : attenuation.texture), image },
      ...(transmission && { transmission: { ...transmission, tint } }),
    }
  }
}

const times = (color: Color, by: Color) => color.map((value, i) => value * by[i]!) as unknown as Color

const isMappedAlike = (one: TextureRef, other: TextureRef) => {
  const way = ({ texCoord, transform, wrapS, wrapT }: TextureRef) => JSON.stringify([texCoord, transform, wrapS, wrapT])
  return way(one) === way(other)
}

/** The tint for each value of the thickness, which is in g. */
const tintTable = (attenuation: Attenuation) => Array.from({ length: 256 }, (_, g) => tintOf(attenuation, g / 255))

const thicknessAt = ({ data, channels }: Pixels, pixel: number) => data[pixel * channels + (channels === 1 ? 0 : 1)]!

async function meanTint(thickness: UsableImage, attenuation: Attenuation): Promise<Color> {
  const pixels = await decodePixels(thickness).catch(() => undefined)
  if (!pixels) return tintOf(attenuation)
  const table = tintTable(attenuation)
  const sum = [0, 0, 0]
  const count = pixels.width * pixels.height
  for (let pixel = 0; pixel < count; pixel++) {
    const tint = table[thicknessAt(pixels, pixel)]!
    for (let k = 0; k < 3; k++) sum[k]! += tint[k]!
  }
  return sum.map((value) => value / count) as unknown as Color
}

function tintedImage(
  key: string,
  base: UsableImage | undefined,
  thickness: UsableImage,
  attenuation: Attenuation,
): GeneratedImage {
  const { header, name } = base ?? thickness
  const { width, height, kind } = header
  const alpha = base?.header.alpha === true
  const render = async (): Promise<Pixels> => {
    const colors = base && (await decodePixels(base))
    // Of equal size, so that pixels correspond.
    const depths = await decodePixels(thickness, { width, height })
    const channels = colors?.channels === 4 ? 4 : 3
    const table = tintTable(attenuation)
    const data = new Uint8Array(width * height * channels)
    for (let pixel = 0; pixel < width * height; pixel++) {
      const tint = table[thicknessAt(depths, pixel)]!
      for (let k = 0; k < 3; k++) {
        const from = colors && colors.data[pixel * colors.channels + (colors.channels === 1 ? 0 : k)]!
        data[pixel * channels + k] = srgbCode((from === undefined ? 1 : lights[from]!) * tint[k]!)
      }
      if (channels === 4) data[pixel * 4 + 3] = colors!.data[pixel * 4 + 3]!
    }
    return { data, width, height, channels }
  }
  const stem = name.replace(/\.\w+$/, '')
  return { name: `${stem}_tinted`, key: `tint ${key}`, width, height, alpha, lossy: kind === 'jpeg', render }
}

const lights = Float64Array.from({ length: 256 }, (_, value) => decodeSrgb(value / 255))
