import { z } from 'zod'
import { pathId, pathInteger, queryInteger, queryNumber, timestamp, timestampInput } from '../../platform/schema.ts'

const binary = z.string().meta({ format: 'binary' })

const ScanStatus = z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'])
const ScanVisibility = z.enum(['private', 'public'])
const ConversionStatus = z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'])

const point = z.tuple([z.number(), z.number(), z.number()])
export const ScanBounds = z
  .object({ min: point, max: point })
  .meta({ id: 'ScanBounds' })
  .describe('In the axes and units of the file itself: metres in glTF, USDZ and most others')
export type ScanBounds = z.infer<typeof ScanBounds>

const text = z.string().nullable()
const whole = z.int().nullable()

export const Scan = z
  .object({
    id: z.string(),
    title: text,
    category: text,
    lat: z.number().nullable(),
    long: z.number().nullable(),
    location: text.describe('The nearest named place and its country'),
    timestamp: timestamp.describe('When it was captured, if known; else when it was sent'),
    status: ScanStatus,
    fileType: text.describe(
      'Detected from the bytes: GLB, USDZ, PLY, SPLAT, OBJ, IMAGE, LAS, LAZ, E57, SPZ, VIDEO or OTHER; `null` until processed',
    ),
    scanUrl: text.describe('The URL of the file; signed, for at least an hour, if the scan is private'),
    previewImageUrl: text.describe('The URL of a preview, a WebP of at most 640×480; signed if the scan is private'),
    timeOfDay: text.describe('By the height of the sun at that place and time'),
    weather: text.describe('At that place and time, if the operator has configured a provider'),
    visibility: ScanVisibility,
    error: z.string().optional().describe('Why processing failed; present only then'),
    notes: z.array(z.string()).describe('What could not be read or determined, or that the scan waits for disk space'),
    fileId: z.int(),
    fileName: z.string(),
    fileSize: z.int().min(0).describe('Bytes'),
    altitude: z.number().nullable().describe('Metres, as stated in the file'),
    positionFrom: z
      .enum(['caller', 'exif', 'georeference'])
      .nullable()
      .describe('Where the position comes from; `null` if there is none'),
    bounds: ScanBounds.nullable(),
    triangles: whole,
    points: whole,
    width: whole.describe('Pixels of an image'),
    height: whole.describe('Pixels of an image'),
    usdzUrl: text.describe('The URL of the USDZ of a GLB, once converted; signed if the scan is private'),
    usdzStatus: ConversionStatus.nullable().describe('The state of that conversion; `null` if there is none'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Scan' })
export type Scan = z.infer<typeof Scan>

const Pagination = z
  .object({ total: z.int(), page: z.int(), limit: z.int(), totalPages: z.int().describe('0 if there are no scans') })
  .meta({ id: 'Pagination' })
export const ScanList = z.object({ scans: z.array(Scan), pagination: Pagination }).meta({ id: 'ScanList' })
export type ScanList = z.infer<typeof ScanList>

export const ScanPage = z.object({
  page: queryInteger
    .pipe(z.number().min(1))
    .default(1)
    .meta({ type: 'integer', minimum: 1, default: 1, description: 'Number of the page, from 1' }),
  limit: queryInteger.pipe(z.number().min(1).max(100)).default(10).meta({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 10,
    description: 'Maximum number of scans in the page',
  }),
})
export type ScanPage = z.infer<typeof ScanPage>
export const UserScansQuery = ScanPage.extend({
  sort: z.enum(['asc', 'desc']).default('desc').describe('By timestamp, then ID'),
})

export const ScanParams = z.object({ id: pathId('Scan') })

const name = z.string().trim().min(1).max(255)
const lat = z.number().min(-90).max(90)
const long = z.number().min(-180).max(180)

/** Requires both or neither of lat and long. */
const inPairs = (given: { lat?: unknown; long?: unknown }, context: z.RefinementCtx) => {
  if ((given.lat == null) === (given.long == null)) return
  const missing = given.lat == null ? 'lat' : 'long'
  context.addIssue({ code: 'custom', message: 'lat and long must be given together', path: [missing] })
}

const members = {
  title: name.nullish(),
  category: name.nullish(),
  timestamp: timestampInput.nullish(),
  visibility: ScanVisibility.optional(),
}

/** Creates a scan of an uploaded file. */
export const NewScan = z
  .object({ fileId: z.int().min(1), ...members, lat: lat.nullish(), long: long.nullish() })
  .superRefine(inPairs)
export type NewScan = z.infer<typeof NewScan>

/** The text fields of a form. */
export const ScanTexts = z
  .object({
    fileId: pathInteger.optional(),
    title: name.optional(),
    category: name.optional(),
    timestamp: timestampInput.optional(),
    visibility: ScanVisibility.optional(),
    lat: queryNumber.pipe(lat).optional(),
    long: queryNumber.pipe(long).optional(),
  })
  .superRefine(inPairs)
export type ScanTexts = z.infer<typeof ScanTexts>

/** Members of a scan besides its file. */
export type ScanWords = Omit<NewScan, 'fileId'>

/** For OpenAPI only: JSON with `fileId`, or a form with `file`. */
export const NewScanBody = z
  .object({
    fileId: z.int().min(1).optional().describe('An uploaded file of the caller, or one sent without a session'),
    file: binary.optional().describe('In a form: the file itself'),
    title: z.string().max(255).nullish(),
    category: z.string().max(255).nullish(),
    lat: lat.nullish().describe('WGS84; requires `long`. If omitted, the position in the file is used'),
    long: long.nullish(),
    timestamp: timestampInput.nullish().describe('When it was captured'),
    visibility: ScanVisibility.default('private').optional(),
  })
  .meta({ id: 'NewScan' })

/** Absent: unchanged; null: cleared. */
export const ScanChange = z
  .object({
    title: name.nullish(),
    category: name.nullish(),
    timestamp: timestampInput.optional(),
    visibility: ScanVisibility.optional(),
    lat: lat.nullish(),
    long: long.nullish(),
  })
  .superRefine((change, context) => {
    if ((change.lat === undefined) !== (change.long === undefined) || (change.lat === null) !== (change.long === null))
      context.addIssue({ code: 'custom', message: 'lat and long must be changed together', path: ['lat'] })
  })
  .meta({ id: 'ScanChange' })
export type ScanChange = z.infer<typeof ScanChange>
