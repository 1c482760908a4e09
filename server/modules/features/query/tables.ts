import { type RawBuilder, sql } from 'kysely'
import type { CollectionId } from '../schema.ts'
import type { properties } from './properties.ts'

/** A piece of a statement. */
export type Condition = RawBuilder<unknown>

/** An object of these names and values. */
export const json = (members: Condition) => sql`json_build_object(${members})`
/** A pin's height above the ellipsoid. */
export const height = sql`(p.geo_pose #>> '{position,h}')::float8`
const point = sql`case when p.place is not null then json_build_object('type', 'Point', 'coordinates', case
  when ${height} is null then json_build_array(p.longitude, p.latitude)
  else json_build_array(p.longitude, p.latitude, ${height}) end) end`
/**
 * A number of the type `number`: 37 is written 37.0. GDAL and QGIS take the type of a column from the first numbers in
 * it, and would cut or drop the fractions of those that follow whole ones. @param text the number as PostgreSQL writes it
 */
const real = (text: Condition) => sql`regexp_replace(${text}, '^-?[0-9]+$', '\\&.0')::json`
const angles = {
  yaw: real(sql`p.geo_pose #>> '{angles,yaw}'`),
  pitch: real(sql`p.geo_pose #>> '{angles,pitch}'`),
  roll: real(sql`p.geo_pose #>> '{angles,roll}'`),
}
const moment = (column: Condition) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const ofPins = sql`min(p.longitude) as west, min(p.latitude) as south, max(p.longitude) as east, max(p.latitude) as north`

/** Where the features of a collection are kept, and what is shown of them. */
export const tables: {
  [Id in CollectionId]: {
    from: Condition
    id: Condition
    /** Says of the joined table which ids come after this one: its index would be read from the beginning on. */
    alsoId: (after: number) => Condition
    createdAt: Condition
    geometry: Condition
    /** Where the outermost places are found. */
    table: Condition
    corners: Condition
    properties: Record<keyof (typeof properties)[Id], Condition>
    /** Properties that are kept as addresses are, and the SQL function that writes them out. */
    addresses: Record<string, 'written_address' | 'written_addresses'>
    always: Condition
    filters: Record<string, Condition>
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
    properties: {
      title: sql`p.title`,
      contentType: sql`p.content_type`,
      contentUrl: sql`p.content_url`,
      trackingMode: sql`p.localization_data -> 'trackingMode'`,
      worldmapURL: sql`p.localization_data ->> 'worldmapURL'`,
      ...angles,
      zoneId: sql`p.zone_id`,
      gcpId: sql`p.gcp_id`,
      userId: sql`p.user_id`,
      relocalizationPhotoUrl: sql`p.relocalization_photo_url`,
      scanInstructions: sql`p.scan_instructions`,
      createdAt: moment(sql`p.created_at`),
      updatedAt: moment(sql`p.updated_at`),
    },
    addresses: {
      contentUrl: 'written_address',
      worldmapURL: 'written_address',
      relocalizationPhotoUrl: 'written_address',
    },
    always: sql`p.visibility = 'public' and p.place is not null`,
    filters: {
      title: sql`p.title`,
      contentType: sql`p.content_type`,
      zoneId: sql`p.zone_id`,
      gcpId: sql`p.gcp_id`,
    },
    indexed: ['zoneId', 'gcpId'],
  },
  gcps: {
    table: sql`pins p`,
    corners: ofPins,
    from: sql`gcps g join pins p on p.gcp_id = g.id left join zones z on z.id = g.zone_id`,
    id: sql`g.id`,
    alsoId: (after) => sql`and p.gcp_id > ${after}`,
    createdAt: sql`g.created_at`,
    geometry: point,
    properties: {
      title: sql`g.title`,
      description: sql`g.description`,
      gcpType: sql`g.gcp_type`,
      aprilTagId: sql`g.april_tag_id`,
      altitude: real(sql`g.altitude::text`),
      accuracyH: real(sql`g.survey ->> 'accuracyH'`),
      accuracyV: real(sql`g.survey ->> 'accuracyV'`),
      heightDatum: sql`g.survey -> 'verticalDatum'`,
      heightAccuracy: real(sql`g.survey #>> '{heightTransformation,accuracy}'`),
      ...angles,
      photoUrls: sql`g.photo_urls`,
      zoneId: sql`g.zone_id`,
      zoneTitle: sql`z.title`,
      userId: sql`g.user_id`,
      createdAt: moment(sql`g.created_at`),
      updatedAt: moment(sql`g.updated_at`),
    },
    addresses: { photoUrls: 'written_addresses' },
    always: sql`true`,
    filters: {
      title: sql`g.title`,
      gcpType: sql`g.gcp_type`,
      aprilTagId: sql`g.april_tag_id`,
      zoneId: sql`g.zone_id`,
    },
    indexed: ['zoneId', 'aprilTagId'],
  },
  zones: {
    from: sql`zones z`,
    table: sql`zones z`,
    corners: sql`min(((z.extent)[1])[0]) as west, min(((z.extent)[1])[1]) as south, max(((z.extent)[0])[0]) as east, max(((z.extent)[0])[1]) as north`,
    id: sql`z.id`,
    alsoId: () => sql``,
    createdAt: sql`z.created_at`,
    geometry: sql`z.boundary`,
    properties: {
      title: sql`z.title`,
      description: sql`z.description`,
      userId: sql`z.user_id`,
      createdAt: moment(sql`z.created_at`),
      updatedAt: moment(sql`z.updated_at`),
    },
    addresses: {},
    always: sql`true`,
    filters: { title: sql`z.title` },
    indexed: [],
  },
}
