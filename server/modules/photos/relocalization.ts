import { writeFile } from 'node:fs/promises'
import { badRequest, HttpError } from '../../platform/errors.ts'
import { type FormFile, missingFile } from '../../platform/http/bodies/forms.ts'
import { HEIF, JPEG, PNG, WEBP } from '../../platform/images/image-kinds.ts'
import type { Images, IncomingImage } from '../../platform/images/images.ts'
import { cleanupOnFailure } from '../../platform/storage/cleanup-on-failure.ts'
import { fileBytes } from '../../platform/storage/folder/file-bytes.ts'
import type { Objects } from '../../platform/storage/objects.ts'
import { keyIn } from '../../platform/storage/own-urls.ts'
import { displayName, renamed } from '../../platform/storage/types/file-names.ts'
import { typeOfKey } from '../../platform/storage/types/file-types.ts'
import { relocalizationResultOf } from './checks/relocalization-result.ts'
import type { KeptFile } from './photo-receiver.ts'
import type { RelocalizationAnswer, RelocalizationPhoto } from './schema.ts'
import type { CheckRow } from './store.ts'

export const MAX_BYTES = 25 * 2 ** 20
export const MAX_PIXELS = 50_000_000

const RULES = { kinds: [JPEG, PNG, WEBP, HEIF], maxBytes: MAX_BYTES, maxSaid: '25 MiB', animated: false }

type Deps = {
  images: Images
  objects: Objects
  /** Creates the record of a file, and requests its check. */
  insert: (file: KeptFile & { id: number; userId: string }) => Promise<void>
  /** What the check of a photo found. */
  checkOf: (key: string) => Promise<CheckRow | undefined>
  isKnown: (key: string) => Promise<boolean>
  newFileId: () => number
}

export type RelocalizationPhotos = ReturnType<typeof relocalizationPhotos>

/**
 * Photos that help a device find its position. They are stored upright, in sRGB, without metadata, in a format that
 * every browser shows.
 */
export function relocalizationPhotos({ images, objects, insert, checkOf, isKnown, newFileId }: Deps) {
  const keep = async (image: IncomingImage, fileName: string | undefined, userId: string) => {
    const { extension } = image.kind
    const made = { path: `${image.path}.${extension}` }
    try {
      await images.make(image, { maxPixels: MAX_PIXELS }, (bytes) =>
        writeFile(made.path, bytes, { flag: 'wx', mode: 0o600 }),
      )
      const { key, size, sha256 } = await objects.put(fileBytes(made.path), { extension })
      const { mimeType } = typeOfKey(key)
      const name = renamed(displayName(fileName), extension)
      const file = { id: newFileId(), key, size, sha256, fileName: name, mimeType, userId }
      await cleanupOnFailure([key], () => insert(file), { objects, isKnown })
      return { url: objects.addressOf(key), key }
    } finally {
      await images.drop(made)
    }
  }

  return {
    /**
     * Stores the one photo of a form, once the whole form has arrived. @throws 400 for no photo or more than one,
     * if it is no image of these formats, or has too many pixels; 413; 503
     */
    async receive(files: AsyncIterable<FormFile>, userId: string): Promise<RelocalizationAnswer> {
      let taken: { image: IncomingImage; fileName: string | undefined } | undefined
      try {
        for await (const { bytes, fileName } of files) {
          if (taken) throw badRequest('Send one photo, in the part "file"; this form has several')
          taken = { image: await images.take(bytes, RULES, userId), fileName }
        }
        if (!taken) throw missingFile('file')
        return await keep(taken.image, taken.fileName, userId)
      } finally {
        if (taken) await images.drop(taken.image)
      }
    },

    /** What the photo with this URL shows. @throws 404 if no photo was uploaded here under it */
    async shown(url: string): Promise<RelocalizationPhoto> {
      const key = keyIn(url)
      const check = key === undefined ? undefined : await checkOf(key)
      if (!check)
        throw new HttpError(
          404,
          'There is no such photo: give the URL that the upload of a relocalization photo returned',
        )
      return { url: objects.addressOf(key!), ...relocalizationResultOf(check) }
    },
  }
}
