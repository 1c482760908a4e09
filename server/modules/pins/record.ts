import { z } from 'zod'
import { type LayerFields, optional, readOnly } from '../../platform/records/fields.ts'
import { fileAddress, httpAddress, timestamp, timestampInput } from '../../platform/schema.ts'
import { GeoPose, latitude, longitude, recordId, title } from '../places/schema.ts'

export const ContentType = z.enum([
  'APK',
  'GLB',
  'USDZ',
  'IMAGE',
  'VIDEO',
  'AUDIO',
  'TEXT',
  'URL',
  'PDF',
  'AR_WORLD',
  'SPLAT',
  'POINT_CLOUD',
  'GCP',
  'OTHER',
])
const TrackingMode = z.enum(['WORLD', 'IMAGE', 'OBJECT', 'PLANE', 'FACE', 'GEO', 'VPS', 'APRIL_TAG', 'NONE'])
const Visibility = z
  .enum(['public', 'unlisted', 'private'])
  .describe('`public`: anyone finds it; `unlisted`: only by its ID; `private`: only its creator finds it')

export const LocalizationData = z
  .object({ trackingMode: TrackingMode, worldmapURL: fileAddress.nullish() })
  .describe('How a device finds its position at the pin')

const axis = z.object({ x: z.number(), y: z.number(), z: z.number() })
const HINT_CHARACTERS = 4096

const CameraPoseHint = z
  .looseObject({ position: axis, rotation: axis.extend({ w: z.number() }) })
  .refine(({ rotation: { x, y, z: k, w } }) => Math.abs(Math.hypot(x, y, k, w) - 1) <= 1e-3, {
    path: ['rotation'],
    error: 'rotation must be a unit quaternion',
  })
  .refine((hint) => JSON.stringify(hint).length <= HINT_CHARACTERS, { error: 'cameraPoseHint may take 4 KB at most' })
  .describe('Where the camera is expected; the rotation is a unit quaternion. At most 4,096 characters of JSON')

/** Every stored field of a pin, in the order of the response. A field needs its column in a migration and its line here. */
export const pinFields = {
  id: { schema: recordId, ...readOnly, ogc: { title: 'ID', minimum: 1, 'x-ogc-role': 'id' } },
  title: { schema: z.string(), create: title, change: title, ogc: { title: 'Title' } },
  latitude: { schema: z.number().nullable(), ...optional(latitude), ogc: null },
  longitude: { schema: z.number().nullable(), ...optional(longitude), ogc: null },
  geoPose: { schema: GeoPose.nullable(), ...optional(GeoPose), ogc: null },
  contentType: {
    schema: ContentType,
    create: ContentType,
    change: ContentType.optional(),
    ogc: { title: 'Content type' },
  },
  contentUrl: {
    schema: z.string().nullable().describe('The content shown at the pin'),
    ...optional(fileAddress),
    ogc: { title: 'Content URL' },
  },
  localizationData: { schema: LocalizationData.nullable(), ...optional(LocalizationData), ogc: null },
  zoneId: {
    schema: z.int().nullable(),
    ...optional(recordId),
    ogc: { title: 'Zone', minimum: 1, 'x-ogc-role': 'reference', 'x-ogc-collectionId': 'zones' },
  },
  gcpId: {
    schema: z.int().nullable().describe('The ground control point that the pin belongs to'),
    ...readOnly,
    ogc: { title: 'Ground control point', minimum: 1, 'x-ogc-role': 'reference', 'x-ogc-collectionId': 'gcps' },
  },
  userId: {
    schema: z.string().nullable().describe('The creator; `null` if there is none'),
    ...readOnly,
    ogc: { title: 'User' },
  },
  visibility: {
    schema: Visibility,
    create: Visibility.default('public'),
    change: Visibility.optional(),
    ogc: null,
  },
  relocalizationPhotoUrl: {
    schema: z.string().nullable().describe('A photo by which a device finds its position'),
    ...optional(fileAddress),
    ogc: { title: 'Relocalization photo URL' },
  },
  relocalizationTags: {
    schema: z
      .array(z.int().min(0))
      .nullable()
      .describe(
        'The IDs of the AprilTags in that photo; `null` without a relocalization photo that was uploaded here, and until it is checked, which takes a few seconds',
      ),
    ...readOnly,
    ogc: null,
  },
  scanInstructions: {
    schema: z.string().nullable().describe('How to scan the surroundings, so that a device finds its position'),
    ...optional(z.string().max(10_000)),
    ogc: { title: 'Scan instructions' },
  },
  cameraPoseHint: { schema: CameraPoseHint.nullable(), ...optional(CameraPoseHint), ogc: null },
  blockchainSignature: {
    schema: z.string().nullable().describe('Written by ops'),
    create: null,
    change: z.string().max(1024).nullish().describe('Only ops can change this and the other two blockchain members'),
    ogc: null,
  },
  blockchainTxUrl: {
    schema: z.string().nullable().describe('Written by ops'),
    create: null,
    change: httpAddress.nullish(),
    ogc: null,
  },
  blockchainSyncedAt: {
    schema: timestamp.nullable().describe('Written by ops'),
    create: null,
    change: timestampInput.nullish(),
    ogc: null,
  },
  createdAt: { schema: timestamp, ...readOnly, ogc: { title: 'Created', 'x-ogc-role': 'primary-instant' } },
  updatedAt: { schema: timestamp, ...readOnly, ogc: { title: 'Updated' } },
} as const satisfies LayerFields
