import type { NoteBook } from '../report.ts'
import type { Color, Material, SourceImage, TextureRef } from '../scene/material.ts'
import { metallicFrom } from '../scene/specular-glossiness.ts'
import { decodeSrgb, encodeSrgb } from './pixel-edits.ts'
import { decode, encode, type Pixels } from './rewrite.ts'
import type { TextureFiles, UsableImage } from './texture-files.ts'

type Merged = { baseColor: SourceImage; metallicRoughness: SourceImage }

/**
 * Turns specular-glossiness materials with textures into metallic-roughness ones: pixel by pixel, diffuse and specular
 * become base colour and metallic, glossiness becomes roughness. The same images and factors are merged once.
 */
export function specularMerger(files: TextureFiles, notes: NoteBook) {
  const merged = new Map<string, Promise<Merged>>()

  return async (material: Material): Promise<Material> => {
    const { specularGlossiness: glossy, baseColorTexture: diffuse, ...rest } = material
    if (!glossy) return material
    const { specular, glossiness } = glossy
    const [colors, shine] = [await usableOf(files, diffuse), await usableOf(files, glossy.texture)]
    const plain = { ...rest, ...(diffuse && { baseColorTexture: diffuse }), metallic: 0, roughness: 1 - glossiness }
    const place = diffuse ?? glossy.texture
    if (!place || !(colors || shine)) return plain
    if (colors && shine && !isSampledAlike(diffuse!, glossy.texture!)) {
      notes.add(
        'specular_glossiness_texture',
        'Specular textures that lie otherwise than the diffuse one are left out.',
      )
      return plain
    }
    const key = JSON.stringify([colors?.hash, shine?.hash, rest.baseColor, specular, glossiness])
    const images = merged.get(key) ?? merge(colors, shine, rest.baseColor, specular, glossiness)
    merged.set(key, images)
    try {
      const { baseColor, metallicRoughness } = await images
      return {
        ...rest,
        baseColor: [1, 1, 1],
        metallic: 1,
        roughness: 1,
        baseColorTexture: { ...place, image: baseColor },
        metallicRoughnessTexture: { ...place, image: metallicRoughness },
      }
    } catch {
      notes.add('texture_unreadable', 'Textures whose image cannot be read are left out.')
      return plain
    }
  }
}

const usableOf = async (files: TextureFiles, ref: TextureRef | undefined) => ref && (await files.inspect(ref.image))

const isSampledAlike = (one: TextureRef, other: TextureRef) => {
  const way = ({ texCoord, transform, wrapS, wrapT }: TextureRef) => JSON.stringify([texCoord, transform, wrapS, wrapT])
  return way(one) === way(other)
}

async function merge(
  diffuse: UsableImage | undefined,
  specular: UsableImage | undefined,
  diffuseFactor: Color,
  specularFactor: Color,
  glossiness: number,
): Promise<Merged> {
  const colors = diffuse && (await decode(diffuse.bytes))
  const shine = specular && (await decode(specular.bytes))
  const { width, height } = (colors ?? shine)!
  const base: Pixels = { width, height, channels: colors?.channels ?? 3, data: new Uint8Array() }
  base.data = new Uint8Array(width * height * base.channels)
  const rough: Pixels = { width, height, channels: 3, data: new Uint8Array(width * height * 3) }

  const diffuseLight = diffuseFactor.map(linearTable)
  const specularLight = specularFactor.map(linearTable)
  const from = new Float64Array(3)
  const to = new Float64Array(3)
  const out = new Float64Array(4)
  for (let i = 0, b = 0, d = 0, r = 0; i < width * height; i++) {
    const s = shine ? nearest(i, base, shine) * shine.channels : 0
    for (let k = 0; k < 3; k++) {
      from[k] = colors ? diffuseLight[k]![colors.data[d + k]!]! : diffuseFactor[k]!
      to[k] = shine ? specularLight[k]![shine.data[s + k]!]! : specularFactor[k]!
    }
    metallicFrom(from, to, out)
    for (let k = 0; k < 3; k++) base.data[b + k] = encoded[Math.round(out[k]! * steps)]!
    if (base.channels === 4) base.data[b + 3] = colors!.data[d + 3]!
    const gloss = glossiness * (shine?.channels === 4 ? shine.data[s + 3]! / 255 : 1)
    rough.data[r + 1] = Math.round((1 - gloss) * 255)
    rough.data[r + 2] = Math.round(out[3]! * 255)
    b += base.channels
    d += colors?.channels ?? 0
    r += 3
  }
  const name = (diffuse ?? specular)!.image.name.replace(/\.\w+$/, '')
  return {
    baseColor: { name, bytes: await encode(base, base.channels === 4 ? 'png' : 'jpeg') },
    metallicRoughness: { name: `${name}_metallic_roughness`, bytes: await encode(rough, 'jpeg') },
  }
}

/**
 * The pixel of `other` where pixel `i` of `base` lies. Nothing is blended: scaling images usually weighs colour by
 * alpha, but here alpha is glossiness.
 */
function nearest(i: number, base: Pixels, other: Pixels): number {
  if (base.width === other.width && base.height === other.height) return i
  const x = Math.floor(((i % base.width) * other.width) / base.width)
  const y = Math.floor((Math.floor(i / base.width) * other.height) / base.height)
  return y * other.width + x
}

const linearTable = (factor: number) =>
  Float64Array.from({ length: 256 }, (_, value) => Math.min(1, decodeSrgb(value / 255) * factor))

/** Linear light in fine steps to sRGB code values. */
const steps = 4095
const encoded = Uint8Array.from({ length: steps + 1 }, (_, step) => Math.round(encodeSrgb(step / steps) * 255))
