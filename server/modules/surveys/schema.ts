import { z } from 'zod'
import { queryBoolean, timestamp } from '../../platform/schema.ts'
import { recordId, Transformation } from '../places/schema.ts'

const CsvStatus = z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'])

const OnError = z.enum(['skip', 'abort'])

/** Maximum size of a survey file in bytes, uploaded or downloaded. */
export const MAX_SURVEY_BYTES = 50 * 2 ** 20

export const CsvUpload = z
  .object({
    id: z.uuid(),
    fileName: z.string(),
    fileUrl: z.string().nullable().describe('Shown to its owner and ops'),
    status: CsvStatus,
    errorMessage: z
      .string()
      .nullable()
      .describe('Why it failed, which rows were skipped, or that it waits for disk space'),
    rowCount: z.int().nullable().describe('Data rows found, including bad ones'),
    processedRows: z.int().nullable().describe('Rows applied'),
    userId: z.string().nullable().describe('Shown to its owner and ops'),
    zoneId: z.int(),
    dryRun: z.boolean().describe('Reads and checks everything, writes nothing'),
    onError: OnError,
    crs: z.string().nullable().describe('The reference system given with the import'),
    header: z
      .string()
      .nullable()
      .describe(
        'The header line given with the import; shown to its owner, the owner and editors of the zone, and ops',
      ),
    layer: z.string().nullable().describe('The layer or sheet given with the import'),
    angles: z.string().nullable().describe('The notation of angles given with the import'),
    maxError: z.number().nullable().describe('The largest allowed error given with the import, in metres'),
    heightDatum: z.string().nullable().describe('The height datum given with the import'),
    swapAxes: z.boolean().describe('Whether rows with swapped axes are read by exchanging their coordinates'),
    createdAt: timestamp,
    updatedAt: timestamp,
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
        'The URL of a file uploaded to this service, or on a host that it accepts files from (`CAIRN_IMPORT_HOSTS`)',
      ),
    zoneId: recordId,
    rowCount: z
      .int()
      .min(0)
      .nullish()
      .describe('Shown until the rows are counted; more than 2,147,483,647 is not stored'),
    userId: z.string().nullish().describe('The owner of the import: the caller; ops may name another user'),
  })
  .meta({ id: 'NewCsvUpload' })
export type NewCsvUpload = z.infer<typeof NewCsvUpload>

/**
 * A plus in a query is a space unless it is escaped: those of `EPSG:25833+7837`, `+proj=utm +zone=33` and
 * `RD New + NAP height` come back. WKT and PROJJSON are kept as they are.
 */
const withPluses = (crs: string): string =>
  /^ ?\+?proj=\w/.test(crs)
    ? crs.trim().replace(/(^|\s+)\+?(?=[a-z])/gi, (_, gap) => (gap ? ' +' : '+'))
    : /["[{]/.test(crs)
      ? crs
      : crs.replace(/(?<=\S) {3}(?=\S)/, ' + ').replace(/^([a-z]{2,12}:\w{1,40}) (?=(?:[a-z]{2,12}:)?\d{4,6}$)/i, '$1+')

/** Options for what a file does not define itself. */
export const ReadingOptions = z.object({
  crs: z
    .string()
    .max(500)
    .overwrite(withPluses)
    .optional()
    .describe(
      'The reference system of the coordinates, for a file that names none: an EPSG or ESRI code such as EPSG:25833, two joined by + (EPSG:25832+7837), a name, or PROJ text',
    ),
  header: z
    .string()
    .min(1)
    .max(5000)
    .regex(/^[^\r\n]*$/, 'is one line')
    .optional()
    .describe(
      "The header line to read the file by, in the file's delimiter: it replaces the header of the file, or is added to a file without one",
    ),
  layer: z.string().min(1).max(255).optional().describe('The layer or sheet to read, if the file has several'),
  angles: z
    .enum(['decimal', 'dms-packed'])
    .optional()
    .describe(
      'How to read latitudes and longitudes if the file leaves it open: decimal degrees, or degrees, minutes and seconds run together (DD.MMSSsss)',
    ),
  maxError: z.coerce
    .number()
    .min(0.001)
    .max(10_000)
    .optional()
    .describe(
      'Largest allowed error, in metres, of the transformation to WGS84. Rows with a larger error are refused. Without it, only transformations that leave the difference of the datums out are refused',
    ),
  heightDatum: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'What heights are above if the file does not say: `ellipsoid`, `unknown`, a geoid (EGM96), or a vertical system (EPSG:7837)',
    ),
  swapAxes: queryBoolean
    .optional()
    .describe(
      'Reads each row whose coordinates are only valid in the other order by exchanging them, with the warning AXES_SWAPPED. Without it, such rows are refused',
    ),
})
export type ReadingOptions = z.infer<typeof ReadingOptions>

export const ImportOptions = ReadingOptions.extend({
  dryRun: queryBoolean.default(false).describe('Reads and checks everything, writes only the report'),
  onError: OnError.default('skip').describe('`abort`: if a row cannot be read, nothing is imported'),
})
export type ImportOptions = z.infer<typeof ImportOptions>

/** Options that a retry changes; the others are kept. */
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
  row: z.int().nullable().describe('Number of the data row, from 1; `null` for the file as a whole'),
  line: z.int().nullable().describe('Line of the file on which the row begins'),
  title: z.string().nullable(),
  status: z.enum(['failed', 'warning']).describe('`failed`: the row was not imported; `warning`: it was'),
  errors: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      path: z.array(z.union([z.string(), z.number()])),
      column: z
        .string()
        .nullable()
        .describe('The column, as named in the file; `null` if the fault concerns no column'),
      value: z.string().nullable().describe('The value at fault'),
    }),
  ),
})
export type ReportRow = z.infer<typeof ReportRow>

/** Filters of the list of findings. */
export const FindingFilter = z.object({
  status: ReportRow.shape.status.optional().describe('Rows that failed, or rows imported with a warning'),
  cause: z.string().min(1).max(100).optional().describe('Rows with this code among their errors'),
})
export type FindingFilter = z.infer<typeof FindingFilter>

export const FindingList = z.object({ findings: z.array(ReportRow) }).meta({ id: 'CsvUploadFindingList' })

const Cause = z.object({
  status: ReportRow.shape.status,
  code: z.string(),
  count: z.int().min(1).describe('Number of row errors with this code'),
})

const UsedTransformation = Transformation.extend({
  points: z.int().describe('Number of points transformed to WGS84 by it'),
})

const UsedHeights = z
  .object({
    datum: z.string().describe('As `heightDatum` of a ground control point'),
    operation: z.string().nullable().describe('The geoid model; `null` for heights that were not changed'),
    accuracy: z.number().nullable().describe('Accuracy in metres; `null` if not stated'),
    points: z.int().describe('Number of points'),
  })
  .meta({ id: 'UsedHeights' })

const Detected = z.object({
  format: z.string().optional().describe('The kind of file, such as csv or gpx'),
  delimiter: z
    .string()
    .nullable()
    .describe('The character, or `whitespace`; `null` for a kind of file without delimiter'),
  encoding: z.string().nullable().describe('The character encoding'),
  layer: z
    .string()
    .nullable()
    .optional()
    .describe('The layer or sheet that was read, for a kind of file that can have several'),
  layers: z.array(z.string()).optional().describe('All layers or sheets of the file'),
  decimal: z.string().nullable().describe('The decimal separator'),
  crs: z.string().nullable().describe('The reference system of the coordinates'),
  header: z.boolean().describe('Whether its first line names the columns'),
  columns: z.record(z.string(), z.string()).describe('What was found, and in which column'),
  fields: z
    .array(z.object({ name: z.string(), role: z.string().nullable() }))
    .optional()
    .describe('Each column, in the order of the file, and what it was recognized as; `null` if unused'),
  cells: z
    .array(z.array(z.string()))
    .optional()
    .describe(
      'The first three rows as in the file, long cells cut; empty for everyone but the owner of the import, the owner and editors of its zone, and ops',
    ),
  transformations: z
    .array(UsedTransformation)
    .optional()
    .describe('How the points were transformed to WGS84, known once all rows are read; empty for coordinates in WGS84'),
  heights: z
    .array(UsedHeights)
    .optional()
    .describe('What the heights are above and how they were brought to the ellipsoid, known once all rows are read'),
})

const SamplePoint = z.object({
  row: z.int(),
  title: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  status: z.enum(['new', 'known', 'failed']).describe('`known`: the zone has a point with this title'),
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
    detected: Detected.nullable().describe('What the file was recognized as; `null` until known'),
    points: z
      .array(SamplePoint)
      .describe(
        'For a dry run: the points among the first 2,000 rows, to show on a map; empty for everyone but the owner of the import, the owner and editors of its zone, and ops',
      ),
    causes: z
      .array(Cause)
      .describe('The faults of rows, counted by code, most frequent first; without faults of the file as a whole'),
    rows: z.array(ReportRow).describe('In the order of the file; with `rows=file`, only faults of the file as a whole'),
  })
  .meta({ id: 'CsvUploadReport' })
export type Report = z.infer<typeof Report>
