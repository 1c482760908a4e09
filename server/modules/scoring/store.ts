import { type Kysely, sql } from 'kysely'
import type { GameSession, GameSessionChange, GameSessionPlayer, NewGameSession, SessionStatus } from './schema.ts'

const session = sql.raw(`
  select g.id, g.name, g.description, case g.status when 'completed' then 'COMPLETED' else 'ACTIVE' end as status,
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
function asSession(row: SessionRow): GameSession {
  const { id, name, description, status, paused, startTime, endTime, createdAt, updatedAt, playerCount } = row
  const miniGameType =
    row.typeId === null
      ? null
      : {
          id: row.typeId,
          name: row.typeName,
          description: row.typeDescription,
          imageUrl: row.typeImageUrl,
          createdAt: row.typeCreatedAt,
          sortOrder: row.ascending ? ('asc' as const) : ('desc' as const),
          minScore: row.minScore,
          maxScore: row.maxScore,
        }
  const shown = { id, name, description, status, ...(paused ? { paused: true as const } : {}) }
  return { ...shown, startTime, endTime, createdAt, updatedAt, miniGameType, playerCount }
}

const sessionPlayer = sql.raw(`
  select sp.score, sp.created_at as "createdAt", sp.updated_at as "updatedAt", sp.player_id as "playerId",
         p.display_name as "displayName", p.image_url as "imageUrl",
         p.user_id as "userId", u.username
    from session_players sp
    join players p on p.app_id = sp.app_id and p.id = sp.player_id
    left join users u on u.id = p.user_id`)

type PlayerRow = Omit<GameSessionPlayer, 'user'> & { userId: string | null; username: string | null }

/** The player of a session as it is shown. */
function asSessionPlayer({ userId, username, ...player }: PlayerRow): GameSessionPlayer {
  return { ...player, user: userId === null ? null : { id: userId, username } }
}

const inTable = { ACTIVE: 'active', PAUSED: 'paused', COMPLETED: 'completed' } as const
/** A paused session shows ACTIVE, so a filter by ACTIVE finds it too. */
const filtered = { ACTIVE: ['active', 'paused'], PAUSED: ['paused'], COMPLETED: ['completed'] }

type Tables = Record<never, never>

/** Game sessions and their players, of one app at a time, in SQL. */
export function sessionStore(db: Kysely<Tables>) {
  return {
    /** Newest first. @param typeKey those of one type; undefined: of all */
    async list(appId: string, filter: { status?: SessionStatus; typeKey?: string }): Promise<GameSession[]> {
      const ofStatus = filter.status ? sql`and g.status = any(${filtered[filter.status]})` : sql``
      const ofType = filter.typeKey ? sql`and g.type_key = ${filter.typeKey}` : sql``
      const { rows } = await sql<SessionRow>`${session} where g.app_id = ${appId} ${ofStatus} ${ofType}
        order by g.created_at desc, g.id desc limit 10000`.execute(db)
      return rows.map(asSession)
    },

    async get(appId: string, id: string): Promise<GameSession | undefined> {
      const { rows } = await sql<SessionRow>`${session} where g.app_id = ${appId} and g.id = ${id}`.execute(db)
      return rows[0] && asSession(rows[0])
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
    change(appId: string, id: string, change: GameSessionChange): Promise<'ok' | 'no_session' | 'completed_already'> {
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

    /** @returns `ok` when the player was registered now, `again` when it was before */
    async register(appId: string, sessionId: string, playerId: string) {
      const { rows } = await sql<{ outcome: 'ok' | 'again' | 'no_session' | 'no_player' | 'not_running' }>`
        select register_player(${appId}, ${sessionId}, ${playerId}) as outcome`.execute(db)
      return rows[0]!.outcome
    },

    /** In the order they joined. */
    async players(appId: string, sessionId: string): Promise<GameSessionPlayer[]> {
      const { rows } = await sql<PlayerRow>`${sessionPlayer} where sp.app_id = ${appId} and sp.session_id = ${sessionId}
        order by sp.created_at, sp.player_id limit 10000`.execute(db)
      return rows.map(asSessionPlayer)
    },

    async player(appId: string, sessionId: string, playerId: string): Promise<GameSessionPlayer | undefined> {
      const { rows } = await sql<PlayerRow>`${sessionPlayer}
        where sp.app_id = ${appId} and sp.session_id = ${sessionId} and sp.player_id = ${playerId}`.execute(db)
      return rows[0] && asSessionPlayer(rows[0])
    },
  }
}
export type SessionStore = ReturnType<typeof sessionStore>
