import { z } from 'zod'
import { listCursor, listLimit, pathInteger, queryBoolean, timestamp } from '../../../platform/schema.ts'
import { ConversionOptions } from '../conversion/schema.ts'
import { ConversionReport, ConversionStatus } from '../schema.ts'

const FileKind = z.enum(['model', 'image', 'other'])

const UserFileConversion = z
  .object({
    status: ConversionStatus,
    usdzUrl: z.url().nullable().describe('The URL of the USDZ, once converted'),
    errorMessage: z.string().nullable().describe('Why the conversion failed'),
  })
  .meta({ id: 'UserFileConversion' })

const report = ConversionReport.nullable().describe(
  'What the result contains and what it shows differently, once converted',
)
const WITH_OPTIONS = 'Conversions with options, the oldest first'

const OptionedConversion = UserFileConversion.extend({
  glbUrl: z.url().nullable().describe('The URL of the GLB, once converted with `format=glb`'),
  options: ConversionOptions,
}).meta({ id: 'OptionedConversion' })

export const UserFile = z
  .object({
    fileId: z.int().min(1),
    fileName: z.string(),
    url: z.url().describe('Signed, for at least an hour, if the file belongs to a private scan'),
    contentType: z.string().describe('Detected from the bytes'),
    bytes: z.int(),
    createdAt: timestamp,
    userId: z.string().nullable().describe('The uploader; `null` if the file was sent without a session'),
    conversion: UserFileConversion.nullable().describe('`null` if nobody requested a conversion without options'),
    conversionsWithOptions: z.array(OptionedConversion).describe(WITH_OPTIONS),
  })
  .meta({ id: 'UserFile' })
export type UserFile = z.infer<typeof UserFile>

export const UserFileList = z.object({ files: z.array(UserFile) }).meta({ id: 'UserFileList' })

export const UserFileDetail = UserFile.extend({
  conversion: UserFileConversion.extend({ report })
    .meta({ id: 'UserFileConversionDetail' })
    .nullable()
    .describe('`null` if nobody requested a conversion without options'),
  conversionsWithOptions: z
    .array(OptionedConversion.extend({ report }).meta({ id: 'OptionedConversionDetail' }))
    .describe(WITH_OPTIONS),
}).meta({ id: 'UserFileDetail' })
export type UserFileDetail = z.infer<typeof UserFileDetail>

export const UserFileParams = z.object({ fileId: pathInteger.describe('File ID') })

export const UserFileQuery = z.object({
  search: z.string().trim().max(255).optional().describe('Part of the file name; case-insensitive'),
  kind: FileKind.optional().describe('By the media type: `model/…`, `image/…` or any other'),
  all: queryBoolean.optional().describe("List everyone's files; requires ops or admin"),
  limit: listLimit(100, 1000),
  cursor: listCursor,
})
export type UserFileQuery = z.infer<typeof UserFileQuery>
