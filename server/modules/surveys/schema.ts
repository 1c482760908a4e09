import { z } from 'zod'
import { moment, queryBoolean } from '../../platform/schema.ts'
import { recordId, Transformation } from '../places/schema.ts'

const CsvStatus = z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'])

const OnError = z.enum(['skip', 'abort'])

/** The largest survey file, in bytes, however it comes in. */
export const MOST_SURVEY_BYTES = 50 * 2 ** 20

export const CsvUpload = z
  .object({
    id: z.uuid(),
    fileName: z.string(),
    fileUrl: z.string().nullable().describe('For its owner and ops'),
    status: CsvStatus,
    errorMessage: z.string().nullable().describe('Why it failed, which rows were left out, or that it waits for room'),
    rowCount: z.int().nullable().describe('Data rows found, bad ones included'),
    processedRows: z.int().nullable().describe('Rows applied'),
    userId: z.string().nullable().describe('For its owner and ops'),
    zoneId: z.int(),
    dryRun: z.boolean().describe('Everything is read and checked, nothing written'),
    onError: OnError,
    crs: z.string().nullable().describe('The reference system it was sent with'),
    header: z
      .string()
      .nullable()
      .describe('The header line it was sent with; for its owner, the owner of the zone and ops'),
    layer: z.string().nullable().describe('The layer or sheet it was sent with'),
    angles: z.string().nullable().describe('The writing of angles it was sent with'),
    maxError: z.number().nullable().describe('The largest error in metres it was sent with'),
    heightDatum: z.string().nullable().describe('The height datum it was sent with'),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'CsvUpload' })
export type CsvUpload = z.infer<typeof CsvUpload>

export const NewCsvUpload = z
  .object({
    fileName: z.string().min(1).max(255),
    fileUrl: z
      .string()
      .min(1)
      .max(2048)
      .describe(
        'The address of a file uploaded to this service, or on one of the hosts it accepts files from (CAIRN_IMPORT_HOSTS)',
      ),
    zoneId: recordId,
    rowCount: z
      .int()
      .min(0)
      .nullish()
      .describe('Shown until the rows are counted; more than 2,147,483,647 is not kept'),
    userId: z.string().nullish().describe('Whose import it is: the caller’s; ops may name another'),
  })
  .meta({ id: 'NewCsvUpload' })
export type NewCsvUpload = z.infer<typeof NewCsvUpload>

/** How a file is to be read, where it does not say so itself. */
export const ReadingOptions = z.object({
  crs: z
    .string()
    .max(500)
    .optional()
    .describe(
      'The reference system of the coordinates, for a file that names none: a code of EPSG or ESRI such as EPSG:25833, two joined by + (EPSG:25832+7837), a name, or proj text',
    ),
  header: z
    .string()
    .min(1)
    .max(5000)
    .regex(/^[^\r\n]*$/, 'is one line')
    .optional()
    .describe(
      'The header line to read the file by, in its own delimiter: in place of the one it has, or on top of a file without one',
    ),
  layer: z.string().min(1).max(255).optional().describe('The layer or sheet to read, of a file that has several'),
  angles: z
    .enum(['decimal', 'dms-packed'])
    .optional()
    .describe(
      'How figures under latitude and longitude are meant where the file leaves it open: decimal degrees, or degrees, minutes and seconds run together (DD.MMSSsss)',
    ),
  maxError: z.coerce
    .number()
    .min(0.001)
    .max(10_000)
    .optional()
    .describe(
      'Metres that the way from the reference system to WGS84 may be off. Rows that would be off by more are refused; without it only those for which nobody states an accuracy are',
    ),
  heightDatum: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'What heights are above where the file does not say so: ellipsoid, unknown, a geoid (EGM96), or a vertical system (EPSG:7837)',
    ),
})
export type ReadingOptions = z.infer<typeof ReadingOptions>

export const ImportOptions = ReadingOptions.extend({
  dryRun: queryBoolean.default(false).describe('Read and check everything, write nothing but the report'),
  onError: OnError.default('skip').describe('abort: one row that cannot be read, and nothing is imported'),
})
export type ImportOptions = z.infer<typeof ImportOptions>

/** What a retry changes; the rest stays as it was sent. */
export const RetryOptions = ReadingOptions.extend({
  onError: ImportOptions.shape.onError.unwrap().optional().describe(ImportOptions.shape.onError.description!),
})
export type RetryOptions = z.infer<typeof RetryOptions>

export const ZoneUploads = z.object({
  zoneId: z.int(),
  zoneName: z.string(),
  csvFiles: z.array(CsvUpload),
  totalFiles: z.int(),
})

export const ReportRow = z.object({
  row: z.int().nullable().describe('Data row from 1; null for the whole file'),
  line: z.int().nullable().describe('Line of the file that the row begins on'),
  title: z.string().nullable(),
  status: z
    .enum(['failed', 'warning'])
    .describe('A row of status failed was not imported; a warning concerns one that was'),
  errors: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      path: z.array(z.union([z.string(), z.number()])),
      column: z.string().nullable().describe("The column, by the file's own word; null when it is not about one"),
      value: z.string().nullable(),
    }),
  ),
})
export type ReportRow = z.infer<typeof ReportRow>

/** Which findings a list shows. */
export const FindingFilter = z.object({
  status: ReportRow.shape.status.optional().describe('Those that failed, or those that were imported with a warning'),
  cause: z.string().min(1).max(100).optional().describe('Those with this code among their errors'),
})
export type FindingFilter = z.infer<typeof FindingFilter>

export const FindingList = z.object({ findings: z.array(ReportRow) }).meta({ id: 'CsvUploadFindingList' })

const Cause = z.object({
  status: ReportRow.shape.status,
  code: z.string(),
  count: z.int().min(1).describe('How many errors of rows it is'),
})

const UsedTransformation = Transformation.extend({
  points: z.int().describe('Points that were brought to WGS84 by it'),
})

const UsedHeights = z
  .object({
    datum: z.string().describe('As heightDatum of a control point has it'),
    operation: z.string().nullable().describe('The geoid model; null for heights that stayed what they are'),
    accuracy: z.number().nullable().describe('Metres it may be off; null where nobody states it'),
    points: z.int().describe('How many of the points it concerns'),
  })
  .meta({ id: 'UsedHeights' })

const Detected = z.object({
  format: z.string().optional().describe('The kind of file, such as csv or gpx'),
  delimiter: z.string().nullable().describe('The sign, or whitespace; null for a kind of file that has none'),
  encoding: z.string().nullable(),
  layer: z.string().nullable().optional().describe('The layer or sheet that was read, of a file that may hold several'),
  layers: z.array(z.string()).optional().describe('All layers or sheets of the file'),
  decimal: z.string().nullable(),
  crs: z.string().nullable().describe('The reference system of the coordinates'),
  header: z.boolean().describe('Whether its first line names the columns'),
  columns: z.record(z.string(), z.string()).describe('What was found, and in which column'),
  fields: z
    .array(z.object({ name: z.string(), role: z.string().nullable() }))
    .optional()
    .describe('Every column in the file’s order and what it was taken for; null: it is not used'),
  cells: z
    .array(z.array(z.string()))
    .optional()
    .describe(
      'The first three rows as they stand, cells cut short; for the owner of the file or of its zone and ops, else empty',
    ),
  transformations: z
    .array(UsedTransformation)
    .optional()
    .describe('What brought the points to WGS84, known when all rows were read; empty for coordinates on WGS84'),
  heights: z
    .array(UsedHeights)
    .optional()
    .describe('What the heights are above, and what brought them to the ellipsoid, known when all rows were read'),
})

const SamplePoint = z.object({
  row: z.int(),
  title: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  status: z.enum(['new', 'known', 'failed']).describe('known: the zone has a point of this title'),
})

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
    detected: Detected.nullable().describe('What the file was taken for; null until that is known'),
    points: z
      .array(SamplePoint)
      .describe(
        'Of a dry run, the points among the first 2,000 rows, to be shown on a map, for the owner of the file or of its zone and ops; else empty',
      ),
    causes: z
      .array(Cause)
      .describe('What is wrong with rows, counted by code, the most frequent first; not what concerns the whole file'),
    rows: z.array(ReportRow).describe('In the order of the file; with rows=file those of the whole file alone'),
  })
  .meta({ id: 'CsvUploadReport' })
export type Report = z.infer<typeof Report>
