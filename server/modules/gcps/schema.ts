import { z } from 'zod'
import { inOrderOf, shapeOf } from '../../platform/records/fields.ts'
import { listCursor, listLimit, pathInteger, queryBoolean, queryInteger, queryNumber } from '../../platform/schema.ts'
import { UploadedFile } from '../photos/schema.ts'
import { Pin } from '../pins/schema.ts'
import { GeoPose, type HeightTransformation, latitude, longitude, PoseForm, recordId } from '../places/schema.ts'
import { gcpFields } from './record.ts'
import { aprilTagId, MAX_TAG } from './tags/schema.ts'

const { createdAt, updatedAt, ...fields } = shapeOf(gcpFields, 'schema')

export const Gcp = z
  .object({
    ...fields,
    outsideZone: z
      .boolean()
      .nullable()
      .describe('Whether it is outside the boundary of its zone; `null` without a zone, a boundary or a location'),
    pin: Pin.nullable(),
    zone: z.object({ id: z.int(), title: z.string() }).nullable(),
    uploadedFiles: z.array(UploadedFile).describe('The records of those `photoUrls` that were uploaded here'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Gcp' })
export type Gcp = z.infer<typeof Gcp>

const uploadedFileIds = z
  .array(recordId)
  .max(100)
  .describe('Images uploaded earlier, by the same user or without a session; shown after `photoUrls`')

/** Of altitude and the pose's height, one given sets both; so a pose may leave its height out beside an altitude. */
const GcpPose = z
  .object({
    position: z.object({
      lat: latitude,
      lon: longitude,
      h: GeoPose.shape.position.shape.h
        .optional()
        .describe('Metres above the WGS84 ellipsoid; required unless `altitude` or `heightDatum` gives it'),
    }),
    angles: GeoPose.shape.angles,
  })
  .meta({ id: 'GcpPose' })
type GcpPose = z.infer<typeof GcpPose>

export type Heights = {
  geoPose?: GcpPose | null | undefined
  altitude?: number | null | undefined
  heightDatum?: string | null | undefined
}

/** A pose needs a height: its own, `altitude`, or what the service finds for `heightDatum`. */
const hasHeight = ({ geoPose, altitude, heightDatum }: Heights) =>
  !geoPose || geoPose.position.h !== undefined || altitude != null || heightDatum != null
const noHeight = {
  error: 'is required: the height of the pose, or an altitude beside it',
  path: ['geoPose', 'position', 'h'],
}

/** The pose with its height, taken from `altitude` if it has none; undefined and null stay. */
export const completePose = ({ geoPose, altitude }: Heights): GeoPose | null | undefined =>
  geoPose && { ...geoPose, position: { ...geoPose.position, h: geoPose.position.h ?? altitude! } }

/** Where a GCP is, and what is known of its heights. */
export type SettledHeights = {
  geoPose: GeoPose | null
  /** Where it lies; of one with a pose, there. */
  place: { latitude: number; longitude: number } | null
  altitude: number | null
  heightDatum: string | null
  heightTransformation: HeightTransformation | null
}

// Names are written out only for the order in OpenAPI: every other field is in `others`.
const { title, description, gcpType, zoneId, ...others } = shapeOf(gcpFields, 'create')

export const NewGcp = z
  .object({
    title,
    description,
    gcpType,
    geoPose: GcpPose.nullish(),
    ...others,
    uploadedFileIds: uploadedFileIds.default([]),
    zoneId,
  })
  .refine(hasHeight, noHeight)
  .meta({ id: 'NewGcp' })
export type NewGcp = z.infer<typeof NewGcp>
/** With the height of its pose, where it lies if it has none, and what is known of its heights. */
export type CompleteGcp = Omit<NewGcp, 'geoPose' | 'heightDatum'> & SettledHeights

/** Absent: unchanged; null: cleared. */
export const GcpChange = z
  .object(
    inOrderOf(NewGcp.shape, {
      ...shapeOf(gcpFields, 'change'),
      geoPose: GcpPose.nullish().describe('Moves the pin; `null` takes it off the map'),
      uploadedFileIds: uploadedFileIds.optional(),
    }),
  )
  .refine(hasHeight, noHeight)
  .meta({ id: 'GcpChange' })
export type GcpChange = z.infer<typeof GcpChange>

export const PoseQuery = z.object({ pose: PoseForm.optional() })

export const GcpListQuery = z
  .object({
    zoneId: pathInteger.optional().describe('Only points of this zone'),
    outsideZone: queryBoolean.optional().describe('Only points with this `outsideZone`; requires `zoneId`'),
    limit: listLimit(10_000, 10_000),
    cursor: listCursor,
    pose: PoseForm.optional(),
  })
  .refine(({ zoneId, outsideZone }) => zoneId !== undefined || outsideZone === undefined, {
    error: 'outsideZone needs zoneId beside it',
    path: ['zoneId'],
  })
export type GcpListQuery = z.infer<typeof GcpListQuery>

export const TagConflict = z
  .object({
    gcpId: z.int(),
    title: z.string(),
    aprilTagId,
    zoneId: z.int().nullable(),
    zoneTitle: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    distance: z.number().nullable().describe('Metres; `null` without a point to measure from'),
  })
  .meta({ id: 'AprilTagConflict' })
export type TagConflict = z.infer<typeof TagConflict>

export const TagQuery = z
  .object({
    aprilTagId: queryInteger
      .pipe(aprilTagId)
      .meta({ type: 'integer', minimum: 0, maximum: MAX_TAG, description: 'An ID of the family tag36h11' }),
    latitude: queryNumber
      .pipe(latitude)
      .meta({ type: 'number', minimum: -90, maximum: 90 })
      .optional()
      .describe('Degrees north; requires `longitude`'),
    longitude: queryNumber
      .pipe(longitude)
      .meta({ type: 'number', minimum: -180, maximum: 180 })
      .optional()
      .describe('Degrees east; requires `latitude`'),
    excludeGcpId: pathInteger
      .optional()
      .describe('The point to check for: it is not a conflict itself, and points without a location in its zone count'),
  })
  .superRefine(({ latitude, longitude }, context) => {
    if ((latitude === undefined) === (longitude === undefined)) return
    const path = [latitude === undefined ? 'latitude' : 'longitude']
    context.addIssue({ code: 'custom', message: 'latitude and longitude must be given together', path })
  })
export type TagQuery = z.infer<typeof TagQuery>

export const TagAnswer = z
  .object({
    available: z.boolean().describe('Whether there is no conflict'),
    conflicts: z.array(TagConflict),
    suggestedIds: z.array(z.int()).describe('Up to five tags that are free here'),
  })
  .meta({ id: 'AprilTagAnswer' })
export type TagAnswer = z.infer<typeof TagAnswer>

const TagConflictPair = z
  .object({
    aprilTagId,
    metres: z.number().describe('Distance between the two points'),
    gcps: z.tuple([Gcp, Gcp]),
    freeAprilTagIds: z.array(z.int()).describe('Up to five tags that either point could carry instead'),
  })
  .meta({ id: 'AprilTagConflictPair' })
export type TagConflictPair = z.infer<typeof TagConflictPair>

/** The most pairs that are counted. */
export const MAX_PAIRS = 1000

export const TagConflictList = z
  .object({
    total: z.int().describe('Number of pairs; 1,000 means 1,000 or more'),
    conflicts: z.array(TagConflictPair),
  })
  .meta({ id: 'AprilTagConflictList' })

export const ConflictQuery = z.object({
  bbox: z
    .string()
    .max(255)
    .optional()
    .describe(
      'west,south,east,north in degrees: at least one of the two points is inside. West greater than east crosses 180°',
    ),
  zoneId: pathInteger.optional().describe('At least one of the two points is in this zone'),
  limit: listLimit(100, MAX_PAIRS),
})
export type ConflictQuery = z.infer<typeof ConflictQuery>
