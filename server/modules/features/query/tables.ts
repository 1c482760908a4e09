import { sql } from 'kysely'
import type { CollectionId } from '../schema.ts'
import type { Condition } from './properties.ts'

/** An object of these names and values. */
export const json = (members: Condition) => sql`json_build_object(${members})`
/** A pin's height above the ellipsoid. */
export const height = sql`(p.geo_pose #>> '{position,h}')::float8`
const point = sql`case when p.place is not null then json_build_object('type', 'Point', 'coordinates', case
  when ${height} is null then json_build_array(p.longitude, p.latitude)
  else json_build_array(p.longitude, p.latitude, ${height}) end) end`
const ofPins = sql`min(p.longitude) as west, min(p.latitude) as south, max(p.longitude) as east, max(p.latitude) as north`

/** Where the features of a collection are stored, and how they are selected. Their properties are in properties.ts. */
export const tables: {
  [Id in CollectionId]: {
    from: Condition
    id: Condition
    /** The condition on the joined table for ids after this one, so that its index is not read from the start. */
    alsoId: (after: number) => Condition
    createdAt: Condition
    geometry: Condition
    /** Where the extent is computed. */
    table: Condition
    corners: Condition
    always: Condition
    /** Whether a feature has no geometry, as an index answers it; absent if all have one. */
    placeless?: Condition
    /** Filters that an index answers. */
    indexed: string[]
  }
} = {
  pins: {
    from: sql`pins p`,
    table: sql`pins p`,
    corners: ofPins,
    id: sql`p.id`,
    alsoId: () => sql``,
    createdAt: sql`p.created_at`,
    geometry: point,
    always: sql`p.visibility = 'public' and p.place is not null`,
    indexed: ['id', 'zoneId', 'gcpId'],
  },
  gcps: {
    table: sql`pins p`,
    corners: ofPins,
    from: sql`gcps g join pins p on p.gcp_id = g.id left join zones z on z.id = g.zone_id`,
    id: sql`g.id`,
    alsoId: (after) => sql`and p.gcp_id > ${after}`,
    createdAt: sql`g.created_at`,
    geometry: point,
    always: sql`true`,
    placeless: sql`(p.place is null and p.gcp_id is not null)`,
    indexed: ['id', 'zoneId', 'aprilTagId'],
  },
  zones: {
    from: sql`zones z`,
    table: sql`zones z`,
    corners: sql`min(((z.extent)[1])[0]) as west, min(((z.extent)[1])[1]) as south, max(((z.extent)[0])[0]) as east, max(((z.extent)[0])[1]) as north`,
    id: sql`z.id`,
    alsoId: () => sql``,
    createdAt: sql`z.created_at`,
    geometry: sql`z.boundary`,
    always: sql`true`,
    placeless: sql`z.extent is null`,
    indexed: ['id'],
  },
}
