import { createConcurrencyLimiter } from '../../platform/concurrency/concurrency-limiter.ts'
import { unavailable } from '../../platform/errors.ts'
import { HEIF, JPEG, PNG, WEBP } from '../../platform/images/image-kinds.ts'
import { checkPixels, type Images, type IncomingImage } from '../../platform/images/images.ts'
import { fileBytes } from '../../platform/storage/folder/file-bytes.ts'
import type { LocalizationOptions } from './schema.ts'
import type { LocalizationService } from './service.ts'

export const MAX_BYTES = 25 * 2 ** 20
export const MAX_PIXELS = 50_000_000
const RULES = { kinds: [JPEG, PNG, WEBP, HEIF], maxBytes: MAX_BYTES, maxSaid: '25 MiB', animated: false }
/** Photos that wait while one is read. */
const WAITING = 20

export type CameraImages = ReturnType<typeof cameraImages>

/** Images whose cameras are sought: on disk until they are read, one after the other. */
export function cameraImages({
  service,
  images,
}: {
  service: LocalizationService
  images: Pick<Images, 'take' | 'drop'>
}) {
  const limited = createConcurrencyLimiter({
    maxConcurrent: 1,
    maxWaiting: WAITING,
    full: () => unavailable('Too many images are being read: try again', 5),
  })
  return {
    /** The caller must drop the image afterwards. @throws 400, 413, 503 */
    take: (bytes: AsyncIterable<Uint8Array>, sender: string) => images.take(bytes, RULES, sender),
    drop: images.drop,
    /** Where the camera of an image was. @throws 400, 503 */
    locate(image: IncomingImage, options: LocalizationOptions, signal: AbortSignal) {
      checkPixels(image, MAX_PIXELS)
      const question = { bytes: fileBytes(image.path), size: image.size, ...options }
      return limited(() => service.localize(question, signal), { sender: image.sender })
    },
  }
}
