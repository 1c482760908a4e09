import type pg from 'pg'

/**
 * Transactions of this database that have written scores or players' segments, or have locked rows for that. Such a
 * transaction locks player_best or session_players before the statement that looks which boards and segments there are.
 * Vacuum and reads take other locks, and `pg_locks` shows every role the locks of all, those of prepared transactions too.
 */
const writersSql = `
  select distinct virtualtransaction as writer, pid is null as "isPrepared" from pg_locks
   where locktype = 'relation' and database = (select oid from pg_database where datname = current_database())
     and relation = any (array['player_best', 'session_players']::regclass[])
     and mode in ('RowShareLock', 'RowExclusiveLock') and granted and pid is distinct from pg_backend_pid()`

const PAUSE = 'select pg_sleep(0.02)'

/**
 * Waits until the transactions have ended that may have written a score before they could see a board, or segments of a
 * type, that was committed before this call: theirs are not on it. Later ones see it, because a statement takes its locks
 * before its snapshot. Transactions that write something else, and those of other databases, do not matter.
 */
export async function untilEarlierWritesEnd(client: pg.ClientBase): Promise<void> {
  const writing = async () => (await client.query<{ writer: string; isPrepared: boolean }>(writersSql)).rows
  const earlier = new Set((await writing()).map(({ writer }) => writer))
  while (earlier.size > 0) {
    await client.query(PAUSE)
    const left = await writing()
    // One that is prepared meanwhile may have another name than before.
    if (!left.some(({ writer, isPrepared }) => isPrepared || earlier.has(writer))) return
  }
}
