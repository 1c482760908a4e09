import type { Sharp } from 'sharp'
import { imageLibrary } from './image-library.ts'
import type { ImageHeader, Making, Reading } from './image-tasks.ts'
import { HeifFault, loadLibheif, openLibheif } from './libheif.ts'
import { withProfile } from './png-profile.ts'

/** The image cannot be read; the message is the decoder's. */
export class ImageFault extends Error {}

/** The output of each input format. */
const ENCODERS: Record<Reading['format'], (image: Sharp) => Sharp> = {
  jpeg: (image) => image.jpeg({ quality: 90 }),
  png: (image) => image.png(),
  gif: (image) => image.gif(),
  // The default effort of 4 takes four times as long for 2 % fewer bytes: half a minute for the largest photos, which
  // block other large images.
  webp: (image) => image.webp({ quality: 90, effort: 2 }),
  // Few browsers show HEIC.
  heif: (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 90 }),
}

let opened: ReturnType<typeof openLibheif> | undefined

const libheif = () => {
  opened ??= openLibheif()
  return opened
}

/** Loads both decoders ahead of use. */
export const loadImageDecoders = (): Promise<unknown> => Promise.all([imageLibrary(), loadLibheif()])

/** Reads the header only. Run it in a sandboxed process, like `resize`. @throws ImageFault */
export async function readHeader(bytes: Uint8Array, reading: Reading): Promise<ImageHeader> {
  if (reading.isHevc) return { ...heif(() => libheif().measure(bytes)), frames: 1, format: 'heif' }
  const sharp = await imageLibrary()
  // The caller checks the limit, to give a clear message.
  const options = { animated: reading.isAnimated, limitInputPixels: false, failOn: 'error' as const }
  const { width, pages = 1, pageHeight, height, format } = await sharp(bytes, options).metadata().catch(faulty)
  return { width, height: pageHeight ?? height, frames: reading.isAnimated ? pages : 1, format }
}

/** Decodes an image and encodes the output. @throws ImageFault, also if it has too many pixels */
export async function resize(bytes: Uint8Array, reading: Reading, { maxPixels, side }: Making): Promise<Uint8Array> {
  const pixels = await (reading.isHevc ? hevcPixels(bytes, maxPixels) : decoded(bytes, reading, maxPixels))
  const fitting = side === undefined ? pixels : pixels.resize(side, side, { fit: 'inside', withoutEnlargement: true })
  return ENCODERS[reading.format](fitting).toBuffer().catch(faulty)
}

async function decoded(bytes: Uint8Array, { isAnimated }: Reading, limitInputPixels: number): Promise<Sharp> {
  const sharp = await imageLibrary()
  const pixels = sharp(bytes, { animated: isAnimated, limitInputPixels, failOn: 'error', sequentialRead: true })
  // Viewers do not rotate animations by EXIF either.
  return isAnimated ? pixels : pixels.autoOrient()
}

/** The library accepts a colour profile only with an encoded image; those of an iPhone are Display P3. */
async function hevcPixels(bytes: Uint8Array, maxPixels: number): Promise<Sharp> {
  const sharp = await imageLibrary()
  const { data, icc, ...raw } = heif(() => libheif().decode(bytes, maxPixels))
  const pixels = sharp(data, { raw })
  if (!icc) return pixels
  const png = await pixels.png({ compressionLevel: 0 }).toBuffer()
  return sharp(Buffer.concat(withProfile(png, icc)), { failOn: 'error', sequentialRead: true })
}

function heif<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof HeifFault) throw new ImageFault(error.message)
    throw error
  }
}

function faulty(error: Error): never {
  throw new ImageFault(error.message.split('\n')[0])
}
