import { z } from 'zod'
import { timestamp } from '../../platform/schema.ts'
import { UploadResult } from '../files/schema.ts'

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *;[\x20-\x7e]*)?$/

export const PresignBody = z
  .object({
    fileName: z.string().min(1).max(1024).describe('For display; the file is stored under a generated key'),
    contentType: z
      .string()
      .trim()
      .max(255)
      .regex(MEDIA_TYPE, 'must be a media type such as image/png; application/octet-stream for anything else')
      .describe('The type of the file, and the Content-Type of the PUT'),
    fileSize: z.int().min(1).optional().describe('Bytes; if given, the PUT must send exactly as many'),
    direct: z
      .boolean()
      .optional()
      .describe(
        'Requests a URL of the storage itself, if it has any; requires `fileSize`. The file is checked on its first use',
      ),
  })
  .refine(({ direct, fileSize }) => !direct || fileSize !== undefined, {
    message: 'must be given for a direct upload',
    path: ['fileSize'],
  })
  .meta({ id: 'PresignBody' })
export type PresignBody = z.infer<typeof PresignBody>

export const PresignAnswer = z
  .object({
    uploadUrl: z.url().describe('Where to PUT the bytes, once, until `expiresAt`'),
    key: z.string().describe('The key of the object in the storage'),
    url: z.url().describe('The URL of the file once it is uploaded; 404 until then'),
    fileId: z.int().min(1).describe('The ID of the file once it is uploaded'),
    headers: z.record(z.string(), z.string()).describe('The headers that the PUT must carry, besides Content-Length'),
    expiresAt: timestamp.describe('When `uploadUrl` expires'),
  })
  .meta({ id: 'PresignAnswer' })
export type PresignAnswer = z.infer<typeof PresignAnswer>

/** An announced file. */
export type Reservation = {
  id: number
  key: string
  fileName: string
  contentType: string
  /** Maximum number of bytes or, if exact, their number. */
  size: number
  isExact: boolean
  userId: string | null
}

export const ResumableParams = z.object({ id: z.string().describe('Upload ID') })

export const ResumableState = z
  .object({
    id: z.string(),
    status: z.enum(['uploading', 'finished']),
    uploadOffset: z.int().describe('Bytes received'),
    uploadLength: z.int().nullable().describe('Total bytes; `null` until the sender states it'),
    fileName: z.string(),
    expiresAt: timestamp.describe('When the record of the upload (not the resulting file) is deleted'),
    result: UploadResult.nullable().describe('The file, once the upload is finished'),
  })
  .meta({ id: 'ResumableState' })
export type ResumableState = z.infer<typeof ResumableState>

/** What the sender says of a file: names and values of the tus header Upload-Metadata. */
export type Metadata = Record<string, string | null>

/** An upload over the tus protocol. */
export type Resumable = {
  id: string
  size: number | null
  metadata: Metadata | null
  userId: string | null
  appId: string | null
  /** The file it becomes, once assigned. */
  fileId: number | null
  key: string | null
  /** The folder of its bytes, once there are some. */
  folder: string | null
  finishedAt: string | null
  createdAt: string
}
