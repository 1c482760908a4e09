import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AnyTables, Database } from '../../../platform/database/database.ts'
import { namedLike, threeWords } from '../../../platform/database/query/name-search.ts'
import { namedRead } from '../../../platform/database/query/named-read.ts'
import { countedRows, totalOf } from '../../../platform/database/row-counts.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../../platform/http/pages.ts'
import { changeAssignments, columnOf, insertedValues, selectList } from '../../../platform/records/columns.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { publishEvent } from '../../webhooks/outbox.ts'
import type { EventType } from '../../webhooks/schema.ts'
import type { GameSession, GameSessionChange, MiniGameType, NewGameSession } from '../schema.ts'
import { typeFields } from '../types/record.ts'
import { type SessionStatus, sessionFields } from './record.ts'

const typeNames = Object.keys(typeFields) as (keyof MiniGameType)[]
const typeColumns = sql.raw(typeNames.map((name) => `${columnOf(typeFields, name)} as "type.${name}"`).join(', '))

const session = sql`
  select g.created_at::text as "cursorAt", ${selectList(sessionFields)}, t.*,
         (select count(*) from session_players sp where sp.app_id = g.app_id and sp.session_id = g.id) as "playerCount"
    from game_sessions g left join (select app_id as "type.appId", ${typeColumns} from mini_game_types) t
      on t."type.appId" = g.app_id and t."type.id" = g.type_key`

type SessionRow = Omit<GameSession, 'miniGameType'> & { cursorAt: string } & Record<`type.${string}`, unknown>

/** The mini game type in a row; null for the default game. */
function typeIn(row: SessionRow): MiniGameType | null {
  if (row['type.id'] === null) return null
  return Object.fromEntries(typeNames.map((name) => [name, row[`type.${name}`]])) as MiniGameType
}

const sessionNames = Object.keys(sessionFields) as (keyof typeof sessionFields)[]

/** A session as the API returns it and as events hold it. It shows its type even after that was hidden. */
function asSession(row: SessionRow, written: OwnUrls['written']): GameSession {
  const type = typeIn(row)
  const present = sessionNames.filter((name) => name !== 'paused' || row.paused)
  return {
    ...(Object.fromEntries(present.map((name) => [name, row[name]])) as Omit<
      GameSession,
      'miniGameType' | 'playerCount'
    >),
    miniGameType: type && { ...type, imageUrl: written(type.imageUrl) },
    playerCount: row.playerCount,
  }
}

const inTable = { ACTIVE: 'active', PAUSED: 'paused', COMPLETED: 'completed' } as const
/** A paused session has status ACTIVE in the API, so a filter by ACTIVE finds it too. */
const filtered = { ACTIVE: ['active', 'paused'], PAUSED: ['paused'], COMPLETED: ['completed'] }

/** The words that 0011_scoring.sql indexes. */
const names = {
  table: 'game_sessions',
  alias: 'g',
  text: sql.ref('g.name'),
  words: threeWords('lower(name)'),
  order: 'created_at desc, id desc',
} as const

type Deps = {
  /** The full address of a stored one. */
  written: OwnUrls['written']
}

/** Game sessions of one app at a time, in SQL. */
export function sessionStore({ kysely: db, reading }: Pick<Database, 'kysely' | 'reading'>, { written }: Deps) {
  const ofId = (appId: string, id: string) => sql<SessionRow>`${session} where g.app_id = ${appId} and g.id = ${id}`

  /** Events hold stored addresses; a delivery writes them out. */
  const publishSession = async (trx: Kysely<AnyTables>, appId: string, id: string, type: EventType) => {
    const [row] = (await ofId(appId, id).execute(trx)).rows
    const asStored = <Address extends string | null>(address: Address): Address => address
    if (row) await publishEvent(trx, { type, appId, userId: null, subject: id, data: asSession(row, asStored) })
  }

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
        sql<SessionRow>`${session} where ${matching} ${before}
          order by g.created_at desc, g.id desc limit ${limit + 1}`.execute(db),
        totalOf(db, { table: 'game_sessions', scope: appId }, filter, sql`game_sessions g where ${matching}`),
      ])
      const shown = rows.map((row) => ({ ...asSession(row, written), cursorAt: row.cursorAt }))
      return pageByTime(shown, limit, total)
    },

    async get(appId: string, id: string): Promise<GameSession | undefined> {
      const [row] = await namedRead(reading, 'session', ofId(appId, id))
      return row && asSession(row, written)
    },

    /** Inserts a session. One created as COMPLETED records a finished game: it ends when it starts, and accepts players and scores for 24 h. */
    insert: (appId: string, id: string, typeKey: string, given: NewGameSession): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const recorded = given.status === 'COMPLETED'
        const values = insertedValues(sessionFields, given, {
          app_id: appId,
          id,
          type_key: typeKey,
          status: inTable[given.status],
          start_time: sql`now()`,
          end_time: recorded ? sql`now()` : null,
          open_until: recorded ? sql`now() + interval '24 hours'` : null,
          created_at: sql`now()`,
          updated_at: sql`now()`,
        })
        const { rows } = await sql<{ tellsCreated: boolean; tellsCompleted: boolean }>`
          insert into game_sessions ${values}
          returning has_webhook(app_id, 'game_session.created') as "tellsCreated",
                    has_webhook(app_id, 'game_session.completed') as "tellsCompleted"`.execute(trx)
        const { tellsCreated, tellsCompleted } = rows[0]!
        if (tellsCreated) await publishSession(trx, appId, id, 'game_session.created')
        if (recorded && tellsCompleted) await publishSession(trx, appId, id, 'game_session.completed')
      }),

    /** Changes all or nothing. @returns `completed_already` if the session is completed, which is final */
    update(appId: string, id: string, change: GameSessionChange): Promise<'ok' | 'no_session' | 'completed_already'> {
      return db.transaction().execute(async (trx) => {
        if (change.status !== undefined) {
          const { rows } = await sql<{ outcome: 'ok' | 'no_session' | 'completed_already' }>`
            select move_session(${appId}, ${id}, ${inTable[change.status]}) as outcome`.execute(trx)
          if (rows[0]!.outcome !== 'ok') return rows[0]!.outcome
        }
        const completes = change.status === 'COMPLETED' && (await tellsCompletion(trx, appId, id))
        const assigned = changeAssignments(sessionFields, change)
        if (assigned)
          await sql`
            update game_sessions set ${assigned}, updated_at = clock_timestamp()
             where app_id = ${appId} and id = ${id}`.execute(trx)
        // After every other change, so that the event has the new name too.
        if (completes) await publishSession(trx, appId, id, 'game_session.completed')
        return 'ok'
      })
    },
  }
}
export type SessionStore = ReturnType<typeof sessionStore>

/** Whether this transaction has just completed the session, and an endpoint subscribes to that. */
async function tellsCompletion(trx: Kysely<AnyTables>, appId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ tells: boolean }>`
    select xmin = pg_current_xact_id()::xid and has_webhook(app_id, 'game_session.completed') as tells
      from game_sessions where app_id = ${appId} and id = ${id}`.execute(trx)
  return rows[0]?.tells ?? false
}
