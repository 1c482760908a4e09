import type { Pixels } from '../../scene/materials/material.ts'
import { decode, type Encoding, encode, type ImageSource, recode, type Size } from './codec.ts'
import type { PixelEdit } from './pixel-edits.ts'
import type { UsableImage } from './usable-image.ts'

/** Image processing: resizing, then edits, then channel selection. */
export type ImageProcessing = {
  /** Unchanged by default. */
  size?: Size | undefined
  edits: readonly PixelEdit[]
  /** Extracts this channel as a grey image. */
  channel?: 0 | 1 | 2 | undefined
  /** Whether alpha is kept. */
  keepAlpha: boolean
  encoding: Encoding
}

/**
 * Decodes an image to RGB, or to RGBA if it has alpha. Orientation and colour profile are ignored, as glTF requires.
 * @throws when it cannot be decoded.
 */
export async function decodePixels(image: UsableImage, size?: Size): Promise<Pixels> {
  return await decode(await sourceOf(image), { size })
}

/**
 * Tells whether any pixel is not fully opaque.
 * @throws when the image cannot be decoded.
 */
export async function hasTransparency(image: UsableImage): Promise<boolean> {
  const { data, channels } = await decodePixels(image)
  if (channels === 4) for (let at = 3; at < data.length; at += 4) if (data[at]! < 255) return true
  return false
}

/**
 * Resizes, edits and encodes an image.
 * @returns the original bytes when no edit changes anything.
 * @throws when it cannot be decoded.
 */
export async function processImage(image: UsableImage, rewriting: ImageProcessing): Promise<Uint8Array> {
  const { edits, channel, keepAlpha, encoding, size } = rewriting
  const source = await sourceOf(image)
  const change = { size, dropAlpha: !keepAlpha }
  if (edits.length === 0 && channel === undefined) return await recode(source, change, encoding)
  const pixels = await decode(source, change)
  if (image.header.plain && image.bytes && !size && channel === undefined) {
    const { data, channels, width } = pixels
    if (!edits.some((edit) => edit.changes?.(data, channels, width) ?? true)) return image.bytes
  }
  for (const edit of edits) edit.apply(pixels.data, pixels.channels, pixels.width)
  return await encode(channel === undefined ? pixels : onlyChannel(pixels, channel), encoding)
}

const sourceOf = async ({ bytes, render, header }: UsableImage): Promise<ImageSource> =>
  render ? await render() : { bytes, alpha: header.alpha }

function onlyChannel({ data, width, height, channels }: Pixels, channel: number): Pixels {
  const out = new Uint8Array(width * height)
  for (let from = channels === 1 ? 0 : channel, to = 0; to < out.length; from += channels) out[to++] = data[from]!
  return { data: out, width, height, channels: 1 }
}
