import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { reading } from '../../platform/database/write-tracking.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../platform/http/pages.ts'
import type { Review, ReviewFilter } from './schema.ts'

type Filter = Omit<ReviewFilter, 'miniGameTypeId' | 'miniGameTypeName'> & { typeKey: string | undefined }
type Condition = RawBuilder<unknown>

const DEFAULT_GAME = '00000000-0000-0000-0000-000000000000'
const moments = (of: 'h' | 'c') =>
  sql.raw(`api_moment(${of}.created_at) as "createdAt", api_moment(${of}.reviewed_at) as "reviewedAt"`)
const typeOf = (key: Condition) => sql`nullif(${key}, ${sql.lit(DEFAULT_GAME)}::uuid) as "miniGameTypeId"`

/** The type that a check-in is awarded points of; null without an award. */
const awardedType = sql`
  coalesce(c.type_key, case when jsonb_typeof(f.check_in -> 'award') = 'object'
                            then coalesce(f.check_in #>> '{award,miniGameTypeId}', ${sql.lit(DEFAULT_GAME)})::uuid end)`

/** Both kinds with the same columns: held scores are `h`, check-ins that were held `c`. */
const KINDS = {
  score: {
    of: 'h',
    type: sql`h.type_key`,
    columns: sql`
      h.id, 'score' as kind, h.session_id as "gameSessionId", ${typeOf(sql`h.type_key`)},
      h.player_id as "playerId", p.display_name as "displayName", h.score,
      case when sp.scored_at is not null then sp.score end as "currentScore", h.metadata,
      null::uuid as "fenceId", null::text as "fenceName", null::float8 as points, h.reasons, h.state, h.note, ${moments('h')}`,
    from: sql`
      held_scores h
      join players p on p.app_id = h.app_id and p.id = h.player_id
      join session_players sp on sp.app_id = h.app_id and sp.session_id = h.session_id and sp.player_id = h.player_id`,
    where: sql`true`,
  },
  check_in: {
    of: 'c',
    type: awardedType,
    columns: sql`
      c.id, 'check_in' as kind, c.session_id as "gameSessionId", ${typeOf(awardedType)},
      c.player_id as "playerId", p.display_name as "displayName", null::float8 as score, null::float8 as "currentScore",
      null::json as metadata, c.fence_id as "fenceId", f.name as "fenceName",
      case c.state when 'held' then (f.check_in #>> '{award,points}')::float8 when 'accepted' then c.points end as points,
      array[c.reason] as reasons, c.state, c.note, ${moments('c')}`,
    from: sql`
      check_ins c
      join players p on p.app_id = c.app_id and p.id = c.player_id
      join fences f on f.app_id = c.app_id and f.id = c.fence_id`,
    where: sql`c.reason is not null`,
  },
} as const
type Kind = keyof typeof KINDS

const matching = (kind: Kind, appId: string, { state, playerId, typeKey }: Filter): Condition => {
  const { of, type, where } = KINDS[kind]
  const at = sql.raw(of)
  return sql.join(
    [
      sql`${at}.app_id = ${appId} and ${where}`,
      ...(state ? [sql`${at}.state = ${state}`] : []),
      ...(playerId ? [sql`${at}.player_id = ${playerId}`] : []),
      ...(typeKey ? [sql`${type} = ${typeKey}::uuid`] : []),
    ],
    sql` and `,
  )
}

export type ReviewStore = ReturnType<typeof reviewStore>

/** Held scores and check-ins as reviews, in SQL. */
export function reviewStore(db: Kysely<AnyTables>) {
  return {
    /** Newest first. */
    async page(appId: string, filter: Filter, { limit, cursor }: PageQuery): Promise<Page<Review>> {
      const kinds = filter.kind ? [filter.kind] : (Object.keys(KINDS) as Kind[])
      const after = afterTime(cursor)
      const part = (kind: Kind) => {
        const { columns, from } = KINDS[kind]
        const at = sql.raw(KINDS[kind].of)
        const before = after
          ? sql`and (${at}.created_at, ${at}.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
          : sql``
        return sql`
          (select ${columns}, ${at}.created_at as at from ${from} where ${matching(kind, appId, filter)} ${before}
            order by ${at}.created_at desc, ${at}.id desc limit ${limit + 1})`
      }
      const counted = (kind: Kind) =>
        sql`(select count(*) from ${KINDS[kind].from} where ${matching(kind, appId, filter)})`
      const [{ rows }, { rows: counts }] = await Promise.all([
        sql<Review & { at: unknown; cursorAt: string }>`
          select x.*, x.at::text as "cursorAt" from (${sql.join(kinds.map(part), sql` union all `)}) x
           order by x.at desc, x.id desc limit ${limit + 1}`.execute(reading(db)),
        sql<{ total: number }>`select ${sql.join(kinds.map(counted), sql` + `)} as total`.execute(reading(db)),
      ])
      const found = rows.map(({ at: _at, ...row }) => row)
      return pageByTime(found, limit, counts[0]!.total)
    },

    async get(appId: string, id: string): Promise<Review | undefined> {
      const part = (kind: Kind) => {
        const { columns, from, where } = KINDS[kind]
        const at = sql.raw(KINDS[kind].of)
        return sql`select ${columns} from ${from} where ${at}.app_id = ${appId} and ${at}.id = ${id} and ${where}`
      }
      const parts = sql.join((Object.keys(KINDS) as Kind[]).map(part), sql` union all `)
      return (await sql<Review>`${parts}`.execute(reading(db))).rows[0]
    },
  }
}
