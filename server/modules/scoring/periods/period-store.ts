import type pg from 'pg'
import { LOCK_FAMILIES } from '../../../platform/database/locks/locks.ts'
import { LOAD_TIMEOUT } from '../ranks/memory/board-loader.ts'
import { untilEarlierWritesEnd } from './earlier-writes.ts'
import type { Window } from './schema.ts'

/** The board of a period. Times in UTC; `endsAt` is null for a season without an end. */
export type PeriodBoard = {
  key: string
  startsAt: string
  endsAt: string | null
  /** Whether scores written before the board was made are on it. */
  isReady: boolean
}

const columns = `b.board_key as key, b.starts_at as "startsAt", b.ends_at as "endsAt", b.is_ready as "isReady"`

const currentSql = `
  select ${columns}, w.asked_at < clock_timestamp() - interval '1 hour' as "isStale"
    from board_windows w
    join period_boards b on b.app_id = w.app_id and b.type_key = w.type_key and b.every = w.every and b.closed_at is null
   where w.app_id = $1 and w.type_key = $2 and w.every = $3 and w.time_zone = $4
     and b.starts_at <= clock_timestamp() and b.ends_at > clock_timestamp()`

/** Players whose scores a board counts, after one of them. */
const playersSql = `
  select distinct player_id as id from session_players
   where app_id = $1 and player_id > $2 and type_key = $3 and scored_at is not null and updated_at >= $4
   order by 1 limit $5`

const NOBODY = '00000000-0000-0000-0000-000000000000'
/** Players of a batch: their rows are locked meanwhile. */
const BATCH = 500

type Of = { appId: string; typeKey: string }

/** Boards of periods, in SQL on the primary. */
export function periodStore(pool: pg.Pool) {
  const query = async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    (await pool.query<Row>({ name, text, values })).rows

  return {
    /** The board of the current day, week or month, by the clock of the database. The first call of a window starts keeping it. */
    async window({ appId, typeKey }: Of, every: Window, timeZone: string): Promise<PeriodBoard> {
      const values = [appId, typeKey, every, timeZone]
      const [current] = await query<PeriodBoard & { isStale: boolean }>('window', currentSql, values)
      if (current?.isStale)
        await pool.query(
          'update board_windows set asked_at = clock_timestamp() where app_id = $1 and type_key = $2 and every = $3',
          [appId, typeKey, every],
        )
      if (current) return current
      const [opened] = await query<PeriodBoard>(
        'open_window',
        `select ${columns} from open_window($1, $2, $3) b`,
        values.slice(0, 3),
      )
      return opened!
    },

    /** Whether a board is ready by now. */
    isReady: async (appId: string, key: string): Promise<boolean> =>
      (
        await query('is_ready', 'select from period_boards where app_id = $1 and board_key = $2 and is_ready', [
          appId,
          key,
        ])
      ).length > 0,

    /**
     * Puts scores that were written before the board was made on it, in short transactions. Does nothing while another
     * process does it.
     */
    async fill({ appId, typeKey }: Of, { key, startsAt, endsAt }: PeriodBoard): Promise<void> {
      const client = await pool.connect()
      let isBroken = true
      try {
        await client.query(`set statement_timeout = '${LOAD_TIMEOUT}'`)
        const lock = 'pg_try_advisory_lock($1, hashtext($2))'
        const { rows } = await client.query(`select ${lock} as held`, [LOCK_FAMILIES.periodBoards, key])
        const isDue = rows[0].held && (await isUnready(client, appId, key))
        if (isDue) {
          await untilEarlierWritesEnd(client)
          let after = NOBODY
          for (;;) {
            const found = await client.query<{ id: string }>(playersSql, [appId, after, typeKey, startsAt, BATCH])
            const players = found.rows.map(({ id }) => id)
            if (players.length > 0)
              await client.query('select fill_period_board($1, $2, $3, $4, $5, $6)', [
                appId,
                typeKey,
                key,
                startsAt,
                endsAt,
                players,
              ])
            if (players.length < BATCH) break
            after = players.at(-1)!
          }
          await client.query('update period_boards set is_ready = true where app_id = $1 and board_key = $2', [
            appId,
            key,
          ])
        }
        if (rows[0].held)
          await client.query('select pg_advisory_unlock($1, hashtext($2))', [LOCK_FAMILIES.periodBoards, key])
        await client.query('reset statement_timeout')
        isBroken = false
      } finally {
        client.release(isBroken)
      }
    },

    /** Boards that are not ready, for example because a process ended while it filled them. */
    unready: (): Promise<(PeriodBoard & Of)[]> =>
      query(
        'unready',
        `select ${columns}, b.app_id as "appId", b.type_key as "typeKey" from period_boards b
          where not b.is_ready and b.closed_at is null limit 100`,
        [],
      ),
  }
}
export type PeriodStore = ReturnType<typeof periodStore>

async function isUnready(client: pg.PoolClient, appId: string, key: string): Promise<boolean> {
  const text = 'select from period_boards where app_id = $1 and board_key = $2 and not is_ready and closed_at is null'
  return (await client.query(text, [appId, key])).rowCount === 1
}
