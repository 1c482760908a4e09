import { imageLibrary } from './image-library.ts'
import type { PixelEdit } from './pixel-edits.ts'

/** Pixels of one image that are decoded at once: raw they take half a gigabyte. */
const limitInputPixels = 2 ** 27

export type Encoding = 'jpeg' | 'png'

/** Size and alpha of an image of a kind whose header is not read here. @throws when it cannot be decoded. */
export async function probe(bytes: Uint8Array): Promise<{ width: number; height: number; alpha: boolean }> {
  const sharp = await imageLibrary()
  const { width, height, hasAlpha } = await sharp(bytes, { limitInputPixels }).metadata()
  return { width, height, alpha: hasAlpha ?? false }
}

/** Decoded pixels, 8 bits a channel: r g b, or r g b and alpha. */
export type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 | 4 }

/**
 * Decodes an image to r g b and, if it has any, alpha. Its orientation tag is ignored, as glTF asks for.
 * @throws when it cannot be decoded.
 */
export async function decode(bytes: Uint8Array): Promise<Pixels> {
  const sharp = await imageLibrary()
  const image = sharp(bytes, { limitInputPixels }).toColourspace('srgb')
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  if (info.channels !== 3 && info.channels !== 4) throw new Error(`An image decoded to ${info.channels} channels`)
  return { data, width: info.width, height: info.height, channels: info.channels }
}

export async function encode({ data, width, height, channels }: Pixels, encoding: Encoding): Promise<Uint8Array> {
  const sharp = await imageLibrary()
  const image = sharp(data, { limitInputPixels, raw: { width, height, channels } })
  if (encoding === 'jpeg') return await image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
  return await image.png({ compressionLevel: 6 }).toBuffer()
}

/** Decodes an image, edits its pixels and encodes it again. @throws when the image cannot be decoded. */
export async function rewrite(bytes: Uint8Array, edit: PixelEdit | undefined, encoding: Encoding): Promise<Uint8Array> {
  const pixels = await decode(bytes)
  edit?.apply(pixels.data, pixels.channels)
  return await encode(pixels, encoding)
}
