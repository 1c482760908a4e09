import { type Kysely, sql } from 'kysely'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { conflict } from '../../platform/errors.ts'
import {
  MAX_LOOKED_AT,
  MAX_MAPS,
  MAX_POSITIONS,
  MAX_SHOWN_PINS,
  type SharedBoard,
  type SharedMap,
  type SharedMapView,
} from './schema.ts'

export type StoredMap = Omit<SharedMap, 'url'>
export type MapContent = Omit<StoredMap, 'id' | 'createdAt' | 'updatedAt'>
/** What is wrong with the choice for a map. */
export type ChoiceFaults = { zones: number[]; pins: number[]; positions: number }
type ShownPin = Omit<SharedMapView['pins'][number], 'arUrl'> & { fileId: number | null }
/** A map with what it shows; of boards those that its owner may still show. */
export type ViewedMap = Pick<SharedMapView, 'id' | 'title' | 'description' | 'zones'> & {
  pins: ShownPin[]
  boards: (SharedBoard & { appName: string })[]
}

const columns = sql`id, title, description, to_jsonb(zone_ids) as "zoneIds", pins_in_zones as "pinsInZones", to_jsonb(pin_ids) as "pinIds",
  boards, created_at as "createdAt", updated_at as "updatedAt"`

export type SharedMapStore = ReturnType<typeof sharedMapStore>

type Deps = {
  db: Kysely<AnyTables>
  /** For what anyone may ask, so that it does not take connections from others. */
  searches: Kysely<AnyTables>
  audit: AuditLog
  /** The media types of files that have a page in AR. */
  arTypes: string[]
}

/** Shared maps, in SQL. */
export function sharedMapStore({ db, searches, audit, arTypes }: Deps) {
  return {
    /** Those of a user, oldest first. */
    async list(userId: string): Promise<StoredMap[]> {
      const { rows } = await sql<StoredMap>`
        select ${columns} from shared_maps where user_id = ${userId} order by created_at, id`.execute(db)
      return rows
    },

    /** @throws 409 for one too many */
    insert: (id: string, userId: string, map: MapContent, actor: Actor): Promise<StoredMap> =>
      db.transaction().execute(async (trx) => {
        await sql`select from users where id = ${userId} for no key update`.execute(trx)
        const { rows: counted } = await sql<{ count: number }>`
          select count(*)::int as count from shared_maps where user_id = ${userId}`.execute(trx)
        if (counted[0]!.count >= MAX_MAPS)
          throw conflict(`A user can have at most ${MAX_MAPS} shared maps: delete one first`)
        const { rows } = await sql<StoredMap>`
          insert into shared_maps (id, user_id, title, description, zone_ids, pins_in_zones, pin_ids, boards)
          values (${id}, ${userId}, ${map.title}, ${map.description}, ${map.zoneIds}, ${map.pinsInZones}, ${map.pinIds},
                  ${JSON.stringify(map.boards)}::jsonb)
          returning ${columns}`.execute(trx)
        await audit.record([{ ...actor, action: 'shared_map.created', subject: id }], trx)
        return rows[0]!
      }),

    /** Replaces what `change` names. @returns the map as it is then; undefined if the user has none with this ID */
    update: (id: string, userId: string, change: Partial<MapContent>, actor: Actor): Promise<StoredMap | undefined> =>
      db.transaction().execute(async (trx) => {
        const { rows: held } = await sql<StoredMap>`
          select ${columns} from shared_maps where id = ${id} and user_id = ${userId} for update`.execute(trx)
        if (!held[0]) return undefined
        const map = { ...held[0], ...change }
        const { rows } = await sql<StoredMap>`
          update shared_maps
             set title = ${map.title}, description = ${map.description}, zone_ids = ${map.zoneIds},
                 pins_in_zones = ${map.pinsInZones}, pin_ids = ${map.pinIds},
                 boards = ${JSON.stringify(map.boards)}::jsonb, updated_at = clock_timestamp()
           where id = ${id} returning ${columns}`.execute(trx)
        await audit.record([{ ...actor, action: 'shared_map.updated', subject: id }], trx)
        return rows[0]
      }),

    /** @returns whether the user had it */
    remove: (id: string, userId: string, actor: Actor): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { rows } = await sql`
          delete from shared_maps where id = ${id} and user_id = ${userId} returning id`.execute(trx)
        if (rows.length === 0) return false
        await audit.record([{ ...actor, action: 'shared_map.deleted', subject: id }], trx)
        return true
      }),

    /** The zones that do not exist, the pins that do not or are private, and the positions of the boundaries. */
    async faultsOf({ zoneIds, pinIds }: Pick<MapContent, 'zoneIds' | 'pinIds'>): Promise<ChoiceFaults> {
      const { rows } = await sql<ChoiceFaults>`
        select to_jsonb(array(select i from unnest(${zoneIds}::bigint[]) i
                               where not exists (select from zones z where z.id = i))) as zones,
               to_jsonb(array(select i from unnest(${pinIds}::bigint[]) i
                               where not exists (select from pins p where p.id = i and p.visibility <> 'private'))) as pins,
               (select coalesce(sum(coalesce(z.positions, count_positions(z.boundary))), 0)::int
                  from zones z where z.id = any (${zoneIds}::bigint[])) as positions`.execute(db)
      return rows[0]!
    },

    /** What anyone sees of a map; undefined if there is none. */
    async view(id: string): Promise<ViewedMap | undefined> {
      const { rows } = await sql<ViewedMap>`
        select m.id, m.title, m.description, ${zonesOf} as zones, ${pinsOf(arTypes)} as pins, ${boardsOf} as boards
          from shared_maps m where m.id = ${id}`.execute(searches)
      return rows[0]
    },
  }
}

const zonesOf = sql`(
  select coalesce(json_agg(json_build_object('id', z.id, 'title', z.title,
           'boundary', case when z.up_to <= ${sql.lit(MAX_POSITIONS)} then z.boundary end) order by z.at), '[]')
    from (select z.id, z.title, z.boundary, c.at,
                 sum(coalesce(z.positions, count_positions(z.boundary), 0)) over (order by c.at) as up_to
            from unnest(m.zone_ids) with ordinality c(id, at) join zones z on z.id = c.id) z)`

/** Pins of a zone that are looked at for public ones, so that a large zone costs no more. */
const LOOKED_AT = sql.lit(MAX_LOOKED_AT)

const pinsOf = (arTypes: string[]) => sql`(
  select coalesce(json_agg(json_build_object('id', p.id, 'title', p.title, 'latitude', p.latitude, 'longitude', p.longitude,
           'contentType', p.content_type, 'fileId', p.file_id) order by lower(p.title), p.id), '[]')
    from (select distinct on (p.id) p.id, p.title, p.latitude, p.longitude, p.content_type,
                 (select f.id from files f
                   where f.key = object_key_in(p.content_url) and f.mime_type = any (${arTypes})
                     and (select a.owners is null from object_access(f.key) a)) as file_id
            from (select p.*, 1 as turn from pins p where p.id = any (m.pin_ids) and p.visibility <> 'private' and p.latitude is not null
                  union all
                  select p.*, 2 from unnest(m.zone_ids) z(id),
                    lateral (select * from pins p where p.zone_id = z.id limit ${LOOKED_AT}) p
                   where m.pins_in_zones and p.visibility = 'public' and p.gcp_id is null
                     and p.latitude is not null
                  order by turn, id limit ${sql.lit(MAX_SHOWN_PINS)}) p) p)`

const boardsOf = sql`(
  select coalesce(json_agg(json_build_object('appId', a.id, 'miniGameTypeId', b.board ->> 'miniGameTypeId',
           'appName', a.name) order by b.at), '[]')
    from jsonb_array_elements(m.boards) with ordinality b(board, at)
    join apps a on a.id = (b.board ->> 'appId')::uuid and a.deleted_at is null
   where m.user_id in (select app_developers(a.id)))`
