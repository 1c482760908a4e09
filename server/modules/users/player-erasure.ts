import { sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'

/**
 * Deletes what games keep for the user's players, their attributes, the notes on their standing, and the metadata of
 * their scores, also of those that are held for a review. Writers lock the player first too.
 */
export async function removePlayerData(trx: Transaction<AnyTables>, userId: string) {
  await sql`select from players where user_id = ${userId} order by app_id, id for no key update`.execute(trx)
  for (const table of ['player_storage', 'player_positions', 'fence_events', 'entering_fixes', 'check_ins'])
    await sql`delete from ${sql.table(table)} s using players p
               where p.user_id = ${userId} and s.app_id = p.app_id and s.player_id = p.id`.execute(trx)
  const { rows: apps } = await sql<{ appId: string }>`
    select p.app_id as "appId" from players p
      join player_attributes a on a.app_id = p.app_id and a.player_id = p.id cross join set_attributes(p.app_id, p.id, null)
     where p.user_id = ${userId} order by p.app_id, p.id`.execute(trx)
  if (apps.length > 0) {
    await sql`insert into changes (topic, subjects) values ('ranks', ${apps.map(({ appId }) => appId)})`.execute(trx)
    await sql`select new_rank_generation()`.execute(trx)
  }
  await sql`update session_players s set metadata = null from players p
             where p.user_id = ${userId} and s.app_id = p.app_id and s.player_id = p.id
               and s.metadata is not null`.execute(trx)
  await sql`update score_history h set metadata = null from players p
             where p.user_id = ${userId} and h.app_id = p.app_id and h.player_id = p.id
               and h.metadata is not null`.execute(trx)
  await sql`update period_best b set metadata = null from players p, period_boards x
             where p.user_id = ${userId} and x.app_id = p.app_id and b.app_id = p.app_id and b.board_key = x.board_key
               and b.player_id = p.id and b.metadata is not null`.execute(trx)
  await sql`update held_scores h set metadata = null, former_metadata = null, note = null from players p
             where p.user_id = ${userId} and h.app_id = p.app_id and h.player_id = p.id
               and (h.metadata is not null or h.former_metadata is not null or h.note is not null)`.execute(trx)
  await sql`update players set standing_note = null where user_id = ${userId} and standing_note is not null`.execute(
    trx,
  )
  // A repeat is answered as after a lost response: it must not be carried out again.
  await sql`update idempotency_keys k set state = 'unknown', status = null, headers = null, body = null from players p
             where p.user_id = ${userId} and split_part(k.scope, ' ', 1) = 'app:' || p.app_id
               and strpos(k.body, p.id::text) > 0`.execute(trx)
}
