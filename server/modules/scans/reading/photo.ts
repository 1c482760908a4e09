import { isAv1 } from '../../../platform/images/image-kinds.ts'
import { imageLibrary } from '../../../platform/images/image-library.ts'
import { HeifFault, type HeifPixels, openLibheif } from '../../../platform/images/libheif.ts'
import { withProfile } from '../../../platform/images/png-profile.ts'
import { damaged, type Inspection, type Preview } from '../processing/inspection.ts'
import { shotOf } from './exif.ts'
import { type OpenFile, unread } from './open-file.ts'
import { readWhole } from './read-whole.ts'

/** Maximum pixels of a decoded photo: four times those of the best phones. */
const MAX_PIXELS = 200_000_000
const MAX_BYTES = 256 * 2 ** 20
/** Maximum width and height of a preview. */
const SIDE = 640

const tooLarge = (what: string) => unread('IMAGE', `The image has more than ${what}: it is kept without a preview.`)

/** Reads a JPEG, PNG, GIF or WebP; of an animation, the first frame. @throws ScanFault if it cannot be decoded */
export async function inspectPhoto(file: OpenFile): Promise<Inspection> {
  if (file.size > MAX_BYTES) return tooLarge(`${MAX_BYTES} bytes`)
  return inspectDecodable(await readWhole(file))
}

async function inspectDecodable(bytes: Uint8Array): Promise<Inspection> {
  const sharp = await imageLibrary()
  try {
    const { autoOrient } = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata()
    const { width, height } = autoOrient
    const shot = shotOf(bytes)
    if (width * height > MAX_PIXELS)
      return { ...tooLarge(`${MAX_PIXELS} pixels`), ...shot, width, height, fileType: 'IMAGE' }
    const options = { limitInputPixels: MAX_PIXELS, failOn: 'error' as const, sequentialRead: true }
    const shown = sharp(bytes, options).autoOrient()
    return { ...unread('IMAGE'), ...shot, width, height, preview: await previewOf(shown) }
  } catch (cause) {
    throw damaged('The image cannot be read: it is damaged.', { cause })
  }
}

/** Reads HEIC, HEIF and AVIF. @throws ScanFault if it cannot be decoded */
export async function inspectHeif(file: OpenFile): Promise<Inspection> {
  if (file.size > MAX_BYTES) return tooLarge(`${MAX_BYTES} bytes`)
  const bytes = await readWhole(file)
  if (isAv1(file.head)) return inspectDecodable(bytes)
  try {
    const libheif = openLibheif()
    const { width, height } = libheif.measure(bytes)
    const shot = shotOf(bytes)
    if (width * height > MAX_PIXELS) return { ...tooLarge(`${MAX_PIXELS} pixels`), ...shot, width, height }
    return {
      ...unread('IMAGE'),
      ...shot,
      width,
      height,
      preview: await pixelsPreview(libheif.decode(bytes, MAX_PIXELS)),
    }
  } catch (error) {
    if (!(error instanceof HeifFault)) throw error
    throw damaged(`The image cannot be read: ${error.message}`, { cause: error })
  }
}

/** iPhones write Display P3: convert to sRGB after scaling down. */
async function pixelsPreview({ data, width, height, channels, icc }: HeifPixels): Promise<Preview> {
  const sharp = await imageLibrary()
  const small = sharp(data, { raw: { width, height, channels }, limitInputPixels: MAX_PIXELS }).resize(SIDE, SIDE, {
    fit: 'inside',
    withoutEnlargement: true,
  })
  const png = await small.png({ compressionLevel: 0 }).toBuffer()
  return previewOf(sharp(icc ? Buffer.concat(withProfile(png, icc)) : png))
}

/** Removes the metadata, such as place and author. */
async function previewOf(image: ReturnType<Awaited<ReturnType<typeof imageLibrary>>>): Promise<Preview> {
  const { data, info } = await image
    .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 85, effort: 3 })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, mimeType: 'image/webp', width: info.width, height: info.height }
}
