import { z } from 'zod'
import { listCursor, listLimit, moment, pathInteger, queryBoolean } from '../../../platform/schema.ts'
import { ConversionReport, ConversionStatus } from '../schema.ts'

const FileKind = z.enum(['model', 'image', 'other'])

const UserFileConversion = z
  .object({
    status: ConversionStatus,
    usdzUrl: z.url().nullable().describe('The USDZ, once converted'),
    errorMessage: z.string().nullable().describe('Why there will be none'),
  })
  .meta({ id: 'UserFileConversion' })

export const UserFile = z
  .object({
    fileId: z.int().min(1),
    fileName: z.string(),
    url: z.url().describe('Of the file of a private scan signed, for an hour at least'),
    contentType: z.string().describe('Found in the bytes'),
    bytes: z.int(),
    createdAt: moment,
    userId: z.string().nullable().describe('Whose it is; null for one that was sent without a session'),
    conversion: UserFileConversion.nullable().describe('null where nobody asked for one'),
  })
  .meta({ id: 'UserFile' })
export type UserFile = z.infer<typeof UserFile>

export const UserFileList = z.object({ files: z.array(UserFile) }).meta({ id: 'UserFileList' })

export const UserFileDetail = UserFile.extend({
  conversion: UserFileConversion.extend({
    report: ConversionReport.nullable().describe('What the USDZ holds and shows differently, once converted'),
  })
    .meta({ id: 'UserFileConversionDetail' })
    .nullable()
    .describe('null where nobody asked for one'),
}).meta({ id: 'UserFileDetail' })
export type UserFileDetail = z.infer<typeof UserFileDetail>

export const UserFileParams = z.object({ fileId: pathInteger })

export const UserFileQuery = z.object({
  search: z.string().trim().max(255).optional().describe('A part of the file name, whatever its case'),
  kind: FileKind.optional(),
  all: queryBoolean.optional().describe("For ops and admins: everybody's files"),
  limit: listLimit(100, 1000),
  cursor: listCursor,
})
export type UserFileQuery = z.infer<typeof UserFileQuery>
