import { badRequest } from '../../platform/errors.ts'
import { GIF, JPEG, PNG, WEBP } from '../../platform/images/image-kinds.ts'
import type { Images, IncomingImage } from '../../platform/images/images.ts'

/** Bounds of a profile image, as documented in the interface. */
export const SMALLEST = 512
export const LARGEST = 1024
/** 5 MB: 5 × 1024 × 1024 bytes. */
export const MAX_BYTES = 5 * 1024 * 1024
/** Pixels of all frames together, checked before decoding. */
export const MAX_PIXELS = 50_000_000

const RULES = { kinds: [JPEG, PNG, GIF, WEBP], maxBytes: MAX_BYTES, maxSaid: '5 MB', animated: true }

/** A profile image as stored. */
export type ProfileImage = { bytes: Buffer; extension: string }

export type ProfileImages = ReturnType<typeof profileImages>

/** Turns uploads into profile images: validated, upright, at most 1024 × 1024, and without metadata. */
export function profileImages(images: Images) {
  return {
    /** @throws 400 if the image exceeds the documented bounds or is none; 503 if too many wait */
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
