import { sql } from 'kysely'
import { asIndexed, DEGREES, type DegreeBox } from '../../places/degree-boxes.ts'
import type { CollectionId } from '../schema.ts'
import type { Bbox } from './bbox.ts'
import type { Interval } from './datetime.ts'
import type { Condition } from './properties.ts'
import { queryables } from './queryables.ts'
import { height, tables } from './tables.ts'

/** Which features are wanted. */
export type Wanted = {
  bbox: Bbox | undefined
  interval: Interval | undefined
  /** Values by property; a property that is absent is not filtered by. */
  filters: Record<string, unknown>
  /** A filter in CQL2. */
  filter?: Condition | undefined
  /** Which properties they come with; undefined: all. */
  properties: string[] | undefined
}

/** What holds for the features that are wanted. @param byIndex whether the index of places is to be asked */
export function conditions(
  collection: CollectionId,
  { bbox, interval, filters, filter }: Wanted,
  byIndex: boolean,
): Condition {
  const { always, createdAt } = tables[collection]
  const all = [always]
  if (bbox) all.push(matching(collection, bbox, byIndex))
  if (interval) all.push(created(createdAt, interval))
  for (const [name, value] of Object.entries(filters)) all.push(sql`${queryables[collection][name]!.sql} = ${value}`)
  if (filter) all.push(filter)
  return sql.join(all, sql` and `)
}

/** Whether a feature matches: one without a geometry matches every bbox. */
function matching(collection: CollectionId, bbox: Bbox, byIndex: boolean): Condition {
  const located = collection === 'zones' ? near(bbox) : within(bbox, byIndex)
  const { placeless } = tables[collection]
  return placeless && !bbox.placedOnly ? sql`(${placeless} or ${located})` : located
}

/** Whether a pin lies in one of the parts of the map, and, if it has a height, between the heights. */
function within(bbox: Bbox, byIndex: boolean): Condition {
  const { parts, heights, outline } = bbox
  if (parts.length === 0) return sql`false`
  if (isEarth(bbox)) return sql`p.place is not null ${highEnough(heights)}`
  const inParts = parts.map((part) => {
    const { west, south, east, north } = part
    const flat = sql`p.longitude between ${west}::float8 and ${east}::float8 and p.latitude between ${south}::float8 and ${north}::float8`
    return byIndex ? sql`(${sql.raw(DEGREES)} <@ ${boxOf(asIndexed(part))} and ${flat})` : sql`(${flat})`
  })
  return sql`(${sql.join(inParts, sql` or `)}) ${highEnough(heights)} ${outline ? sql`and ${outline}` : sql``}`
}

/** Whether it leaves nothing out but by height. */
export const isEarth = ({ parts, outline }: Bbox): boolean =>
  !outline &&
  parts.some(({ west, south, east, north }) => west === -180 && east === 180 && south === -90 && north === 90)

const highEnough = (heights: Bbox['heights']): Condition =>
  heights
    ? sql`and (${height} is null or ${height} between ${heights.lowest}::float8 and ${heights.highest}::float8)`
    : sql``

/** Whether the bounding box of a zone intersects one of the parts. The caller tests the boundary itself. */
function near({ parts }: Bbox): Condition {
  if (parts.length === 0) return sql`false`
  const each = parts.map((part) => sql`z.extent && ${boxOf(part)}`)
  return sql`(${sql.join(each, sql` or `)})`
}

/** A part of the map as PostgreSQL's box. */
const boxOf = ({ west, south, east, north }: DegreeBox): Condition =>
  sql`box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`

/** Moments are shown to the millisecond, and compared so. */
function created(column: Condition, { from, to }: Interval): Condition {
  const bounds: Condition[] = []
  if (from !== undefined) bounds.push(sql`${column} >= ${from}::timestamptz`)
  if (to !== undefined) bounds.push(sql`${column} < ${to}::timestamptz + interval '1 millisecond'`)
  return bounds.length > 0 ? sql.join(bounds, sql` and `) : sql`true`
}
