import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { columnOf } from '../../../platform/records/columns.ts'
import {
  isFileAddress,
  kindOf,
  type LayerFields,
  type OgcKeywords,
  optionsOf,
  readOnly,
} from '../../../platform/records/fields.ts'
import { gcpFields } from '../../gcps/record.ts'
import { LocalizationData, pinFields } from '../../pins/record.ts'
import { NewZone, Zone, ZoneChange } from '../../zones/schema.ts'
import type { CollectionId } from '../schema.ts'

/** A piece of a statement. */
export type Condition = RawBuilder<unknown>

/** A property of a feature in the words of JSON Schema. A value may always be null. */
export type Property = OgcKeywords & {
  type: 'string' | 'integer' | 'number' | 'array'
  format?: 'date-time'
  enum?: string[]
  items?: { type: 'string' }
}
/** What a request may set: on creation, and on a change; null: nothing. */
export type Receives = { create: z.ZodType | null; change: z.ZodType | null }
/** A property of a feature: its description, and the SQL that reads it. */
type Shown = {
  property: Property
  /** Absent: only the service writes it. */
  receives?: Receives
  sql: Condition
  /** The SQL function that writes stored addresses out. */
  written?: 'written_address' | 'written_addresses'
}

/**
 * A number of the type `number`: 37 is written 37.0. GDAL and QGIS take the type of a column from the first numbers in
 * it, and would cut or drop the fractions of those that follow whole ones. @param text the number as PostgreSQL writes it
 */
const real = (text: string) => sql`regexp_replace(${sql.raw(text)}, '^-?[0-9]+$', '\\&.0')::json`

/** The properties of a record: its fields with `ogc`. @param alias the table's alias in tables.ts */
function propertiesOfRecord(fields: LayerFields, alias: string): Record<string, Shown> {
  const shown = Object.entries(fields).flatMap(([name, field]) => {
    if (!field.ogc) return []
    const { title, ...keywords } = field.ogc
    const column = columnOf(fields, name, alias)
    const kind = kindOf(name, field)
    const written = isFileAddress(field) ? (kind === 'texts' ? 'written_addresses' : 'written_address') : undefined
    const of = (type: Property['type'], more: Partial<Property> = {}, read = sql.raw(column) as Condition): Shown => ({
      property: { type, ...more, title, ...keywords },
      sql: read,
      ...(written && { written }),
      ...((field.create || field.change) && { receives: { create: field.create, change: field.change } }),
    })
    const options = optionsOf(field)
    if (kind === 'timestamp')
      return [
        [
          name,
          of('string', { format: 'date-time' }, sql`to_char(${sql.raw(column)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`),
        ],
      ]
    if (kind === 'text') return [[name, of('string', options && { enum: options })]]
    if (kind === 'texts') return [[name, of('array', { items: { type: 'string' } })]]
    if (kind === 'integer') return [[name, of('integer')]]
    if (kind === 'number') return [[name, of('number', {}, real(`${column}::text`))]]
    throw new Error(
      `the field ${name} has ogc, but a ${kind} is no OGC property: add its type to features/query/properties.ts`,
    )
  })
  return Object.fromEntries(shown)
}

const text = (title: string, column: string, description?: string): Shown => ({
  property: { type: 'string', title, ...(description && { description }) },
  sql: sql.raw(column),
})
const address = (title: string, column: string): Shown => ({ ...text(title, column), written: 'written_address' })
const number = (unit: 'm' | 'deg', title: string, column: string, description: string): Shown => ({
  property: { type: 'number', title, description, 'x-ogc-unit': unit },
  sql: real(column),
})

const receiving = (shown: Shown, schema: z.ZodType): Shown => ({
  ...shown,
  receives: { create: schema, change: schema },
})
const angle = (title: string, name: string, description: string) =>
  receiving(number('deg', title, `p.geo_pose #>> '{angles,${name}}'`, description), z.number())
const angles = {
  yaw: angle('Yaw', 'yaw', 'From east, counter-clockwise (OGC GeoPose Basic-YPR)'),
  pitch: angle('Pitch', 'pitch', 'OGC GeoPose Basic-YPR'),
  roll: angle('Roll', 'roll', 'OGC GeoPose Basic-YPR'),
}

/** The properties with the named ones first, in that order. */
function first(names: string[], shown: Record<string, Shown>): Record<string, Shown> {
  return { ...Object.fromEntries(names.map((name) => [name, shown[name]!])), ...shown }
}

const zoneFields: LayerFields = {
  id: { schema: Zone.shape.id, ...readOnly, ogc: pinFields.id.ogc },
  title: {
    schema: Zone.shape.title,
    create: NewZone.shape.title,
    change: ZoneChange.shape.title,
    ogc: { title: 'Title' },
  },
  description: {
    schema: Zone.shape.description,
    create: NewZone.shape.description,
    change: ZoneChange.shape.description,
    ogc: { title: 'Description' },
  },
  userId: { schema: Zone.shape.userId, ...readOnly, ogc: { title: 'User' } },
  createdAt: { schema: Zone.shape.createdAt, ...readOnly, ogc: pinFields.createdAt.ogc },
  updatedAt: { schema: Zone.shape.updatedAt, ...readOnly, ogc: pinFields.updatedAt.ogc },
}
const GCP_ORDER = [
  ...['id', 'title', 'description', 'gcpType', 'aprilTagId', 'altitude', 'accuracyH', 'accuracyV', 'heightDatum'],
  ...['heightAccuracy', 'yaw', 'pitch', 'roll', 'photoUrls', 'zoneId', 'zoneTitle', 'userId'],
]
const PIN_ORDER = ['id', 'title', 'contentType', 'contentUrl', 'trackingMode', 'worldmapURL', 'yaw', 'pitch', 'roll']

/** The properties that the features of each collection have, in the order in which they have them. */
export const properties: Record<CollectionId, Record<string, Shown>> = {
  pins: first(PIN_ORDER, {
    ...propertiesOfRecord(pinFields, 'p'),
    trackingMode: receiving(
      text('Tracking mode', `p.localization_data -> 'trackingMode'`),
      LocalizationData.shape.trackingMode,
    ),
    worldmapURL: receiving(
      address('World map URL', `p.localization_data ->> 'worldmapURL'`),
      LocalizationData.shape.worldmapURL,
    ),
    ...angles,
  }),
  gcps: first(GCP_ORDER, {
    ...propertiesOfRecord(gcpFields, 'g'),
    accuracyH: number('m', 'Horizontal accuracy', `g.survey ->> 'accuracyH'`, 'As stated by the survey'),
    accuracyV: number('m', 'Vertical accuracy', `g.survey ->> 'accuracyV'`, 'As stated by the survey'),
    heightAccuracy: number(
      'm',
      'Height accuracy',
      `g.survey #>> '{heightTransformation,accuracy}'`,
      'Accuracy of the geoid model used to reach the ellipsoid',
    ),
    ...angles,
    zoneTitle: text('Zone title', 'z.title'),
    userId: text('User', 'g.user_id'),
  }),
  zones: propertiesOfRecord(zoneFields, 'z'),
}
