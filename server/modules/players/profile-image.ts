import { badRequest } from '../../platform/errors.ts'
import { GIF, JPEG, PNG, WEBP } from '../../platform/images/image-kinds.ts'
import type { Images, IncomingImage } from '../../platform/images/images.ts'

/** What the interface says of a profile image. */
export const SMALLEST = 512
export const LARGEST = 1024
/** 5 MB: 5 × 1024 × 1024 bytes. */
export const MAX_BYTES = 5 * 1024 * 1024
/** Of all frames together, before anything is decoded. */
export const MAX_PIXELS = 50_000_000

const RULES = { kinds: [JPEG, PNG, GIF, WEBP], maxBytes: MAX_BYTES, maxSaid: '5 MB', animated: true }

/** An image as it is kept. */
export type ProfileImage = { bytes: Buffer; extension: string }

export type ProfileImages = ReturnType<typeof profileImages>

/** Makes profile images of what players send: checked, upright, at most 1024 × 1024, and without any metadata. */
export function profileImages(images: Images) {
  return {
    /** @throws 400 when it is no image of the interface's limits, 413 when it is larger than 5 MB, 503 when too many wait. */
    async read(bytes: AsyncIterable<Uint8Array>, appId: string): Promise<ProfileImage> {
      const image = await images.take(bytes, RULES, appId)
      try {
        checkSmallest(image)
        const made = await images.make(image, { maxPixels: MAX_PIXELS, side: LARGEST }, (pieces) =>
          Array.fromAsync(pieces),
        )
        return { bytes: Buffer.concat(made), extension: image.kind.extension }
      } finally {
        await images.drop(image)
      }
    },
  }
}

function checkSmallest({ width, height }: IncomingImage) {
  if (width < SMALLEST || height < SMALLEST)
    throw badRequest(`The image is ${width}x${height} pixels; it must be at least ${SMALLEST}x${SMALLEST}`)
}
