import { type Kysely, type RawBuilder, sql } from 'kysely'
import { namedLike, threeWords } from '../../../platform/database/query/name-search.ts'
import { countedRows, totalOf } from '../../../platform/database/row-counts.ts'
import { reading } from '../../../platform/database/write-tracking.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../../platform/http/pages.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { GameSession, GameSessionChange, NewGameSession, SessionStatus } from '../schema.ts'

const session = sql.raw(`
  select g.created_at::text as "cursorAt", g.id, g.name, g.description, case g.status when 'completed' then 'COMPLETED' else 'ACTIVE' end as status,
         g.status = 'paused' as paused, g.start_time as "startTime", g.end_time as "endTime",
         g.created_at as "createdAt", g.updated_at as "updatedAt",
         (select count(*) from session_players sp where sp.app_id = g.app_id and sp.session_id = g.id) as "playerCount",
         t.id as "typeId", t.name as "typeName", t.description as "typeDescription", t.image_url as "typeImageUrl",
         t.created_at as "typeCreatedAt", t.ascending, t.min_score as "minScore", t.max_score as "maxScore"
    from game_sessions g left join mini_game_types t on t.app_id = g.app_id and t.id = g.type_key`)

type SessionRow = Omit<GameSession, 'miniGameType' | 'paused'> & { paused: boolean } & (
    | { typeId: null }
    | { typeId: string; typeName: string; typeDescription: string; typeCreatedAt: string }
  ) & { typeImageUrl: string | null; ascending: boolean | null; minScore: number | null; maxScore: number | null }

/** A session keeps its type even when that is hidden since: it shows what was played. */
function asSession(row: SessionRow, written: OwnUrls['written']): GameSession {
  const { id, name, description, status, paused, startTime, endTime, createdAt, updatedAt, playerCount } = row
  const miniGameType =
    row.typeId === null
      ? null
      : {
          id: row.typeId,
          name: row.typeName,
          description: row.typeDescription,
          imageUrl: written(row.typeImageUrl),
          createdAt: row.typeCreatedAt,
          sortOrder: row.ascending ? ('asc' as const) : ('desc' as const),
          minScore: row.minScore,
          maxScore: row.maxScore,
        }
  const shown = { id, name, description, status, ...(paused ? { paused: true as const } : {}) }
  return { ...shown, startTime, endTime, createdAt, updatedAt, miniGameType, playerCount }
}

const inTable = { ACTIVE: 'active', PAUSED: 'paused', COMPLETED: 'completed' } as const
/** A paused session shows ACTIVE, so a filter by ACTIVE finds it too. */
const filtered = { ACTIVE: ['active', 'paused'], PAUSED: ['paused'], COMPLETED: ['completed'] }

/** The words that 0011_scoring.sql indexes. */
const names = {
  table: 'game_sessions',
  alias: 'g',
  text: sql.ref('g.name'),
  words: threeWords('lower(name)'),
  order: 'created_at desc, id desc',
} as const

type Tables = Record<never, never>

/** Game sessions of one app at a time, in SQL. */
export function sessionStore(db: Kysely<Tables>, written: OwnUrls['written']) {
  const calledLike = async (appId: string, search: string, also: RawBuilder<unknown>[]) => {
    const rows = await countedRows(db, 'game_sessions', appId)
    return namedLike(db, { ...names, appId }, rows, search, also.length === 0 ? undefined : sql.join(also, sql` and `))
  }

  return {
    /** Newest first. @param filter.typeKey those of one type; undefined: of all */
    async page(
      appId: string,
      filter: { status?: SessionStatus; typeKey?: string; search?: string },
      { limit, cursor }: PageQuery,
    ): Promise<Page<GameSession>> {
      const ofStatus = filter.status ? [sql`g.status = any(${filtered[filter.status]})`] : []
      const ofType = filter.typeKey ? [sql`g.type_key = ${filter.typeKey}`] : []
      const also = [...ofStatus, ...ofType]
      const named = filter.search ? [await calledLike(appId, filter.search, also)] : []
      const matching = sql.join([sql`g.app_id = ${appId}`, ...also, ...named], sql` and `)
      const after = afterTime(cursor)
      const before = after ? sql`and (g.created_at, g.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
      const [{ rows }, total] = await Promise.all([
        sql<SessionRow & { cursorAt: string }>`${session} where ${matching} ${before}
          order by g.created_at desc, g.id desc limit ${limit + 1}`.execute(db),
        totalOf(db, { table: 'game_sessions', scope: appId }, filter, sql`game_sessions g where ${matching}`),
      ])
      const shown = rows.map((row) => ({ ...asSession(row, written), cursorAt: row.cursorAt }))
      return pageByTime(shown, limit, total)
    },

    async get(appId: string, id: string): Promise<GameSession | undefined> {
      const { rows } = await sql<SessionRow>`${session} where g.app_id = ${appId} and g.id = ${id}`.execute(reading(db))
      return rows[0] && asSession(rows[0], written)
    },

    /** A session made COMPLETED is a finished game being recorded: it ends as it starts, and takes players and scores for 24 h. */
    async insert(appId: string, id: string, typeKey: string, { name, description, status }: NewGameSession) {
      const recorded = status === 'COMPLETED'
      await sql`
        insert into game_sessions (app_id, id, type_key, name, description, status, start_time, end_time, open_until, created_at, updated_at)
        values (${appId}, ${id}, ${typeKey}, ${name ?? null}, ${description ?? null}, ${inTable[status]}, now(),
                ${recorded ? sql`now()` : null}, ${recorded ? sql`now() + interval '24 hours'` : null}, now(), now())`.execute(
        db,
      )
    },

    /** All or nothing. @returns `completed_already` when the status cannot be left any more */
    update(appId: string, id: string, change: GameSessionChange): Promise<'ok' | 'no_session' | 'completed_already'> {
      return db.transaction().execute(async (trx) => {
        if (change.status !== undefined) {
          const { rows } = await sql<{ outcome: 'ok' | 'no_session' | 'completed_already' }>`
            select move_session(${appId}, ${id}, ${inTable[change.status]}) as outcome`.execute(trx)
          if (rows[0]!.outcome !== 'ok') return rows[0]!.outcome
        }
        if (change.name !== undefined || change.description !== undefined) {
          await sql`
            update game_sessions
               set name = ${change.name === undefined ? sql`name` : change.name},
                   description = ${change.description === undefined ? sql`description` : change.description},
                   updated_at = clock_timestamp()
             where app_id = ${appId} and id = ${id}`.execute(trx)
        }
        return 'ok'
      })
    },
  }
}
export type SessionStore = ReturnType<typeof sessionStore>
