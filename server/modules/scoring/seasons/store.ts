import { type Kysely, type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { AnyTables } from '../../../platform/database/database.ts'
import { cutPage, decodeCursor, momentInCursor, type Page, type PageQuery } from '../../../platform/http/pages.ts'
import { defaultGame } from '../types/store.ts'
import type { NewSeason, Season, SeasonChange } from './schema.ts'

/** A season, and what its board needs. */
export type StoredSeason = Season & { isReady: boolean }
/** Why a season was not created or changed. */
export type SeasonRefusal = 'full' | 'crowded' | 'ended' | 'ends_too_soon' | 'overlaps' | 'repeats'

/** Seasons of one mini game type that may run at the same time: every score is written to each. */
export const MAX_CONCURRENT = 4
/** A score takes at most so long to be written: an end that is set must be further away. */
export const SHORTEST_NOTICE_SECONDS = 15

const columns = sql`
  s.id, s.name, nullif(s.type_key, ${sql.lit(defaultGame)}::uuid) as "miniGameTypeId", s.starts_at as "startsAt",
  s.ends_at as "endsAt",
  case when s.repeat_every is not null
       then jsonb_build_object('every', s.repeat_every, 'timeZone', s.repeat_time_zone) end as repeat,
  s.series_number + 1 as number,
  case when s.starts_at > clock_timestamp() then 'upcoming' when s.ends_at <= clock_timestamp() then 'ended'
       else 'running' end as state,
  s.created_at as "createdAt", s.updated_at as "updatedAt", b.is_ready as "isReady"`
const from = sql`seasons s join period_boards b on b.app_id = s.app_id and b.board_key = s.id and b.closed_at is null`

const SeasonCursor = z.tuple([momentInCursor, z.uuid()])

/** Seasons of one app, in SQL. */
export function seasonStore(db: Kysely<AnyTables>) {
  const one = async (trx: Kysely<AnyTables>, appId: string, id: string): Promise<StoredSeason | undefined> =>
    (await sql<StoredSeason>`select ${columns} from ${from} where s.app_id = ${appId} and s.id = ${id}`.execute(trx))
      .rows[0]

  /** Locked until the transaction ends, so that seasons of an app are counted and changed one at a time. */
  const lockSeasons = (trx: Kysely<AnyTables>, appId: string) =>
    sql`select from apps where id = ${appId} for no key update`.execute(trx)

  return {
    get: (appId: string, id: string): Promise<StoredSeason | undefined> => one(db, appId, id),

    /** The latest start first. @param typeKey those of one type; undefined: of all */
    async page(appId: string, typeKey: string | undefined, { limit, cursor }: PageQuery): Promise<Page<Season>> {
      const after = decodeCursor(cursor, SeasonCursor)
      const ofType = typeKey ? sql`and s.type_key = ${typeKey}` : sql``
      const [{ rows }, counted] = await Promise.all([
        sql<StoredSeason & { at: string }>`
          select ${columns}, s.starts_at::text as at from ${from} where s.app_id = ${appId} ${ofType}
             and ${after ? sql`(s.starts_at, s.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql`true`}
           order by s.starts_at desc, s.id desc limit ${limit + 1}`.execute(db),
        sql<{ total: number }>`select count(*) as total from ${from} where s.app_id = ${appId} ${ofType}`.execute(db),
      ])
      const page = cutPage(rows, limit, ({ at, id }) => [at, id])
      return {
        rows: page.rows.map(({ at, isReady, ...season }) => season),
        next: page.next,
        total: counted.rows[0]!.total,
      }
    },

    /**
     * Creates a season, with the next one if it repeats and has begun.
     * @param most how many seasons an app may have
     */
    insert: (
      appId: string,
      id: string,
      season: NewSeason & { typeKey: string },
      most: number,
    ): Promise<StoredSeason | SeasonRefusal> =>
      db.transaction().execute(async (trx) => {
        await lockSeasons(trx, appId)
        const { name, startsAt, endsAt, repeat, typeKey } = season
        const every = repeat?.every ?? null
        const zone = repeat?.timeZone ?? null
        const ends = endsAt
          ? sql`${endsAt}::timestamptz`
          : repeat
            ? sql`season_moment(${startsAt}, 1, ${every}, ${zone})`
            : sql`null::timestamptz`
        const { rows } = await sql<{ full: boolean; soon: boolean; overlaps: boolean }>`
          select (select count(*) from seasons where app_id = ${appId}) >= ${most} as full,
                 coalesce(${ends} <= ${startsAt} or ${ends} < clock_timestamp() + make_interval(secs => ${SHORTEST_NOTICE_SECONDS}), false) as soon,
                 coalesce(${ends} > season_moment(${startsAt}, 1, ${every}, ${zone}), false) as overlaps`.execute(trx)
        if (rows[0]!.full) return 'full'
        if (await isCrowded(trx, { appId, id, typeKey, startsAt, ends, repeats: every !== null })) return 'crowded'
        if (rows[0]!.soon) return 'ends_too_soon'
        if (rows[0]!.overlaps) return 'overlaps'
        await sql`
          insert into seasons (app_id, id, type_key, name, starts_at, ends_at, repeat_every, repeat_time_zone, series_id,
                               series_starts_at, series_ends_at)
          values (${appId}, ${id}, ${typeKey}, ${name}, ${startsAt}, ${ends}, ${every}, ${zone}, ${id}, ${startsAt},
                  ${endsAt ?? null})`.execute(trx)
        await sql`
          insert into period_boards (app_id, board_key, type_key, starts_at, ends_at, is_ready)
          select app_id, id, type_key, starts_at, ends_at,
                 starts_at > clock_timestamp() + make_interval(secs => ${SHORTEST_NOTICE_SECONDS})
            from seasons where app_id = ${appId} and id = ${id}`.execute(trx)
        await sql`select open_seasons(${appId}, ${typeKey}, clock_timestamp())`.execute(trx)
        return (await one(trx, appId, id))!
      }),

    /** @returns undefined when there is no such season */
    change: (appId: string, id: string, change: SeasonChange): Promise<StoredSeason | SeasonRefusal | undefined> =>
      db.transaction().execute(async (trx) => {
        await lockSeasons(trx, appId)
        const now = await one(trx, appId, id)
        if (!now) return undefined
        const { name, endsAt, repeat } = change
        if (endsAt !== undefined && endsAt !== now.endsAt) {
          if (now.state === 'ended') return 'ended'
          if (now.repeat && repeat === undefined) return 'repeats'
          const { rows } = await sql<{ soon: boolean }>`
            select coalesce(${endsAt}::timestamptz <= ${now.startsAt}::timestamptz
                     or ${endsAt}::timestamptz < clock_timestamp() + make_interval(secs => ${SHORTEST_NOTICE_SECONDS}), false)
                or ${now.endsAt}::timestamptz < clock_timestamp() + make_interval(secs => ${SHORTEST_NOTICE_SECONDS})
                as soon`.execute(trx)
          if (rows[0]!.soon) return 'ends_too_soon'
          const typeKey = now.miniGameTypeId ?? defaultGame
          const ends = sql`${endsAt}::timestamptz`
          if (await isCrowded(trx, { appId, id, typeKey, startsAt: now.startsAt, ends, repeats: false }))
            return 'crowded'
          await sql`update seasons set ends_at = ${endsAt} where app_id = ${appId} and id = ${id}`.execute(trx)
          await sql`update period_boards set ends_at = ${endsAt} where app_id = ${appId} and board_key = ${id}`.execute(
            trx,
          )
        }
        if (repeat === null && now.repeat) await endSeries(trx, appId, id)
        await sql`
          update seasons set name = coalesce(${name ?? null}, name), updated_at = clock_timestamp()
           where app_id = ${appId} and id = ${id}`.execute(trx)
        return (await one(trx, appId, id))!
      }),

    /** Deletes a season with its board. An upcoming one ends its series. @returns false when there is no such season */
    remove: (appId: string, id: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        await lockSeasons(trx, appId)
        const season = await one(trx, appId, id)
        if (!season) return false
        if (season.state === 'upcoming' && season.repeat) await endSeries(trx, appId, id)
        await removeOne(trx, appId, id)
        return true
      }),
  }
}
export type SeasonStore = ReturnType<typeof seasonStore>

type Span = {
  appId: string
  id: string
  typeKey: string
  startsAt: string
  ends: RawBuilder<unknown>
  repeats: boolean
}

/** Whether as many other seasons of the type as there may be overlap with a season; a series counts once. */
async function isCrowded(
  trx: Kysely<AnyTables>,
  { appId, id, typeKey, startsAt, ends, repeats }: Span,
): Promise<boolean> {
  const { rows } = await sql<{ others: number }>`
    select count(distinct series_id) as others from seasons s
     where s.app_id = ${appId} and s.type_key = ${typeKey} and s.id <> ${id}
       and (s.ends_at > ${startsAt} or s.ends_at is null or s.repeat_every is not null)
       and (s.starts_at < ${ends} or ${ends} is null or ${repeats})`.execute(trx)
  return rows[0]!.others >= MAX_CONCURRENT
}

/** Stops a series: no season repeats any more, and those that have not begun are deleted. */
async function endSeries(trx: Kysely<AnyTables>, appId: string, id: string): Promise<void> {
  // A score may be making the next season of the series: waits for it, and then sees it.
  await sql`
    select from seasons s join seasons x on s.app_id = x.app_id and s.series_id = x.series_id
     where x.app_id = ${appId} and x.id = ${id} for update of s`.execute(trx)
  const { rows } = await sql<{ id: string; isUpcoming: boolean }>`
    update seasons s set repeat_every = null, repeat_time_zone = null, updated_at = clock_timestamp() from seasons x
     where x.app_id = ${appId} and x.id = ${id} and s.app_id = x.app_id and s.series_id = x.series_id
    returning s.id, s.starts_at > clock_timestamp() as "isUpcoming"`.execute(trx)
  for (const one of rows) if (one.isUpcoming && one.id !== id) await removeOne(trx, appId, one.id)
}

async function removeOne(trx: Kysely<AnyTables>, appId: string, id: string): Promise<void> {
  await sql`delete from seasons where app_id = ${appId} and id = ${id}`.execute(trx)
  await sql`update period_boards set closed_at = clock_timestamp() where app_id = ${appId} and board_key = ${id}`.execute(
    trx,
  )
}
