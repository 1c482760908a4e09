import type { Notes } from '../../report.ts'
import type {
  Color,
  GeneratedImage,
  Material,
  Pixels,
  SourceImage,
  TextureRef,
} from '../../scene/materials/material.ts'
import { toMetallicRoughness } from '../../scene/materials/specular-glossiness.ts'
import { decodeSrgb, srgbCode } from '../images/pixel-edits.ts'
import { decodePixels } from '../images/process-image.ts'
import type { UsableImage } from '../images/usable-image.ts'
import type { TextureFiles } from '../texture-files.ts'

type Merged = { baseColor: SourceImage; metallicRoughness: SourceImage }

/**
 * Converts specular-glossiness materials with textures to metallic-roughness, pixel by pixel. The same images and
 * factors are merged once.
 */
export function specularGlossinessMerger(files: TextureFiles) {
  const merged = new Map<string, Merged>()

  return async (material: Material, notes: Notes): Promise<Material> => {
    const { specularGlossiness: glossy, baseColorTexture: diffuse, ...rest } = material
    if (!glossy) return material
    const { specular, glossiness } = glossy
    const [colors, shine] = [await usableOf(files, diffuse), await usableOf(files, glossy.texture)]
    const plain = { ...rest, ...(diffuse && { baseColorTexture: diffuse }), metallic: 0, roughness: 1 - glossiness }
    const place = colors ? diffuse : glossy.texture
    if (!place || !(colors || shine)) return plain
    if (colors && shine && !isSampledAlike(diffuse!, glossy.texture!)) {
      notes.leftOut(
        'specular_glossiness_texture',
        'Specular textures with a different mapping than the diffuse texture are left out.',
      )
      return plain
    }
    const key = JSON.stringify([colors?.hash, shine?.hash, rest.baseColor, specular, glossiness])
    const images = merged.get(key) ?? mergedImages(key, colors, shine, rest.baseColor, specular, glossiness)
    merged.set(key, images)
    return {
      ...rest,
      baseColor: [1, 1, 1],
      metallic: 1,
      roughness: 1,
      baseColorTexture: { ...place, image: images.baseColor },
      metallicRoughnessTexture: { ...place, image: images.metallicRoughness },
    }
  }
}

const usableOf = async (files: TextureFiles, ref: TextureRef | undefined) => ref && (await files.inspect(ref.image))

const isSampledAlike = (one: TextureRef, other: TextureRef) => {
  const way = ({ texCoord, transform, wrapS, wrapT }: TextureRef) => JSON.stringify([texCoord, transform, wrapS, wrapT])
  return way(one) === way(other)
}

function mergedImages(
  key: string,
  diffuse: UsableImage | undefined,
  specular: UsableImage | undefined,
  ...factors: [Color, Color, number]
): Merged {
  const { header, name: source } = (diffuse ?? specular)!
  const name = source.replace(/\.\w+$/, '')
  const render = async (which: 'base' | 'rough') => {
    const [colors, shine] = [diffuse && (await decodePixels(diffuse)), specular && (await decodePixels(specular))]
    return merge(which, colors, shine, ...factors)
  }
  const { width, height } = header
  const image = { width, height, lossy: true }
  const alpha = diffuse?.header.alpha === true
  const baseColor: GeneratedImage = { ...image, name, key: `${key} base`, alpha, render: () => render('base') }
  const rough = { ...image, name: `${name}_glossy`, key: `${key} rough`, alpha: false }
  return { baseColor, metallicRoughness: { ...rough, render: () => render('rough') } }
}

function merge(
  which: 'base' | 'rough',
  colors: Pixels | undefined,
  shine: Pixels | undefined,
  diffuseFactor: Color,
  specularFactor: Color,
  glossiness: number,
): Pixels {
  const { width, height } = (colors ?? shine)!
  const channels = which === 'base' && colors?.channels === 4 ? 4 : 3
  const made: Pixels = { width, height, channels, data: new Uint8Array(width * height * channels) }
  const { data } = made

  const diffuseLight = diffuseFactor.map(linearTable)
  const specularLight = specularFactor.map(linearTable)
  const from = new Float64Array(3)
  const to = new Float64Array(3)
  const out = new Float64Array(4)
  for (let i = 0, m = 0, d = 0; i < width * height; i++, m += channels, d += colors?.channels ?? 0) {
    const s = shine ? nearest(i, made, shine) * shine.channels : 0
    for (let k = 0; k < 3; k++) {
      from[k] = colors ? diffuseLight[k]![colors.data[d + k]!]! : diffuseFactor[k]!
      to[k] = shine ? specularLight[k]![shine.data[s + k]!]! : specularFactor[k]!
    }
    toMetallicRoughness(from, to, out)
    if (which === 'base') {
      for (let k = 0; k < 3; k++) data[m + k] = srgbCode(out[k]!)
      if (channels === 4) data[m + 3] = colors!.data[d + 3]!
    } else {
      const gloss = glossiness * (shine?.channels === 4 ? shine.data[s + 3]! / 255 : 1)
      data[m + 1] = Math.round((1 - gloss) * 255)
      data[m + 2] = Math.round(out[3]! * 255)
    }
  }
  return made
}

/**
 * Returns the pixel of `other` at the position of pixel `i` of `base`. Images are not resampled: resizing weights
 * colour by alpha, which is glossiness here.
 */
function nearest(i: number, base: Pixels, other: Pixels): number {
  if (base.width === other.width && base.height === other.height) return i
  const x = Math.floor(((i % base.width) * other.width) / base.width)
  const y = Math.floor((Math.floor(i / base.width) * other.height) / base.height)
  return y * other.width + x
}

const linearTable = (factor: number) =>
  Float64Array.from({ length: 256 }, (_, value) => Math.min(1, decodeSrgb(value / 255) * factor))
