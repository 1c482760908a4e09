import { z } from 'zod'
import { moment } from '../../platform/schema.ts'
import { UploadResult } from '../files/schema.ts'

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *;[\x20-\x7e]*)?$/

export const PresignBody = z
  .object({
    fileName: z.string().min(1).max(1024).describe('For display; the file is kept under a key of our own'),
    contentType: z
      .string()
      .trim()
      .max(255)
      .regex(MEDIA_TYPE, 'must be a media type such as image/png; application/octet-stream for anything else')
      .describe('What the file will be, and what the PUT must say'),
    fileSize: z.int().min(1).optional().describe('Bytes. When given, the PUT must send exactly so many'),
    direct: z
      .boolean()
      .optional()
      .describe(
        'Asks for an address of the storage itself, where there is one; needs fileSize. What is put there is checked on its first use',
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
    uploadUrl: z.url().describe('Where to PUT the bytes, once, until expiresAt'),
    key: z.string(),
    url: z.url().describe('The address of the file once it is there; 404 until then'),
    fileId: z.int().min(1).describe('The id of the file once it is there'),
    headers: z.record(z.string(), z.string()).describe('What the PUT must carry, beside Content-Length'),
    expiresAt: moment,
  })
  .meta({ id: 'PresignAnswer' })
export type PresignAnswer = z.infer<typeof PresignAnswer>

/** A file that was announced. */
export type Reservation = {
  id: number
  key: string
  fileName: string
  contentType: string
  /** Bytes at most or, when exact, bytes. */
  size: number
  isExact: boolean
  userId: string | null
}

export const ResumableParams = z.object({ id: z.string() })

export const ResumableState = z
  .object({
    id: z.string(),
    status: z.enum(['uploading', 'finished']),
    uploadOffset: z.int().describe('Bytes that have arrived'),
    uploadLength: z.int().nullable().describe('Bytes in all; null as long as the sender has not said'),
    fileName: z.string(),
    expiresAt: moment.describe('When the upload (not the file it became) is forgotten'),
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
  /** The file it becomes, once that is chosen. */
  fileId: number | null
  key: string | null
  /** In which folder its bytes are, once there are some. */
  folder: string | null
  finishedAt: string | null
  createdAt: string
}
