import { z } from 'zod'
import { type ChangedName, inOrderOf, shapeOf } from '../../platform/records/fields.ts'
import { type GeoPose, QuaternionPose } from '../places/schema.ts'
import { pinFields } from './record.ts'

export const Pin = z
  .object({
    ...shapeOf(pinFields, 'schema'),
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

type Place = {
  latitude?: number | null | undefined
  longitude?: number | null | undefined
  geoPose?: GeoPose | null | undefined
}

/** Why a place is invalid: latitude and longitude must be given together, and agree with the pose. */
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

// Names are written out only for the order in OpenAPI: every other field is in `others`.
const { title, contentType, latitude, longitude, geoPose, visibility, ...others } = shapeOf(pinFields, 'create')

/** A pin is at its coordinates or at its pose; if both are given, they must agree. */
export const NewPin = z
  .object({ title, contentType, latitude, longitude, geoPose, ...others, visibility })
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
  .object(inOrderOf(NewPin.shape, shapeOf(pinFields, 'change')))
  .superRefine((pin, context) => {
    const fault = placeFault(pin)
    if (fault) context.addIssue(issue(fault))
  })
  .meta({ id: 'PinChange' })
export type PinChange = z.infer<typeof PinChange>

/** Every field of a pin that a change writes. */
export type PinWrite = Pick<Pin, ChangedName<typeof pinFields>>
