import type { PixelEdit } from './pixel-edits.ts'

/** Pixels of one image that are decoded at once: raw they take half a gigabyte. */
const limitInputPixels = 2 ** 27

export type Encoding = 'jpeg' | 'png'

/** Size and alpha of an image of a kind whose header is not read here. @throws when it cannot be decoded. */
export async function probe(bytes: Uint8Array): Promise<{ width: number; height: number; alpha: boolean }> {
  const { default: sharp } = await import('sharp')
  const { width, height, hasAlpha } = await sharp(bytes).metadata()
  return { width, height, alpha: hasAlpha ?? false }
}

/**
 * Decodes an image, edits its pixels and encodes it again. Its orientation tag is ignored, as glTF asks for.
 * @throws when the image cannot be decoded.
 */
export async function rewrite(bytes: Uint8Array, edit: PixelEdit | undefined, encoding: Encoding): Promise<Uint8Array> {
  // Loaded only here: most models need no pixel touched, and the library is a large one.
  const { default: sharp } = await import('sharp')
  const image = sharp(bytes, { limitInputPixels }).toColourspace('srgb')
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  edit?.apply(data, info.channels)
  const { width, height, channels } = info
  const edited = sharp(data, { raw: { width, height, channels } })
  if (encoding === 'jpeg') return await edited.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
  return await edited.png({ compressionLevel: 6 }).toBuffer()
}
