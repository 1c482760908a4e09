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

export const NO_LOCATION = 'a pin needs latitude and longitude, or a geoPose'

type Location = {
  latitude?: number | null | undefined
  longitude?: number | null | undefined
  geoPose?: GeoPose | null | undefined
}

/** Why a location is invalid: latitude and longitude must be given together, and agree with the pose. */
function locationFault({ latitude, longitude, geoPose }: Location): { path: string; message: string } | undefined {
  const half = latitude == null ? 'latitude' : 'longitude'
  if ((latitude == null) !== (longitude == null))
    return { path: half, message: 'latitude and longitude must be given together' }
  const { lat, lon } = geoPose?.position ?? {}
  if (latitude != null && lat !== undefined && (latitude !== lat || longitude !== lon))
    return { path: 'geoPose', message: 'geoPose.position contradicts latitude and longitude' }
  return undefined
}
const issue = ({ path, message }: { path: string; message: string }) => ({
  code: 'custom' as const,
  message,
  path: [path],
})

// These names are listed only to set the order of the fields in OpenAPI.
const { title, contentType, latitude, longitude, geoPose, visibility, ...others } = shapeOf(pinFields, 'create')

/** Requires coordinates or a pose; if both are given, they must agree. */
export const NewPin = z
  .object({ title, contentType, latitude, longitude, geoPose, ...others, visibility })
  .superRefine((pin, context) => {
    const fault = locationFault(pin)
    if (fault) context.addIssue(issue(fault))
    else if (pin.latitude == null && !pin.geoPose) context.addIssue(issue({ path: 'latitude', message: NO_LOCATION }))
  })
  .meta({ id: 'NewPin' })
export type NewPin = z.infer<typeof NewPin>

/** Absent fields are unchanged; null clears. */
export const PinChange = z
  .object(inOrderOf(NewPin.shape, shapeOf(pinFields, 'change')))
  .superRefine((pin, context) => {
    const fault = locationFault(pin)
    if (fault) context.addIssue(issue(fault))
  })
  .meta({ id: 'PinChange' })
export type PinChange = z.infer<typeof PinChange>

/** The fields that a change of a pin writes. */
export type PinWrite = Pick<Pin, ChangedName<typeof pinFields>>
