import { type Kysely, type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { AnyTables } from '../../../platform/database/database.ts'
import { cutPage, decodeCursor, momentInCursor, type Page } from '../../../platform/http/pages.ts'
import { MAX_COUNTED } from '../../../platform/schema.ts'
import type { TimelineEntry, TimelineQuery } from './timeline-schema.ts'

const Cursor = z.tuple([momentInCursor, z.string().max(64)])
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
const NO_TYPE = '00000000-0000-0000-0000-000000000000'

type Row = TimelineEntry & { key: string; cursorAt: string }
/** The columns of a part that are not null, as SQL. `key` makes each entry of a kind unique. */
type Columns = { key: string; at: string } & Partial<
  Record<
    | 'session_id'
    | 'type_key'
    | 'score'
    | 'replaced_at'
    | 'reasons'
    | 'state'
    | 'note'
    | 'fence_id'
    | 'points'
    | 'action'
    | 'actor'
    | 'changes',
    string
  >
>

const TYPES: Record<Exclude<keyof Columns, 'key' | 'at'>, string> = {
  session_id: 'uuid',
  type_key: 'uuid',
  score: 'float8',
  replaced_at: 'timestamptz',
  reasons: 'text[]',
  state: 'text',
  note: 'text',
  fence_id: 'uuid',
  points: 'float8',
  action: 'text',
  actor: 'text',
  changes: 'jsonb',
}

const session = { session_id: 'session_id', type_key: 'type_key' }
/** Where entries come from. All tables but the audit log have the column `player_id`. */
const PARTS: { kind: TimelineEntry['kind']; table: string; where?: string; columns: Columns }[] = [
  { kind: 'created', table: 'players', columns: { key: "''", at: 'created_at' } },
  {
    kind: 'joined',
    table: 'session_players',
    where: 'true',
    columns: { ...session, key: 'session_id::text', at: 'created_at' },
  },
  {
    kind: 'score',
    table: 'session_players',
    where: 'scored_at is not null',
    columns: { ...session, key: 'session_id::text', at: 'updated_at', score: 'score' },
  },
  {
    kind: 'score',
    table: 'score_history',
    columns: { ...session, key: 'session_id::text', at: 'written_at', score: 'score', replaced_at: 'replaced_at' },
  },
  {
    kind: 'held',
    table: 'held_scores',
    columns: { ...session, key: 'id::text', at: 'created_at', score: 'score', reasons: 'reasons', state: 'state' },
  },
  {
    kind: 'reviewed',
    table: 'held_scores',
    where: 'reviewed_at is not null',
    columns: { ...session, key: 'id::text', at: 'reviewed_at', score: 'score', state: 'state', note: 'note' },
  },
  {
    kind: 'checkIn',
    table: 'check_ins',
    columns: {
      ...session,
      key: 'id::text',
      at: 'created_at',
      score: 'score',
      reasons: 'array_remove(array[reason], null)',
      state: 'state',
      note: 'note',
      fence_id: 'fence_id',
      points: 'points',
    },
  },
  {
    kind: 'change',
    table: 'audit_log',
    where: "action <> 'player.created'",
    columns: { key: "lpad(id::text, 19, '0')", at: 'at', action: 'action', actor: 'actor', changes: 'changes' },
  },
]

const IN_TABLE: Record<string, (playerId: string) => RawBuilder<unknown>> = {
  players: (id) => sql`id = ${id}`,
  audit_log: (id) => sql`player_of_entry(action, subject) = ${id}`,
}

/** The timelines of players, in SQL. */
export function timelineStore(db: Kysely<AnyTables>) {
  /** The entries before a moment, the newest first in each part. */
  const entries = (appId: string, playerId: string, most: number, before?: z.infer<typeof Cursor>) =>
    sql.join(
      PARTS.map(({ kind, table, where = 'true', columns: { key, at, ...columns } }) => {
        const others = Object.entries(TYPES).map(
          ([name, type]) => `${columns[name as keyof typeof columns] ?? 'null'}::${type} as ${name}`,
        )
        const unique = `('${kind} ' || ${key}) collate "C"`
        const shown = sql.raw(`'${kind}' as kind, ${unique} as key, ${at} as at, ${others.join(', ')}`)
        const ofPlayer = IN_TABLE[table]?.(playerId) ?? sql`player_id = ${playerId}`
        return sql`(
          select ${shown} from ${sql.table(table)} where app_id = ${appId} and ${ofPlayer} and ${sql.raw(where)}
             ${before ? sql`and (${sql.raw(`${at}, ${unique}`)}) < (${before[0]}::timestamptz, ${before[1]}::text collate "C")` : sql``}
           order by ${sql.raw(`${at} desc, ${unique}`)} desc limit ${most})`
      }),
      sql` union all `,
    )

  return {
    /**
     * What happened to a player, the newest first. Reads what there is of this one player, however large the app is; with
     * ten thousand sessions of the player, that is some tens of milliseconds.
     */
    async page(appId: string, playerId: string, { limit, cursor }: TimelineQuery): Promise<Page<TimelineEntry>> {
      const id = playerId.toLowerCase()
      const before = decodeCursor(cursor, Cursor)
      const [{ rows }, counted] = await Promise.all([
        sql<Row>`
          with found as materialized (
            select * from (${entries(appId, id, limit + 1, before)}) e order by at desc, key collate "C" desc limit ${limit + 1})
          select api_moment(e.at) as at, e.kind, e.session_id as "gameSessionId", g.name as "gameSessionName",
                 nullif(e.type_key, ${NO_TYPE}) as "miniGameTypeId", t.name as "miniGameTypeName", e.score,
                 api_moment(e.replaced_at) as "replacedAt", coalesce(e.reasons, '{}') as reasons, e.state, e.note,
                 e.fence_id as "fenceId", f.name as "fenceName", e.points, e.action, e.actor, u.username as "actorName",
                 e.changes, e.key, e.at::text as "cursorAt"
            from found e
            left join game_sessions g on g.app_id = ${appId} and g.id = e.session_id
            left join mini_game_types t on t.app_id = ${appId} and t.id = e.type_key
            left join fences f on f.app_id = ${appId} and f.id = e.fence_id
            left join users u on u.id = case when e.actor ~ ${UUID} then e.actor::uuid end
           order by e.at desc, e.key collate "C" desc`.execute(db),
        sql<{ total: number }>`
          select least(count(*), ${MAX_COUNTED}::int) as total from (${entries(appId, id, MAX_COUNTED)}) e`.execute(db),
      ])
      const page = cutPage(rows, limit, ({ cursorAt, key }) => [cursorAt, key])
      const shown = page.rows.map(({ key: _key, cursorAt: _cursorAt, ...entry }) => entry)
      return { rows: shown, next: page.next, total: counted.rows[0]!.total }
    },
  }
}
export type TimelineStore = ReturnType<typeof timelineStore>
