import type { Sharp } from 'sharp'
import type { Pixels } from '../../scene/materials/material.ts'
import { loadSharp } from './load-sharp.ts'
import type { PixelEdit } from './pixel-edits.ts'
import type { UsableImage } from './usable-image.ts'

/** The largest number of pixels decoded at once, half a gigabyte. */
const limitInputPixels = 2 ** 27

export type Encoding = 'jpeg' | 'png'
export type Size = { width: number; height: number }

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
 * Returns the size and alpha of an image whose header is not parsed here.
 * @throws when it cannot be decoded.
 */
export async function probe(bytes: Uint8Array): Promise<Size & { alpha: boolean }> {
  const sharp = await loadSharp()
  const { width, height, hasAlpha } = await sharp(bytes, { limitInputPixels }).metadata()
  return { width, height, alpha: hasAlpha ?? false }
}

/**
 * Decodes an image to RGB, or to RGBA if it has alpha. Orientation and colour profile are ignored, as glTF requires.
 * @throws when it cannot be decoded.
 */
export async function decodePixels(image: UsableImage, size?: Size): Promise<Pixels> {
  return await pixelsOf(await openImage(image, size))
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
  const start = await openImage(image, size, !keepAlpha)
  if (edits.length === 0 && channel === undefined) return await encoded(start, encoding)
  const pixels = await pixelsOf(start)
  if (image.header.plain && image.bytes && !size && channel === undefined) {
    const { data, channels, width } = pixels
    if (!edits.some((edit) => edit.changes?.(data, channels, width) ?? true)) return image.bytes
  }
  for (const edit of edits) edit.apply(pixels.data, pixels.channels, pixels.width)
  return await encodePixels(channel === undefined ? pixels : onlyChannel(pixels, channel), encoding)
}

/** Encodes pixels. */
export async function encodePixels({ data, width, height, channels }: Pixels, encoding: Encoding): Promise<Uint8Array> {
  const sharp = await loadSharp()
  const image = sharp(data, { limitInputPixels, raw: { width, height, channels } })
  return await encoded(channels === 1 ? image.toColourspace('b-w') : image, encoding)
}

async function encoded(image: Sharp, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'jpeg') return await image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
  return await image.png({ compressionLevel: 6 }).toBuffer()
}

async function openImage(image: UsableImage, size: Size | undefined, dropAlpha = false): Promise<Sharp> {
  const sharp = await loadSharp()
  let start: Sharp
  if (image.render) {
    const { data, width, height, channels } = await image.render()
    start = sharp(data, { limitInputPixels, raw: { width, height, channels } })
  } else start = sharp(image.bytes, { limitInputPixels, ignoreIcc: true }).toColourspace('srgb')
  if (dropAlpha) start = start.removeAlpha()
  return size ? start.resize({ ...size, fit: 'fill' }) : start
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 1 && channels !== 3 && channels !== 4) throw new Error(`An image decoded to ${channels} channels`)
  return { data, width, height, channels }
}

function onlyChannel({ data, width, height, channels }: Pixels, channel: number): Pixels {
  const out = new Uint8Array(width * height)
  for (let from = channels === 1 ? 0 : channel, to = 0; to < out.length; from += channels) out[to++] = data[from]!
  return { data: out, width, height, channels: 1 }
}
