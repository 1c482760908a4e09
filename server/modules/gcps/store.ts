import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { LOCK_FAMILIES } from '../../platform/database/locks/locks.ts'
import { reading } from '../../platform/database/write-tracking.ts'
import { foldName } from '../../platform/names.ts'
import type { RecordCheck } from '../../platform/records/changes.ts'
import { assignments, insertedValues, selectList } from '../../platform/records/columns.ts'
import type { ChangedName } from '../../platform/records/fields.ts'
import { keyIn, pathOf } from '../../platform/storage/own-urls.ts'
import { gcpFields } from './record.ts'
import type { CompleteGcp, Gcp, TagConflict } from './schema.ts'
import type { TaggedGcp } from './tags/april-tags.ts'
import { gcpsWithTag, type TagScope } from './tags/tag-store.ts'

/** A transaction that other modules take part in. */
export type Within = Transaction<AnyTables>

/** What a change is decided by. */
export type GcpState = Pick<Gcp, ChangedName<typeof gcpFields> | 'zoneId' | 'heightTransformation'> &
  Pick<NonNullable<Gcp['pin']>, 'geoPose' | 'latitude' | 'longitude'>
/** What a change writes. */
export type GcpWrite = Omit<GcpState, 'zoneId'> & {
  /** The location changed: its transformation and horizontal accuracy no longer apply. */
  isMoved: boolean
  /** The height changed. */
  isLifted: boolean
}

/** Height datum and transformation, as the column `survey` has them. */
const heightFacts = ({ heightDatum, heightTransformation }: Pick<GcpState, 'heightDatum' | 'heightTransformation'>) =>
  JSON.stringify({
    ...(heightDatum !== null && { verticalDatum: heightDatum }),
    ...(heightTransformation && { heightTransformation }),
  })

export type GcpStore = ReturnType<typeof gcpStore>

/** Locks tags until the end of the transaction: only its holder may check a tag's bearers, then write. */
export async function lockTags(trx: Transaction<AnyTables>, tags: Iterable<number>): Promise<void> {
  const ordered = [...new Set(tags)].sort((a, b) => a - b)
  if (ordered.length === 0) return
  await sql`
    select pg_advisory_xact_lock(${LOCK_FAMILIES.aprilTags}, tag)
      from (select tag from unnest(${ordered}::int[]) with ordinality as t (tag, place) order by place) as ordered`.execute(
    trx,
  )
}

/** Ground control points, in SQL. A GCP and its pin are one write. */
export function gcpStore(db: Kysely<AnyTables>) {
  return {
    /** Who may change a GCP: its maker, and the owner and editors of its zone. */
    ownersOf: async (id: number): Promise<(string | null)[] | undefined> => {
      const { rows } = await sql<{ maker: string | null; zoneOwner: string | null; editors: string[] }>`
        select g.user_id as maker, z.user_id as "zoneOwner",
               array(select e.user_id from zone_editors e where e.zone_id = g.zone_id) as editors
          from gcps g left join zones z on z.id = g.zone_id where g.id = ${id}`.execute(reading(db))
      return rows[0] && [rows[0].maker, rows[0].zoneOwner, ...rows[0].editors]
    },

    /**
     * Changes a GCP and its pin, holding the locks of `tags`. `decide` gets the locked GCP and returns what to write, or an
     * outcome that is returned with nothing written. @returns the GCP as this call leaves it; undefined if the GCP does not exist
     */
    change: <Other>(
      id: number,
      tags: number[],
      decide: (
        current: GcpState,
        bearers: (tag: number, scope: TagScope) => Promise<TaggedGcp[]>,
        within: Within,
      ) => Promise<GcpWrite | { other: Other }>,
    ): Promise<{ other: Other; current: GcpState } | { written: GcpState } | undefined> =>
      db.transaction().execute(async (trx) => {
        await lockTags(trx, tags)
        const current = await stateOf(trx, id)
        if (!current) return undefined
        const decision = await decide(current, (tag, scope) => gcpsWithTag(trx, tag, scope), trx)
        if ('other' in decision) return { ...decision, current }
        await write(trx, id, decision)
        return { written: (await stateOf(trx, id))! }
      }),

    /** Of a file of ours any address it ever had will do. @returns whether the address was among the GCP's photos. */
    async removePhoto(id: number, url: string): Promise<boolean> {
      const key = keyIn(url)
      const names = key === undefined ? [url] : [url, pathOf(key)]
      const { rows } = await sql`
        update gcps set photo_urls = array(select a from unnest(photo_urls) with ordinality as shown (a, n)
                                            where a <> all (${names}::text[]) order by n),
               edited_at = clock_timestamp(), updated_at = clock_timestamp()
         where id = ${id} and photo_urls && ${names}::text[] returning id`.execute(db)
      return rows.length > 0
    },

    /** Deletes a GCP and its pin. @returns whether it existed. @throws the error of `check` */
    async remove(id: number, check?: RecordCheck<GcpState>): Promise<boolean> {
      const removed = async (within: Kysely<AnyTables>) => {
        const { rows } = await sql`delete from gcps where id = ${id} returning id`.execute(within)
        return rows.length > 0
      }
      if (!check) return removed(db)
      return db.transaction().execute(async (trx) => {
        const current = await stateOf(trx, id)
        if (current) await check(trx, current)
        return removed(trx)
      })
    },

    /**
     * Writes a GCP and its pin. With a tag, `conflicts` judges the bearers in scope while the tag is locked; if
     * it returns any, nothing is written. `photos` gives all it shows, in the same transaction. @returns the id, or those conflicts.
     */
    insert: (
      gcp: CompleteGcp,
      userId: string | null,
      scope: TagScope,
      conflicts: (bearers: TaggedGcp[]) => TagConflict[],
      photos: (within: Within) => Promise<string[]>,
    ): Promise<number | TagConflict[]> =>
      db.transaction().execute(async (trx) => {
        if (gcp.aprilTagId != null) {
          await lockTags(trx, [gcp.aprilTagId])
          const found = conflicts(await gcpsWithTag(trx, gcp.aprilTagId, scope))
          if (found.length > 0) return found
        }
        return insertWithPin(trx, { ...gcp, photoUrls: await photos(trx) }, userId)
      }),
  }
}

async function stateOf(trx: Kysely<AnyTables>, id: number): Promise<GcpState | undefined> {
  const { rows } = await sql<Gcp & GcpState>`
    select ${selectList(gcpFields, 'g')}, p.geo_pose as "geoPose", p.latitude, p.longitude
      from gcps g join pins p on p.gcp_id = g.id where g.id = ${id} for update`.execute(trx)
  return rows[0]
}

async function write(trx: Kysely<AnyTables>, id: number, gcp: GcpWrite): Promise<void> {
  const untrue = ['verticalDatum', 'heightTransformation']
  if (gcp.isMoved) untrue.push('transformation')
  const unknown = sql`case when ${gcp.isMoved} and survey ? 'accuracyH' then '{"accuracyH": null}' else '{}'::jsonb end
    || case when ${gcp.isLifted} and survey ? 'accuracyV' then '{"accuracyV": null}' else '{}'::jsonb end`
  await sql`
    update gcps set ${assignments(gcpFields, gcp)}, title_key = ${foldName(gcp.title)},
           edited_at = clock_timestamp(), updated_at = clock_timestamp(),
           survey = nullif(coalesce(survey, '{}') - ${untrue}::text[] || ${unknown} || ${heightFacts(gcp)}::jsonb, '{}')
     where id = ${id}`.execute(trx)
  await sql`
    update pins set title = ${gcp.title}, latitude = ${gcp.latitude}, longitude = ${gcp.longitude},
           geo_pose = ${gcp.geoPose ? JSON.stringify(gcp.geoPose) : null}::jsonb, updated_at = clock_timestamp()
     where gcp_id = ${id}`.execute(trx)
}

async function insertWithPin(trx: Kysely<AnyTables>, gcp: CompleteGcp, userId: string | null): Promise<number> {
  const { latitude = null, longitude = null } = gcp.place ?? {}
  const survey = sql`nullif(${heightFacts(gcp)}::jsonb, '{}')`
  const values = insertedValues(gcpFields, gcp, { title_key: foldName(gcp.title), user_id: userId, survey })
  const { rows } = await sql<{ gcp_id: number }>`
    with made as (
      insert into gcps ${values}
      returning id, title, zone_id, user_id)
    insert into pins (title, latitude, longitude, geo_pose, content_type, zone_id, gcp_id, user_id)
    select title, ${latitude}::float8, ${longitude}::float8, ${gcp.geoPose ? JSON.stringify(gcp.geoPose) : null}::jsonb, 'GCP', zone_id, id, user_id
      from made
    returning gcp_id`.execute(trx)
  return rows[0]!.gcp_id
}
