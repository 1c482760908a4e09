import { type Kysely, sql, type Transaction } from 'kysely'
import { type JsonRows, textsOf } from '../../platform/database/bulk/bulk-reads.ts'
import { lockOwner } from '../../platform/database/locks/ownership.ts'
import { countedRows } from '../../platform/database/row-counts.ts'
import { afterRecord, cutPage, momentOf, type Page, type PageQuery } from '../../platform/http/pages.ts'
import type { WriteCheck } from '../../platform/records/changes.ts'
import { isoTimeOf } from '../../platform/records/columns.ts'
import { outlineBytes } from './boundary/outline.ts'
import type { Candidate } from './boundary/outlines.ts'
import { type Box, positionsOf } from './boundary/rings.ts'
import type { Boundary, NewZone, Zone, ZoneChange } from './schema.ts'

type ZonesTable = {
  id: number
  title: string
  description: string | null
  boundary: unknown
  user_id: string | null
  created_at: string
  updated_at: string
}
/** Who may change what is in a zone. */
export type ZoneWriters = { title: string; userId: string | null; editors: string[] }
export type ZoneTables = { zones: ZonesTable }

const zoneColumns = [
  'id',
  'title',
  'description',
  // As text: it is returned unchanged, and parsing half a megabyte takes long.
  sql<string | null>`boundary::text`.as('boundary'),
  'user_id as userId',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** The same columns of a written row. */
const returned = sql`id, title, description, boundary::text, user_id as "userId", created_at as "createdAt", updated_at as "updatedAt"`

/** A zone whose boundary is JSON text. */
export type StoredZone = Omit<Zone, 'boundary'> & { boundary: string | null }

const outlineOf = (boundary: Boundary | null | undefined) => (boundary ? outlineBytes(boundary) : null)
const countOf = (boundary: Boundary | null | undefined) => (boundary ? positionsOf(boundary) : 0)
const json = (value: object | null | undefined) => sql`${value == null ? null : JSON.stringify(value)}::jsonb`

const kept = sql<Uint8Array>`case when outline_at = updated_at then outline else boundary_positions(boundary) end`

/** The position of a row in the list: its time as PostgreSQL writes it in UTC, and its ID. */
type Place = { id: number; cursorAt: string }
const place = ['id', sql<string>`created_at::text`.as('cursorAt')] as const

/** The transaction that wrote the row, which changes with every write, and the size of the outline. */
const version = sql<string>`xmin::text`.as('version')
const outlineSize = sql<number>`coalesce(octet_length(outline), 16 * positions, pg_column_size(boundary), 0)`
const candidateColumns = ['id', version, outlineSize.as('bytes')] as const
/** A zone and the size of its outline. */
export type Sized = Pick<Candidate, 'id' | 'bytes'>

/** Total size of the outlines on a page: 100,000 positions. As JSON they are about three times as large. */
const PAGE_BYTES = 1_600_000

/** What an owner has besides a zone, and how many positions that zone had. */
type Owned = { zones: number; positions: number; positionsBefore: number }

/** Zones, in SQL. */
export function zoneStore(db: Kysely<ZoneTables>, bulk: Kysely<ZoneTables>) {
  /** In the list's order, after a cursor. */
  const listed = (cursor: string | undefined) => {
    const after = afterRecord(cursor)
    return db
      .selectFrom('zones')
      .select(place)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, id) > (${after?.at}::timestamptz, ${after?.id}::bigint)`),
      )
      .orderBy('created_at')
      .orderBy('id')
  }

  return {
    /** Runs a change of what an owner has, serialized per owner. `owned`: what the owner has besides a zone. */
    owning: <Made>(
      ownerId: string,
      beside: number | undefined,
      work: (trx: Transaction<ZoneTables>, owned: Owned) => Promise<Made>,
    ): Promise<Made> =>
      db.transaction().execute(async (trx) => {
        await lockOwner(trx as never, ownerId)
        // Counts zones that were created before positions were counted, or by an older process.
        await sql`update zones set positions = coalesce(count_positions(boundary), 0)
                   where user_id = ${ownerId} and positions is null`.execute(trx)
        const held = sql`coalesce(sum(positions)`
        const isBeside = sql`id = ${beside ?? 0}::bigint`
        const { rows } = await sql<Owned>`
          select count(*) filter (where not ${isBeside}) as zones,
                 ${held} filter (where not ${isBeside}), 0)::float8 as positions,
                 ${held} filter (where ${isBeside}), 0)::float8 as "positionsBefore"
            from zones where user_id = ${ownerId}`.execute(trx)
        return work(trx, rows[0]!)
      }),

    /** Runs a change in a transaction, with the zone locked and checked. */
    checked: <Made>(
      id: number,
      check: WriteCheck,
      work: (trx: Transaction<ZoneTables>) => Promise<Made>,
    ): Promise<Made> =>
      db.transaction().execute(async (trx) => {
        await lockZone(trx, id)
        await check(trx as never)
        return work(trx)
      }),

    insert: async (zone: NewZone, userId: string, trx: Kysely<ZoneTables> = db): Promise<StoredZone> => {
      const { rows } = await sql<StoredZone>`
        insert into zones (title, description, boundary, positions, outline, outline_at, user_id, created_at, updated_at)
        select ${zone.title}, ${zone.description ?? null}, ${json(zone.boundary)}, ${countOf(zone.boundary)}::integer, ${outlineOf(zone.boundary)}::bytea,
               moment.now, ${userId}::uuid, moment.now, moment.now
          from (select clock_timestamp() as now) as moment
        returning ${returned}`.execute(trx)
      return rows[0]!
    },

    get: (id: number): Promise<StoredZone | undefined> =>
      db.selectFrom('zones').select(zoneColumns).where('id', '=', id).executeTakeFirst(),

    /** The owner and the editors of a zone, without reading its boundary. */
    owner: (id: number): Promise<ZoneWriters | undefined> =>
      db
        .selectFrom('zones')
        .select(['title', 'user_id as userId'])
        .select(sql<string[]>`array(select user_id from zone_editors where zone_id = zones.id)`.as('editors'))
        .where('id', '=', id)
        .executeTakeFirst(),

    /** The zones of these IDs that exist and have a boundary. */
    candidatesOf: (ids: number[]): Promise<Candidate[]> =>
      db
        .selectFrom('zones')
        .select(candidateColumns)
        .where('id', '=', sql<number>`any(${ids}::bigint[])`)
        .where('boundary', 'is not', null)
        .execute(),

    /** The boundaries of these zones for searches. @param isLong whether they are large @see outlineOf */
    outlines: (ids: number[], isLong = false): Promise<{ id: number; version: string; positions: Uint8Array }[]> =>
      (isLong ? bulk : db)
        .selectFrom('zones')
        .select(['id', version, kept.as('positions')])
        .where('id', '=', sql<number>`any(${ids}::bigint[])`)
        .where('boundary', 'is not', null)
        .execute(),

    /** Absent members stay. @returns undefined if there is no such zone */
    update: async (
      id: number,
      { title, description, boundary }: ZoneChange,
      trx: Kysely<ZoneTables> = db,
    ): Promise<StoredZone | undefined> => {
      const { rows } = await sql<StoredZone>`
        update zones set title = ${title}
               ${description === undefined ? sql`` : sql`, description = ${description}`}
               ${boundary === undefined ? sql`` : sql`, boundary = ${json(boundary)}, positions = ${countOf(boundary)}, outline = ${outlineOf(boundary)}`}
               , outline_at = case when ${boundary !== undefined} or outline_at = updated_at then moment.now end
               , updated_at = moment.now
          from (select clock_timestamp() as now) as moment
         where id = ${id} returning ${returned}`.execute(trx)
      return rows[0]
    },

    /** A page of all zones, oldest first: at most `limit`, and only until their boundaries fill PAGE_BYTES. */
    async page({ limit, cursor }: PageQuery): Promise<Page<Sized>> {
      const after = afterRecord(cursor)
      const isAfter = after ? sql`(created_at, id) > (${after.at}::timestamptz, ${after.id}::bigint)` : sql`true`
      // One JSON text is faster to read than ten thousand rows.
      const [found, total] = await Promise.all([
        sql<{ values: [number, number, number][] }>`
          select coalesce(json_agg(json_build_array(id, bytes, (extract(epoch from created_at) * 1000000)::bigint)), '[]') as values
            from (select id, created_at, ${outlineSize} as bytes from zones
                   where ${isAfter} order by created_at, id limit ${limit + 1}) as listed`.execute(db),
        countedRows(db, 'zones'),
      ])
      const zones = found.rows[0]!.values.map(([id, bytes, micros]) => ({ id, bytes, micros }))
      const place = ({ id, micros }: (typeof zones)[number]) => placeOf({ id, cursorAt: momentOf(micros) })
      return { ...cutPage(zones, Math.min(limit, fittingIn(zones)), place), total }
    },

    /** The zones of these IDs that still exist, in this order, as JSON, separated by commas. @param isLong whether more follow */
    json: async (ids: number[], isLong: boolean): Promise<JsonRows[]> => {
      const { rows } = await sql<{ text: JsonRows | null }>`
        select string_agg(row_to_json(zone)::text, ',' order by wanted.place) as text
          from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
          join zones z on z.id = wanted.id
         cross join lateral (select z.id, z.title, z.description, z.boundary, z.user_id as "userId",
                                    ${isoTimeOf('z.created_at')} as "createdAt",
                                    ${isoTimeOf('z.updated_at')} as "updatedAt") as zone`.execute(isLong ? bulk : db)
      return textsOf(rows)
    },

    /** The zones whose box intersects one of these, oldest first. */
    touching: (boxes: readonly Box[], cursor: string | undefined, limit: number): Promise<(Candidate & Place)[]> =>
      listed(cursor)
        .select(candidateColumns)
        .where(
          sql<boolean>`(${sql.join(
            boxes.map((box) => sql`extent && ${asBox(box)}`),
            sql` or `,
          )})`,
        )
        .limit(limit)
        .execute(),
  }
}
/** Locks a zone until the end of the transaction. */
export const lockZone = (trx: Kysely<ZoneTables>, id: number) =>
  sql`select from zones where id = ${id} for update`.execute(trx)

export type ZoneStore = ReturnType<typeof zoneStore>

/** How many of some zones fill a page. */
export function fittingIn(zones: Sized[]): number {
  let bytes = 0
  const last = zones.findIndex((zone) => {
    bytes += zone.bytes
    return bytes > PAGE_BYTES
  })
  return last === -1 ? zones.length : last + 1
}

const asBox = ([west, south, east, north]: Box) =>
  sql`box(point(${east}::float8, ${north}::float8), point(${west}::float8, ${south}::float8))`

/** The sort key of a zone in lists. */
export const placeOf = ({ cursorAt, id }: Place): [string, number] => [cursorAt, id]
