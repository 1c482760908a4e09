import { z } from 'zod'
import { listLimit } from '../../platform/schema.ts'

/** Most places of each kind. */
const MOST = 20

export const PlaceNameQuery = z.object({
  search: z
    .string()
    .transform((text) => text.trim().normalize('NFC'))
    .pipe(z.string().min(1).max(255))
    .describe('Part of a name; case-insensitive'),
  limit: listLimit(5, MOST).describe('Maximum number of places of each kind'),
})
export type PlaceNameQuery = z.infer<typeof PlaceNameQuery>

const NamedPlace = z
  .object({
    kind: z.enum(['pin', 'gcp', 'zone']),
    id: z.int(),
    title: z.string(),
    latitude: z.number().nullable().describe('`null` without a position; for a zone, the middle of its boundary'),
    longitude: z.number().nullable(),
  })
  .meta({ id: 'NamedPlace' })
export type NamedPlace = z.infer<typeof NamedPlace>

export const NamedPlaces = z.object({ places: z.array(NamedPlace) }).meta({ id: 'NamedPlaces' })
