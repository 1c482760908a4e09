import { z } from 'zod'
import { moment } from '../../platform/schema.ts'
import { recordId, title } from '../places/schema.ts'

type Coordinate = number[]
/** A GeoJSON geometry (RFC 7946): its shape here, its rings in zone-shape.ts. */
export const Boundary = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(z.array(z.number()).min(2).max(3))).min(1) }),
    z.object({
      type: z.literal('MultiPolygon'),
      coordinates: z.array(z.array(z.array(z.array(z.number()).min(2).max(3))).min(1)).min(1),
    }),
  ])
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
