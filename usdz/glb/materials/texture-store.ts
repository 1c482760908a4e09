import type { Document, Texture } from '@gltf-transform/core'
import { tooLarge } from '../../errors.ts'
import type { Notes } from '../../report.ts'
import type { OpenPackage } from '../../stage/open-package.ts'
import { encode } from '../../textures/images/codec.ts'
import { concurrencyLimit } from '../../textures/images/concurrency-limit.ts'
import type { PixelEdit } from '../../textures/images/pixel-edits.ts'
import { decodePixels, processImage } from '../../textures/images/process-image.ts'
import { inspectImage, type UsableImage, unreadable } from '../../textures/images/usable-image.ts'
import type { TextureInput } from './shader-inputs.ts'

/** A channel of an image, as `value * scale + bias` from 0 to 1. */
export type ChannelSource = { image: UsableImage; channel: number; scale: number; bias: number }

/** Each material may need its own images: limits their number and the pixels of all of them. */
const maxMade = 4000
const maxRounds = 3

export type TextureStore = ReturnType<typeof textureStore>

/**
 * The images of the GLB. PNG and JPEG are copied unchanged unless pixels must change; equal ones are stored once.
 * @param maxPixels of all distinct images.
 */
export function textureStore(
  document: Document,
  { fileAt, maxPixels }: Pick<OpenPackage, 'fileAt'> & { maxPixels: number },
  notes: Notes,
) {
  const inspected = new Map<string, Promise<UsableImage | undefined>>()
  const textures = new Map<string, Promise<Texture | undefined>>()
  const inTurn = concurrencyLimit(2)
  let [pixels, made, remade] = [0, 0, 0]

  const inspect = async (name: string, bytes: Uint8Array): Promise<UsableImage | undefined> => {
    const usable = await inspectImage({ name: name.replace(/^.*[/[]|\.\w+\]*$/g, ''), bytes })
    if ('code' in usable) {
      notes.leftOut(usable.code, usable.message)
      return undefined
    }
    pixels += usable.header.width * usable.header.height
    if (pixels > maxPixels) throw tooLarge(`The textures of the package have more than ${maxPixels} pixels.`)
    return usable
  }
  const store = (name: string, bytes: Uint8Array, mimeType: string) =>
    document.createTexture(name).setImage(new Uint8Array(bytes)).setMimeType(mimeType)
  /** Makes a texture once for each key. Images that cannot be decoded are left out, with a note. */
  const once = (key: string, size: number, make: () => Promise<Texture>): Promise<Texture | undefined> => {
    const known = textures.get(key)
    if (known) return known
    made++
    remade += size
    if (made > maxMade) throw tooLarge(`The materials of the package need more than ${maxMade} images.`)
    if (remade > maxPixels * maxRounds) {
      throw tooLarge(`The materials of the package need changed images of more than ${maxPixels * maxRounds} pixels.`)
    }
    const texture = inTurn(make).catch(() => {
      notes.leftOut(unreadable.code, unreadable.message)
      return undefined
    })
    textures.set(key, texture)
    return texture
  }
  const areaOf = ({ header }: UsableImage) => header.width * header.height

  return {
    /** Returns the image of a path in the layer; undefined, with a note, when there is none that can be used. */
    async image(file: TextureInput['file']): Promise<UsableImage | undefined> {
      const found = file && fileAt(file.path, file.layer)
      if (!found) {
        notes.leftOut('texture_missing', 'Textures whose image is not in the package are left out.')
        return undefined
      }
      const known = inspected.get(found.name) ?? inspect(found.name, found.data)
      inspected.set(found.name, known)
      return await known
    },
    /** Returns a texture of an image, with its pixels edited if there is an edit. */
    async texture(image: UsableImage, edit?: PixelEdit, dropsAlpha = false): Promise<Texture | undefined> {
      const { kind } = image.header
      const isCopied = !edit && !(dropsAlpha && image.header.alpha) && (kind === 'png' || kind === 'jpeg')
      if (isCopied && image.bytes) {
        const { bytes } = image
        return await once(image.hash, 0, async () => store(image.name, bytes, `image/${kind}`))
      }
      const key = `${image.hash} ${edit?.key ?? ''} ${dropsAlpha}`
      return await once(key, areaOf(image), async () => {
        const keepAlpha = image.header.alpha && !dropsAlpha
        const encoding = kind === 'jpeg' ? 'jpeg' : 'png'
        const bytes = await processImage(image, { edits: edit ? [edit] : [], keepAlpha, encoding })
        const isPng = bytes[0] === 0x89
        return store(image.name, bytes, isPng ? 'image/png' : 'image/jpeg')
      })
    },
    /**
     * Returns a texture whose channels come from other images: red, green, blue, and alpha if there are four. Channels
     * without a source are white.
     */
    async packed(name: string, sources: readonly (ChannelSource | undefined)[]): Promise<Texture | undefined> {
      const given = sources.filter((source) => source !== undefined)
      const width = Math.max(...given.map(({ image }) => image.header.width))
      const height = Math.max(...given.map(({ image }) => image.header.height))
      const key = JSON.stringify([
        width,
        height,
        ...sources.map((s) => s && [s.image.hash, s.channel, s.scale, s.bias]),
      ])
      return await once(key, width * height * given.length, async () => {
        const channels = sources.length === 4 ? 4 : 3
        const data = new Uint8Array(width * height * channels).fill(255)
        for (const image of new Set(given.map((source) => source.image))) {
          const isSized = image.header.width === width && image.header.height === height
          const decoded = await decodePixels(image, isSized ? undefined : { width, height })
          for (const [to, source] of sources.entries()) {
            if (source?.image === image) copyChannel(decoded, source, data, to, channels)
          }
        }
        return store(name, await encode({ data, width, height, channels }, 'png'), 'image/png')
      })
    },
  }
}

function copyChannel(
  from: { data: Uint8Array; channels: number },
  { channel, scale, bias }: ChannelSource,
  data: Uint8Array,
  to: number,
  channels: number,
): void {
  // Grey images have one channel; images without alpha are opaque.
  const at = channel === 3 ? (from.channels === 4 ? 3 : -1) : Math.min(channel, from.channels - 1)
  const table = Uint8Array.from({ length: 256 }, (_, code) =>
    Math.round(Math.min(1, Math.max(0, (code / 255) * scale + bias)) * 255),
  )
  for (let i = 0, pixel = 0; pixel < data.length; i += from.channels, pixel += channels) {
    data[pixel + to] = table[at < 0 ? 255 : from.data[i + at]!]!
  }
}

/** The channel of an image that a texture input reads; colours give their red. */
export function channelOf({ channel, scale, bias }: TextureInput, image: UsableImage): ChannelSource {
  const index = channel === 'rgb' ? 0 : 'rgba'.indexOf(channel)
  return { image, channel: index, scale: scale[index]!, bias: bias[index]! }
}
