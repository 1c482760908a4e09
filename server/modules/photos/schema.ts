import { z } from 'zod'
import { moment, pathInteger } from '../../platform/schema.ts'

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
    uploadedAt: moment,
  })
  .meta({ id: 'UploadedFile' })
export type UploadedFile = z.infer<typeof UploadedFile>

export const Photos = z.object({ status: z.enum(['success']), files: z.array(UploadedFile) })
export const PhotosKept = Photos.extend({ message: z.string() })
export type PhotosKept = z.infer<typeof PhotosKept>
