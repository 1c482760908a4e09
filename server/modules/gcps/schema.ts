import { z } from 'zod'
import { httpAddress, moment, queryBoolean, queryInteger, queryNumber } from '../../platform/schema.ts'
import { UploadedFile } from '../photos/schema.ts'
import { GeoPose, Pin, recordId, title } from '../places/schema.ts'

const GcpType = z.enum(['SINGLE', 'MULTI'])
const aprilTagId = z.int().min(0).max(50).describe('Of the family tag36h11')

export const Gcp = z
  .object({
    id: recordId,
    title: z.string(),
    description: z.string().nullable(),
    gcpType: GcpType,
    altitude: z.number().nullable(),
    aprilTagId: aprilTagId.nullable(),
    gcpData: z.string().nullable(),
    photoUrls: z.array(z.string()),
    zoneId: z.int().nullable(),
    pin: Pin.nullable(),
    zone: z.object({ id: z.int(), title: z.string() }).nullable(),
    uploadedFiles: z.array(UploadedFile).describe('The records of those in photoUrls that were uploaded here'),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Gcp' })
export type Gcp = z.infer<typeof Gcp>

const uploadedFileIds = z
  .array(recordId)
  .max(100)
  .describe('Images that were uploaded before, by the same user or without a session: shown after photoUrls')

export const NewGcp = z
  .object({
    title,
    description: z.string().max(2000).nullish(),
    gcpType: GcpType,
    geoPose: GeoPose.nullish(),
    altitude: z.number().nullish().describe('Absent: the height of geoPose'),
    aprilTagId: aprilTagId.nullish(),
    gcpData: z.string().max(65_536).nullish(),
    photoUrls: z.array(httpAddress).max(3).default([]),
    uploadedFileIds: uploadedFileIds.default([]),
    zoneId: recordId.nullish(),
  })
  .meta({ id: 'NewGcp' })
export type NewGcp = z.infer<typeof NewGcp>

/** Absent: unchanged; null: cleared. */
export const GcpChange = z
  .object({
    title,
    description: z.string().max(2000).nullish(),
    geoPose: GeoPose.nullish().describe('Moves the pin'),
    altitude: z.number().nullish(),
    aprilTagId: aprilTagId.nullish(),
    photoUrls: z.array(httpAddress).max(100).optional().describe('Replaces the list'),
    uploadedFileIds: uploadedFileIds.optional(),
  })
  .meta({ id: 'GcpChange' })
export type GcpChange = z.infer<typeof GcpChange>

export const GcpListQuery = z.object({
  zoneId: queryInteger.pipe(recordId).optional(),
  limit: queryInteger.pipe(z.int().min(1).max(10_000)).default(10_000),
  cursor: z
    .string()
    .regex(/^\d{1,17}\.\d{1,16}$/, 'must be the cursor of a Link header')
    .optional(),
})

export const TagConflict = z
  .object({
    gcpId: z.int(),
    title: z.string(),
    aprilTagId,
    zoneId: z.int().nullable(),
    zoneTitle: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    distance: z.number().nullable().describe('Metres; null without a point to measure from'),
  })
  .meta({ id: 'AprilTagConflict' })
export type TagConflict = z.infer<typeof TagConflict>

export const TagQuery = z
  .object({
    aprilTagId: queryInteger.pipe(aprilTagId),
    latitude: queryNumber.pipe(z.number().min(-90).max(90)).optional(),
    longitude: queryNumber.pipe(z.number().min(-180).max(180)).optional(),
    excludeGcpId: queryInteger.pipe(recordId).optional(),
  })
  .superRefine(({ latitude, longitude }, context) => {
    if ((latitude === undefined) === (longitude === undefined)) return
    const path = [latitude === undefined ? 'latitude' : 'longitude']
    context.addIssue({ code: 'custom', message: 'latitude and longitude go together', path })
  })
export type TagQuery = z.infer<typeof TagQuery>

export const TagAnswer = z
  .object({
    available: z.boolean(),
    conflicts: z.array(TagConflict),
    suggestedIds: z.array(z.int()).describe('Tags that are free here, up to five'),
  })
  .meta({ id: 'AprilTagAnswer' })
export type TagAnswer = z.infer<typeof TagAnswer>

const CsvStatus = z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'])

export const CsvUpload = z
  .object({
    id: z.uuid(),
    fileName: z.string(),
    fileUrl: z.string().nullable().describe('For its owner and ops'),
    status: CsvStatus,
    errorMessage: z.string().nullable().describe('Why it failed, or which rows were left out'),
    rowCount: z.int().nullable().describe('Data rows found, bad ones included'),
    processedRows: z.int().nullable().describe('Rows applied'),
    userId: z.string().nullable().describe('For its owner and ops'),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'CsvUpload' })
export type CsvUpload = z.infer<typeof CsvUpload>

export const NewCsvUpload = z
  .object({
    fileName: z.string().min(1).max(255),
    fileUrl: z.string().min(1).max(2048).describe('The address of a file uploaded to this service'),
    zoneId: recordId,
    rowCount: z.int().min(0).max(2_147_483_647).nullish(),
    userId: z.string().nullish(),
  })
  .meta({ id: 'NewCsvUpload' })
export type NewCsvUpload = z.infer<typeof NewCsvUpload>

export const ImportOptions = z.object({
  dryRun: queryBoolean.default(false).describe('Read and check everything, write nothing but the report'),
  onError: z
    .enum(['skip', 'abort'])
    .default('skip')
    .describe('abort: one row that cannot be read, and nothing is imported'),
  crs: z
    .string()
    .max(500)
    .optional()
    .describe('The reference system of the coordinates, such as EPSG:25833, for a file that names none'),
})
export type ImportOptions = z.infer<typeof ImportOptions>

export const ZoneUploads = z.object({
  zoneId: z.int(),
  zoneName: z.string(),
  csvFiles: z.array(CsvUpload),
  totalFiles: z.int(),
})

export const ReportRow = z.object({
  row: z.int().nullable().describe('Data row from 1; null for the whole file'),
  line: z.int().nullable(),
  title: z.string().nullable(),
  status: z.enum(['failed', 'warning']),
  errors: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      path: z.array(z.union([z.string(), z.number()])),
      value: z.string().nullable(),
    }),
  ),
})
export type ReportRow = z.infer<typeof ReportRow>

export const Report = z
  .object({
    uploadId: z.uuid(),
    summary: z.object({
      rows: z.int(),
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      failed: z.int(),
      warnings: z.int(),
    }),
    detected: z.unknown().describe('What the file was found to be: delimiter, encoding, decimal, crs, columns'),
    rows: z.array(ReportRow),
  })
  .meta({ id: 'CsvUploadReport' })
export type Report = z.infer<typeof Report>
