import { badRequest, invalid } from '../../platform/errors.ts'
import { type FormFile, missingFile } from '../../platform/http/bodies/forms.ts'
import { GIF, HEIF, JPEG, PNG, WEBP } from '../../platform/images/image-kinds.ts'
import { checkPixels, type Images, type IncomingImage } from '../../platform/images/images.ts'
import { cleanupOnFailure } from '../../platform/storage/cleanup-on-failure.ts'
import { fileBytes } from '../../platform/storage/folder/file-bytes.ts'
import type { Objects } from '../../platform/storage/objects.ts'
import { displayName } from '../../platform/storage/types/file-names.ts'
import { detectType } from '../../platform/storage/types/file-types.ts'
import { MAX_PHOTOS } from './schema.ts'

export const MAX_BYTES = 50 * 2 ** 20
/** Nothing is decoded here, only by the client that shows the photo. */
export const MAX_PIXELS = 250_000_000

const RULES = { kinds: [JPEG, PNG, GIF, WEBP, HEIF], maxBytes: MAX_BYTES, maxSaid: '50 MiB', animated: true }

/** A verified photo on disk. */
export type Waiting = { image: IncomingImage; fileName: string; mimeType: string; extension: string }
/** A photo stored as an object. */
export type KeptFile = { key: string; size: number; sha256: string; fileName: string; mimeType: string }

type Deps = {
  images: Images
  objects: Objects
  /** Whether an object has a record. */
  isKnown: (key: string) => Promise<boolean>
}

export type PhotoReceiver = ReturnType<typeof photoReceiver>

/** Receives photos and stores them unchanged: surveyors need the camera's metadata. */
export function photoReceiver({ images, objects, isKnown }: Deps) {
  const take = async ({ bytes, fileName }: FormFile, sender: string): Promise<Waiting> => {
    const image = await images.take(bytes, RULES, sender)
    try {
      checkPixels(image, MAX_PIXELS)
      const name = displayName(fileName)
      const { mimeType, extension } = await detectType(image.head, name)
      if (!mimeType.startsWith('image/'))
        throw badRequest(`The content of the image does not match its signature: it is ${mimeType}`)
      return { image, fileName: name, mimeType, extension }
    } catch (error) {
      await images.drop(image)
      throw error
    }
  }

  return {
    /** Reads all photos of a form to disk and validates each, before `use` decides on them. @throws 400, 413 */
    async receive<T>(
      files: AsyncIterable<FormFile>,
      sender: string,
      use: (waiting: Waiting[]) => Promise<T>,
    ): Promise<T> {
      const waiting: Waiting[] = []
      try {
        for await (const file of files) {
          if (waiting.length === MAX_PHOTOS) throw tooMany()
          waiting.push(await take(file, sender))
        }
        if (waiting.length === 0) throw missingFile('files')
        return await use(waiting)
      } finally {
        await Promise.all(waiting.map(({ image }) => images.drop(image)))
      }
    },

    /** Stores them as objects and runs `record`; if that fails, no object without a record remains. */
    async keep<T>(waiting: Waiting[], record: (kept: KeptFile[]) => Promise<T>): Promise<T> {
      const keys: string[] = []
      const keepAll = async () => {
        const kept: KeptFile[] = []
        for (const { image, fileName, mimeType, extension } of waiting) {
          const { key, size, sha256 } = await objects.put(fileBytes(image.path), { extension })
          keys.push(key)
          kept.push({ key, size, sha256, fileName, mimeType })
        }
        return record(kept)
      }
      return cleanupOnFailure(keys, keepAll, { objects, isKnown })
    },
  }
}

const tooMany = () =>
  invalid([{ code: 'too_big', message: `Send at most ${MAX_PHOTOS} photos per request`, path: ['files'] }])
