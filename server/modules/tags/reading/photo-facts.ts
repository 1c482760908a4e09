import type { DetectedTag } from '../detector/detector.ts'

/** What the camera wrote into a photo. */
export type PhotoExif = {
  lat: number | null
  lon: number | null
  /** Metres above the sea or the ellipsoid, as the camera has it. */
  h: number | null
  /** ISO 8601 in UTC. */
  takenAt: string | null
  /** Focal length in millimetres of a camera with 35 mm film. */
  focalLength35: number | null
}

/** What a photo shows. Pixels are those of the stored image, before a viewer turns it by its EXIF orientation. */
export type PhotoFacts = {
  width: number
  height: number
  tags: DetectedTag[]
  /** Null if it says none of these. */
  exif: PhotoExif | null
  /** Both from 0 to 1: `sharpness` is 0 without a sharp edge, `exposure` is the mean brightness. */
  quality: { sharpness: number; exposure: number }
}

/** The photo cannot be read. The message is a sentence for its sender; a retry would fail the same way. */
export class PhotoFault extends Error {}
