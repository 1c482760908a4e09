import { z } from 'zod'
import { httpAddress, moment, pathInteger, queryInteger, queryNumber } from '../../platform/schema.ts'
import { GeoPose, latitude, longitude, recordId, title } from '../places/schema.ts'

const ContentType = z.enum([
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
const Visibility = z.enum(['public', 'unlisted', 'private'])

const LocalizationData = z.object({ trackingMode: TrackingMode, worldmapURL: httpAddress.nullish() })

const axis = z.object({ x: z.number(), y: z.number(), z: z.number() })
const HINT_CHARACTERS = 4096

/** Whether a hint is small enough to keep; one nested too deep to be written out is not. */
function isSmall(hint: unknown): boolean {
  try {
    return JSON.stringify(hint).length <= HINT_CHARACTERS
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

const CameraPoseHint = z
  .looseObject({ position: axis, rotation: axis.extend({ w: z.number() }) })
  .refine(({ rotation: { x, y, z: k, w } }) => Math.abs(Math.hypot(x, y, k, w) - 1) <= 1e-3, {
    path: ['rotation'],
    error: 'rotation must be a unit quaternion',
  })
  .refine(isSmall, { error: 'cameraPoseHint may take 4 KB at most' })

export const Pin = z
  .object({
    id: recordId,
    title: z.string(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    geoPose: GeoPose.nullable(),
    contentType: ContentType,
    contentUrl: z.string().nullable(),
    localizationData: LocalizationData.nullable(),
    zoneId: z.int().nullable(),
    gcpId: z.int().nullable(),
    userId: z.string().nullable(),
    visibility: Visibility,
    relocalizationPhotoUrl: z.string().nullable(),
    scanInstructions: z.string().nullable(),
    cameraPoseHint: CameraPoseHint.nullable(),
    blockchainSignature: z.string().nullable(),
    blockchainTxUrl: z.string().nullable(),
    blockchainSyncedAt: moment.nullable(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Pin' })
export type Pin = z.infer<typeof Pin>

export const LocatedPin = Pin.extend({
  latitude: z.number(),
  longitude: z.number(),
  distance: z.number().describe('Metres along the WGS84 geodesic'),
}).meta({ id: 'LocatedPin' })
export type LocatedPin = z.infer<typeof LocatedPin>

/** A pin is where its coordinates say, or its pose; given both, they must agree. */
export const NewPin = z
  .object({
    title,
    latitude: latitude.nullish(),
    longitude: longitude.nullish(),
    geoPose: GeoPose.nullish(),
    contentType: ContentType,
    contentUrl: httpAddress.nullish(),
    localizationData: LocalizationData.nullish(),
    zoneId: recordId.nullish(),
    visibility: Visibility.default('public'),
    relocalizationPhotoUrl: httpAddress.nullish(),
    scanInstructions: z.string().max(10_000).nullish(),
    cameraPoseHint: CameraPoseHint.nullish(),
  })
  .superRefine((pin, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: 'custom', message, path: [path] })
    const half = (pin.latitude ?? null) === null ? 'latitude' : 'longitude'
    if ((pin.latitude == null) !== (pin.longitude == null)) fault(half, 'latitude and longitude go together')
    else if (pin.latitude == null && !pin.geoPose) fault('latitude', 'a pin needs latitude and longitude, or a geoPose')
    const { lat, lon } = pin.geoPose?.position ?? {}
    if (pin.latitude != null && lat !== undefined && (pin.latitude !== lat || pin.longitude !== lon))
      fault('geoPose', 'geoPose.position and latitude, longitude disagree')
  })
  .meta({ id: 'NewPin' })
export type NewPin = z.infer<typeof NewPin>

export const LocationQuery = z.object({
  lat: queryNumber.pipe(latitude).describe('Degrees north'),
  lon: queryNumber.pipe(longitude).describe('Degrees east; 180 and -180 are the same meridian'),
  radius: queryNumber
    .pipe(z.number().min(0).max(100_000))
    .default(1000)
    .describe('Metres, inclusive; 0 is the very point'),
  limit: queryInteger.pipe(z.int().min(1).max(1000)).default(1000),
  contentType: ContentType.optional(),
  zoneId: pathInteger.optional(),
})
export type LocationQuery = z.infer<typeof LocationQuery>
