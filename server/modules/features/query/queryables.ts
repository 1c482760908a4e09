import { sql } from 'kysely'
import type { CollectionId } from '../schema.ts'
import type { Condition } from './properties.ts'

export type QueryableType = 'string' | 'number' | 'instant'
/** What a filter compares a property by: the value, not as a feature shows it. */
type Queryable = { type: QueryableType; sql: Condition }

const text = (column: string): Queryable => ({ type: 'string', sql: sql.raw(column) })
const number = (column: string): Queryable => ({ type: 'number', sql: sql.raw(column) })
/** Times are shown, and so compared, to the millisecond. */
const instant = (column: string): Queryable => ({
  type: 'instant',
  sql: sql.raw(`date_trunc('milliseconds', ${column})`),
})
const times = (alias: string) => ({
  createdAt: instant(`${alias}.created_at`),
  updatedAt: instant(`${alias}.updated_at`),
})

const ofCollections: Record<CollectionId, Record<string, Queryable>> = {
  pins: {
    id: number('p.id'),
    title: text('p.title'),
    contentType: text('p.content_type'),
    trackingMode: text(`p.localization_data ->> 'trackingMode'`),
    zoneId: number('p.zone_id'),
    gcpId: number('p.gcp_id'),
    userId: text('p.user_id::text'),
    ...times('p'),
  },
  gcps: {
    id: number('g.id'),
    title: text('g.title'),
    description: text('g.description'),
    gcpType: text('g.gcp_type'),
    aprilTagId: number('g.april_tag_id'),
    altitude: number('g.altitude'),
    heightDatum: text(`g.survey ->> 'verticalDatum'`),
    accuracyH: number(`(g.survey ->> 'accuracyH')::float8`),
    accuracyV: number(`(g.survey ->> 'accuracyV')::float8`),
    zoneId: number('g.zone_id'),
    userId: text('g.user_id::text'),
    ...times('g'),
  },
  zones: {
    id: number('z.id'),
    title: text('z.title'),
    description: text('z.description'),
    userId: text('z.user_id::text'),
    ...times('z'),
  },
}

/** The properties that a filter may name, and the geometries. */
export const queryables = {
  ...ofCollections,
  geometry: { pins: sql`p.place`, gcps: sql`p.place`, zones: sql`z.boundary` } as Record<CollectionId, Condition>,
}
