import { z } from 'zod'
import { fileAddress, pathInteger, timestamp } from '../../platform/schema.ts'

const binary = z.string().meta({ format: 'binary' })

/** Maximum number of photos per request. */
export const MAX_PHOTOS = 3
/** Maximum number of photos per GCP. */
export const MAX_OF_GCP = 100

export const RelocalizationForm = z.object({ file: binary }).meta({ id: 'RelocalizationForm' })
export const RelocalizationAnswer = z
  .object({ url: z.url(), key: z.string().describe('The key of the object in the storage') })
  .meta({ id: 'RelocalizationAnswer' })
export type RelocalizationAnswer = z.infer<typeof RelocalizationAnswer>

export const PhotosQuery = z.object({
  gcpId: pathInteger.describe('Ground control point ID'),
  userId: z.string().optional().describe('Only photos of this user'),
})

export const PhotosForm = z
  .object({
    files: z.array(binary).max(MAX_PHOTOS),
    gcpId: z
      .string()
      .optional()
      .describe('The ground control point to add the photos to; to add them later, use `uploadedFileIds`'),
    userId: z.string().optional().describe('The uploader: the caller; ops may name another user'),
  })
  .meta({ id: 'PhotosForm' })

/** The text fields of a PhotosForm. */
export const PhotosTexts = z.object({ gcpId: pathInteger.optional(), userId: z.string().min(1).optional() })
export type PhotosTexts = z.infer<typeof PhotosTexts>

const pixel = z.tuple([z.number(), z.number()])
const corners = z.tuple([pixel, pixel, pixel, pixel])

/** An AprilTag in a photo. */
export const PhotoTag = z
  .object({
    id: z.int().min(0),
    family: z.enum(['tag36h11']),
    source: z
      .enum(['detector', 'hand'])
      .describe('`hand`: a person placed the corners, which count instead of those that the detector found'),
    corners: corners.describe(
      'The corners of its black border, named as on the upright tag: bottom left, bottom right, top right, top left',
    ),
    center: pixel.describe('Where its diagonals meet: the point on the tag that was surveyed, also if it is tilted'),
    hamming: z.int().min(0).describe('Wrong bits that were corrected; 0 for corners placed by hand'),
    margin: z
      .number()
      .describe(
        'How clearly its bits are black or white: the mean difference from the threshold, of 255 levels; 0 for corners placed by hand',
      ),
  })
  .describe(
    'Pixels of the stored image, to the right and down, before it is turned by its EXIF orientation. The center of the top left pixel is [0, 0]',
  )
  .meta({ id: 'PhotoTag' })
export type PhotoTag = z.infer<typeof PhotoTag>
/** As the check found it. */
export type DetectedPhotoTag = Omit<PhotoTag, 'source'>
export type Corners = PhotoTag['corners']

export const PlacedCorners = z
  .strictObject({
    corners: corners.describe(
      'Bottom left, bottom right, top right and top left of the black border, as on the upright tag: so counter-clockwise in the image. Pixels as in `tags`',
    ),
  })
  .meta({ id: 'PlacedCorners' })

const TagCheck = z.enum(['pending', 'match', 'mismatch', 'none', 'unreadable'])

const PhotoExif = z
  .object({
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    h: z.number().nullable().describe('Metres above the sea or the ellipsoid, as the camera has it'),
    takenAt: timestamp.nullable().describe('`null` if the camera gave no time zone'),
    focalLength35: z.number().nullable().describe('Millimetres, of a camera with 35 mm film'),
    distanceToGcp: z.number().nullable().describe('Metres from the point, without heights'),
  })
  .meta({ id: 'PhotoExif' })

/** What the check of a photo found. */
export const photoCheckResult = {
  tags: z.array(PhotoTag).describe('The AprilTags that it shows'),
  tagCheck: TagCheck.describe(
    '`match`: it shows the tag of the point. `mismatch`: it shows only other tags. `none`: it shows no tag, or the point has none. `unreadable`: it cannot be read. `pending`: it is not checked yet',
  ),
  width: z.int().nullable().describe('Pixels of the stored image; `null` until it is checked'),
  height: z.int().nullable(),
  exif: PhotoExif.nullable().describe('What the camera wrote; `null` if it wrote none of it'),
  quality: z
    .object({
      sharpness: z.number().describe('From 0, no sharp edge, to 1. Below 0.35 it is blurred'),
      exposure: z.number().describe('Mean brightness, from 0 to 1'),
    })
    .meta({ id: 'PhotoQuality' })
    .nullable(),
  notes: z.array(z.string()).describe('What to correct, in sentences'),
}
export type PhotoCheckResult = { [Name in keyof typeof photoCheckResult]: z.infer<(typeof photoCheckResult)[Name]> }

export const RelocalizationQuery = z.object({
  url: fileAddress.describe('As the upload returned it, or the `relocalizationPhotoUrl` of a pin'),
})
const { tags, width, height, quality, notes } = photoCheckResult

/** What a relocalization photo shows. */
export const RelocalizationPhoto = z
  .object({
    url: z.string(),
    tagCheck: z
      .enum(['pending', 'found', 'none', 'unreadable'])
      .describe('Whether it shows AprilTags. `unreadable`: it cannot be read. `pending`: it is not checked yet'),
    ...{ tags, width, height, quality, notes },
  })
  .meta({ id: 'RelocalizationPhoto' })
export type RelocalizationPhoto = z.infer<typeof RelocalizationPhoto>

export const UploadedFile = z
  .object({
    id: z.int(),
    fileName: z.string(),
    fileUrl: z.string(),
    fileSize: z.int().min(0),
    mimeType: z.string(),
    bucketPath: z.string().describe('The key of the object in the storage'),
    gcpId: z.int().nullable(),
    userId: z.string().nullable(),
    uploadedAt: timestamp,
    ...photoCheckResult,
  })
  .meta({ id: 'UploadedFile' })
export type UploadedFile = z.infer<typeof UploadedFile>

export const Photos = z.object({ status: z.enum(['success']), files: z.array(UploadedFile) })
export const PhotosKept = Photos.extend({ message: z.string() })
export type PhotosKept = z.infer<typeof PhotosKept>
