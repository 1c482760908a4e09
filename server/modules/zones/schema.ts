import { z } from 'zod'
import { listCursor, listLimit, moment, queryBoolean, queryNumber } from '../../platform/schema.ts'
import { latitude, longitude, recordId, title } from '../places/schema.ts'

type Coordinate = number[]
const position = z.array(z.number()).min(2).max(3)

/** The structure of a GeoJSON geometry (RFC 7946); boundary-faults.ts checks its rings. */
export const Boundary = z
  .discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(position)).min(1) }),
      z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(z.array(position)).min(1)).min(1) }),
    ],
    { error: 'must be a GeoJSON Polygon or MultiPolygon; for a Feature, send its geometry' },
  )
  .meta({ id: 'Boundary' })
export type Boundary = z.infer<typeof Boundary>
export type Ring = Coordinate[]

export const Zone = z
  .object({
    id: recordId,
    title: z.string(),
    description: z.string().nullable(),
    boundary: Boundary.nullable(),
    userId: z.string().nullable(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Zone' })
export type Zone = z.infer<typeof Zone>

export const NewZone = z
  .object({ title, description: z.string().max(2000).nullish(), boundary: Boundary.nullish() })
  .meta({ id: 'NewZone' })
export type NewZone = z.infer<typeof NewZone>

/** Absent: unchanged; null: cleared. */
export const ZoneChange = NewZone.meta({ id: 'ZoneChange' })
export type ZoneChange = NewZone

export const ZoneList = z.object({ zones: z.array(Zone) })

export const ZonesAtQuery = z.object({
  lat: queryNumber.pipe(latitude).describe('Degrees north'),
  lon: queryNumber.pipe(longitude).describe('Degrees east; 180 and -180 are the same meridian'),
  limit: listLimit(100, 1000),
  cursor: listCursor,
})
export type ZonesAtQuery = z.infer<typeof ZonesAtQuery>

export const ZoneRemoval = z.object({
  cascade: queryBoolean
    .default(false)
    .describe(
      'Also deletes the ground control points, pins and imports in the zone; without it, a zone that has any is not deleted (409)',
    ),
})
