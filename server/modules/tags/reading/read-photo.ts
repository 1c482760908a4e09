import { GIF, HEIF, isAv1, JPEG, KIND_BYTES, PNG, WEBP } from '../../../platform/images/image-kinds.ts'
import { imageLibrary } from '../../../platform/images/image-library.ts'
import { HeifFault, openLibheif } from '../../../platform/images/libheif.ts'
import { detectTags, type GrayImage } from '../detector/detector.ts'
import { exifOf } from './exif.ts'
import { type PhotoFacts, PhotoFault } from './photo-facts.ts'
import { qualityOf } from './quality.ts'

/** Pixels of the largest photo in which tags are sought. */
const MAX_PIXELS = 50_000_000
/** Pixels of its longer side: the detector counts half pixels in 16 bits. */
const MAX_SIDE = 32_000
const KINDS = [JPEG, PNG, GIF, WEBP, HEIF]

/** Finds what a photo shows; of an animation, its first frame. Run it in a process of its own. @throws PhotoFault */
export async function readPhoto(bytes: Uint8Array): Promise<PhotoFacts> {
  const image = await grayOf(bytes)
  const { width, height } = image
  return { width, height, tags: detectTags(image), exif: exifOf(bytes), quality: qualityOf(image) }
}

async function grayOf(bytes: Uint8Array): Promise<GrayImage> {
  const head = Buffer.from(bytes.subarray(0, 4100))
  const kind = KINDS.find(({ begins }) => begins(head.subarray(0, KIND_BYTES)))
  if (!kind) throw new PhotoFault('The file is not a JPEG, PNG, GIF, WebP, HEIC, HEIF or AVIF')
  return kind === HEIF && !isAv1(head) ? grayOfHevc(bytes) : grayOfOthers(bytes, kind.format)
}

async function grayOfOthers(bytes: Uint8Array, expected: string): Promise<GrayImage> {
  const sharp = await imageLibrary()
  const { width, height, format } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(faulty)
  if (format !== expected) throw new PhotoFault('The content of the photo does not match its first bytes')
  checkPixels(width, height)
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error' as const, sequentialRead: true }
  return grayPixels(sharp(bytes, options))
}

async function grayOfHevc(bytes: Uint8Array): Promise<GrayImage> {
  const sharp = await imageLibrary()
  try {
    const libheif = openLibheif()
    const size = libheif.measure(bytes)
    checkPixels(size.width, size.height)
    const { data, width, height, channels } = libheif.decode(bytes, MAX_PIXELS)
    return await grayPixels(sharp(data, { raw: { width, height, channels }, limitInputPixels: MAX_PIXELS }))
  } catch (error) {
    if (error instanceof HeifFault) throw new PhotoFault(`The photo cannot be read: ${error.message}`)
    throw error
  }
}

async function grayPixels(image: ReturnType<Awaited<ReturnType<typeof imageLibrary>>>): Promise<GrayImage> {
  const gray = image.flatten({ background: '#fff' }).toColourspace('b-w').extractChannel(0)
  const { data, info } = await gray.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }).catch(faulty)
  return { width: info.width, height: info.height, pixels: data }
}

function checkPixels(width: number, height: number): void {
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE)
    throw new PhotoFault(
      `The photo has ${width}x${height} pixels; tags are sought in photos of at most ${MAX_PIXELS / 1e6} million, and ${MAX_SIDE} a side`,
    )
}

function faulty(error: Error): never {
  throw new PhotoFault(`The photo cannot be read: ${error.message.split('\n')[0]}`)
}
