import type { Sharp } from 'sharp'
import type { Pixels } from '../../scene/materials/material.ts'

/** The largest number of pixels decoded at once, half a gigabyte. */
const limitInputPixels = 2 ** 27

export type Encoding = 'jpeg' | 'png'
export type Size = { width: number; height: number }

/** An image file with what its header says of alpha, or pixels. */
export type ImageSource = { bytes: Uint8Array; alpha: boolean } | Pixels

/** How an image is changed while it is decoded: it is stretched to a size, and loses its alpha. */
export type Change = { size?: Size | undefined; dropAlpha?: boolean }

let loaded: Promise<typeof import('sharp').default> | undefined

/**
 * Loads sharp with only the image decoders enabled. Others (SVG, PDF …) let a small file occupy native code for
 * minutes. Blocking applies to the whole process, so GIF stays enabled for other users; textures are identified by
 * their bytes first. Loaded on first use: it is large and most models do not need it.
 */
export function loadCodec() {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((kind) => `VipsForeignLoad${kind}`) })
    return sharp
  })
  return loaded
}

/**
 * Returns the size and alpha of an image file.
 * @throws when it cannot be decoded.
 */
export async function probe(bytes: Uint8Array): Promise<Size & { alpha: boolean }> {
  const sharp = await loadCodec()
  const { width, height, hasAlpha } = await sharp(bytes, { limitInputPixels }).metadata()
  return { width, height, alpha: hasAlpha ?? false }
}

/**
 * Decodes an image to RGB, or to RGBA if it has alpha. Orientation and colour profile are ignored, as glTF requires.
 * @throws when it cannot be decoded.
 */
export async function decode(source: ImageSource, change: Change = {}): Promise<Pixels> {
  const { data, info } = await (await open(source, change)).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 1 && channels !== 3 && channels !== 4) throw new Error(`An image decoded to ${channels} channels`)
  return { data, width, height, channels }
}

/**
 * Decodes an image, and encodes it in another format or size.
 * @throws when it cannot be decoded.
 */
export async function recode(source: ImageSource, change: Change, encoding: Encoding): Promise<Uint8Array> {
  return await encoded(await open(source, change), encoding)
}

/** Encodes pixels. */
export async function encode(pixels: Pixels, encoding: Encoding): Promise<Uint8Array> {
  const image = await open(pixels, {})
  return await encoded(pixels.channels === 1 ? image.toColourspace('b-w') : image, encoding)
}

async function open(source: ImageSource, { size, dropAlpha = false }: Change): Promise<Sharp> {
  const sharp = await loadCodec()
  let image: Sharp
  if ('data' in source) {
    const { data, width, height, channels } = source
    image = sharp(data, { limitInputPixels, raw: { width, height, channels } })
  } else image = sharp(source.bytes, { limitInputPixels, ignoreIcc: true }).toColourspace('srgb')
  if (dropAlpha) image = image.removeAlpha()
  return size ? image.resize({ ...size, fit: 'fill' }) : image
}

async function encoded(image: Sharp, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'jpeg') return await image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
  return await image.png({ compressionLevel: 6 }).toBuffer()
}
