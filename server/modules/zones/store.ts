import { type Kysely, sql, type Transaction } from 'kysely'
import { lockOwner } from '../../platform/database/ownership.ts'
import { rowsCounted } from '../../platform/database/row-counts.ts'
import { afterRecord, cutPage, type Page, type PageQuery } from '../../platform/http/pages.ts'
import { positionsOf } from './rings.ts'
import type { NewZone, Zone, ZoneChange } from './schema.ts'

type ZonesTable = {
  id: number
  title: string
  description: string | null
  boundary: Zone['boundary']
  user_id: string | null
  created_at: string
  updated_at: string
}
export type ZoneTables = { zones: ZonesTable }

const zoneColumns = [
  'id',
  'title',
  'description',
  'boundary',
  'user_id as userId',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const json = <T>(value: T | null | undefined) => sql<T>`${value == null ? null : JSON.stringify(value)}::jsonb`
const now = sql<string>`clock_timestamp()`

/** Where a row stands in the list: its moment as PostgreSQL writes it in UTC, and its id. */
type Place = { id: number; cursorAt: string }
const place = ['id', sql<string>`created_at::text`.as('cursorAt')] as const

/** West, south, east, north. */
type Box = readonly [number, number, number, number]

/** What an owner has beside a zone, and how many positions that zone had. */
type Owned = { zones: number; positions: number; positionsBefore: number }

/** Zones, in SQL. */
export function zoneStore(db: Kysely<ZoneTables>) {
  /** In the list's order, from after a cursor. */
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
    /** Does what changes how much an owner has, while nobody else does. `owned`: what the owner has beside a zone. */
    owning: <Made>(
      ownerId: string,
      beside: number | undefined,
      work: (trx: Transaction<ZoneTables>, owned: Owned) => Promise<Made>,
    ): Promise<Made> =>
      db.transaction().execute(async (trx) => {
        await lockOwner(trx as never, ownerId)
        const held = sql`coalesce(sum(coalesce(positions, boundary_positions(boundary), 0))`
        const isBeside = sql`id = ${beside ?? 0}::bigint`
        const { rows } = await sql<Owned>`
          select count(*) filter (where not ${isBeside}) as zones,
                 ${held} filter (where not ${isBeside}), 0)::float8 as positions,
                 ${held} filter (where ${isBeside}), 0)::float8 as "positionsBefore"
            from zones where user_id = ${ownerId}`.execute(trx)
        return work(trx, rows[0]!)
      }),

    insert: (zone: NewZone, userId: string, trx: Kysely<ZoneTables> = db): Promise<Zone> =>
      trx
        .insertInto('zones')
        .values({
          title: zone.title,
          description: zone.description ?? null,
          boundary: json(zone.boundary),
          positions: zone.boundary ? positionsOf(zone.boundary) : 0,
          user_id: userId,
          created_at: now,
          updated_at: now,
        } as never)
        .returning(zoneColumns)
        .executeTakeFirstOrThrow(),

    get: (id: number): Promise<Zone | undefined> =>
      db.selectFrom('zones').select(zoneColumns).where('id', '=', id).executeTakeFirst(),

    /** Whose a zone is, without its boundary. */
    owner: (id: number): Promise<{ userId: string | null } | undefined> =>
      db.selectFrom('zones').select('user_id as userId').where('id', '=', id).executeTakeFirst(),

    boundaryOf: async (id: number): Promise<Zone['boundary']> =>
      (await db.selectFrom('zones').select('boundary').where('id', '=', id).executeTakeFirst())?.boundary ?? null,

    /** Absent members stay. @returns undefined when there is no such zone. */
    update: (id: number, change: ZoneChange, trx: Kysely<ZoneTables> = db): Promise<Zone | undefined> =>
      trx
        .updateTable('zones')
        .set({
          title: change.title,
          ...(change.description === undefined ? {} : { description: change.description }),
          ...(change.boundary === undefined
            ? {}
            : {
                boundary: json(change.boundary),
                positions: change.boundary ? positionsOf(change.boundary) : 0,
              }),
          updated_at: now,
        } as never)
        .where('id', '=', id)
        .returning(zoneColumns)
        .executeTakeFirst(),

    /** The ids of a page of all zones, oldest first. */
    async page({ limit, cursor }: PageQuery): Promise<Page<number>> {
      const [rows, total] = await Promise.all([
        listed(cursor)
          .limit(limit + 1)
          .execute(),
        rowsCounted(db, 'zones'),
      ])
      const { rows: shown, next } = cutPage(rows, limit, placeOf)
      return { rows: shown.map(({ id }) => id), next, total }
    },

    /** The zones of these ids that there still are, in this order. */
    ofIds: async (ids: number[]): Promise<Zone[]> => {
      const rows = await db
        .selectFrom('zones')
        .select(zoneColumns)
        .where('id', '=', sql<number>`any(${ids}::bigint[])`)
        .execute()
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },

    /** The zones whose boundary's box touches one of these, oldest first. */
    touching: (boxes: readonly Box[], cursor: string | undefined): Promise<Place[]> =>
      listed(cursor)
        .where(
          sql<boolean>`(${sql.join(
            boxes.map((box) => sql`extent && ${asBox(box)}`),
            sql` or `,
          )})`,
        )
        .execute(),
  }
}
export type ZoneStore = ReturnType<typeof zoneStore>

const asBox = ([west, south, east, north]: Box) =>
  sql`box(point(${east}::float8, ${north}::float8), point(${west}::float8, ${south}::float8))`

/** The values that zones are listed by, of one of them. */
export const placeOf = ({ cursorAt, id }: Place): [string, number] => [cursorAt, id]
