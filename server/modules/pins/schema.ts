import { z } from 'zod'
import { fileAddress, givenMoment, httpAddress, moment } from '../../platform/schema.ts'
import { GeoPose, latitude, longitude, QuaternionPose, recordId, title } from '../places/schema.ts'

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

const LocalizationData = z
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

export const Pin = z
  .object({
    id: recordId,
    title: z.string(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    geoPose: GeoPose.nullable(),
    contentType: ContentType,
    contentUrl: z.string().nullable().describe('The content shown at the pin'),
    localizationData: LocalizationData.nullable(),
    zoneId: z.int().nullable(),
    gcpId: z.int().nullable().describe('The ground control point that the pin belongs to'),
    userId: z.string().nullable().describe('The creator; `null` if there is none'),
    visibility: Visibility,
    relocalizationPhotoUrl: z.string().nullable().describe('A photo by which a device finds its position'),
    scanInstructions: z
      .string()
      .nullable()
      .describe('How to scan the surroundings, so that a device finds its position'),
    cameraPoseHint: CameraPoseHint.nullable(),
    blockchainSignature: z.string().nullable().describe('Written by ops'),
    blockchainTxUrl: z.string().nullable().describe('Written by ops'),
    blockchainSyncedAt: moment.nullable().describe('Written by ops'),
    createdAt: moment,
    updatedAt: moment,
    pose: QuaternionPose.nullable().optional().describe('Present only if the query has `pose`'),
  })
  .meta({ id: 'Pin' })
export type Pin = z.infer<typeof Pin>

export const LocatedPin = Pin.extend({
  latitude: z.number(),
  longitude: z.number(),
  distance: z.number().describe('Metres along the WGS84 geodesic'),
}).meta({ id: 'LocatedPin' })
export type LocatedPin = z.infer<typeof LocatedPin>

/** What can be said of a pin that lies on nothing else, by whoever makes or changes it. */
const members = {
  contentUrl: fileAddress.nullish(),
  localizationData: LocalizationData.nullish(),
  zoneId: recordId.nullish(),
  relocalizationPhotoUrl: fileAddress.nullish(),
  scanInstructions: z.string().max(10_000).nullish(),
  cameraPoseHint: CameraPoseHint.nullish(),
}
const place = { latitude: latitude.nullish(), longitude: longitude.nullish(), geoPose: GeoPose.nullish() }
type Place = {
  latitude?: number | null | undefined
  longitude?: number | null | undefined
  geoPose?: GeoPose | null | undefined
}

/** What is wrong with where a pin is said to be: its coordinates go together, and with its pose. */
function placeFault({ latitude, longitude, geoPose }: Place): { path: string; message: string } | undefined {
  const half = latitude == null ? 'latitude' : 'longitude'
  if ((latitude == null) !== (longitude == null)) return { path: half, message: 'latitude and longitude go together' }
  const { lat, lon } = geoPose?.position ?? {}
  if (latitude != null && lat !== undefined && (latitude !== lat || longitude !== lon))
    return { path: 'geoPose', message: 'geoPose.position and latitude, longitude disagree' }
  return undefined
}
const issue = ({ path, message }: { path: string; message: string }) => ({
  code: 'custom' as const,
  message,
  path: [path],
})

/** A pin is where its coordinates say, or its pose; given both, they must agree. */
export const NewPin = z
  .object({ title, contentType: ContentType, ...place, ...members, visibility: Visibility.default('public') })
  .superRefine((pin, context) => {
    const fault = placeFault(pin)
    if (fault) context.addIssue(issue(fault))
    else if (pin.latitude == null && !pin.geoPose)
      context.addIssue(issue({ path: 'latitude', message: 'a pin needs latitude and longitude, or a geoPose' }))
  })
  .meta({ id: 'NewPin' })
export type NewPin = z.infer<typeof NewPin>

/** Absent: unchanged; null: cleared. */
export const PinChange = z
  .object({
    title,
    contentType: ContentType.optional(),
    ...place,
    ...members,
    visibility: Visibility.optional(),
    blockchainSignature: z
      .string()
      .max(1024)
      .nullish()
      .describe('Only ops can change this and the other two blockchain members'),
    blockchainTxUrl: httpAddress.nullish(),
    blockchainSyncedAt: givenMoment.nullish(),
  })
  .superRefine((pin, context) => {
    const fault = placeFault(pin)
    if (fault) context.addIssue(issue(fault))
  })
  .meta({ id: 'PinChange' })
export type PinChange = z.infer<typeof PinChange>
