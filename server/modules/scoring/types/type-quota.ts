import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { lockOwner } from '../../../platform/database/locks/ownership.ts'

/** No request takes longer from choosing a type to making a session of it: one that was hidden before gets no more. */
const CHOSEN = '10 minutes'

type Types = { shown: number; hidden: number }

async function typesOf(trx: Kysely<AnyTables>, appId: string): Promise<Types> {
  const { rows } = await sql<Types>`
    select count(*) filter (where hidden_at is null) as shown, count(hidden_at) as hidden
      from mini_game_types where app_id = ${appId}`.execute(trx)
  return rows[0]!
}

/** The hidden types that were hidden first and never played, for good. @returns how many */
async function removeUnplayed(trx: Kysely<AnyTables>, appId: string, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mini_game_types where app_id = ${appId} and id in (
      select t.id from mini_game_types t
       where t.app_id = ${appId} and t.hidden_at < now() - interval '${sql.raw(CHOSEN)}'
         and not exists (select from game_sessions g where g.app_id = ${appId} and g.type_key = t.id)
         and not exists (select from player_best b where b.app_id = ${appId} and b.type_key = t.id)
       order by t.hidden_at, t.id limit ${most})`.execute(trx)
  return Number(numAffectedRows)
}

/** Locks the creation and restoration of types of this app until the transaction ends. @returns whether the quota of visible types is used up */
export async function areShownFull(trx: Kysely<AnyTables>, appId: string, most: number): Promise<boolean> {
  await lockOwner(trx, appId)
  return (await typesOf(trx, appId)).shown >= most
}

/**
 * The same for a new type, which may be hidden later: an app has as many hidden ones at most, and those that were hidden
 * first and never played make room. @returns what there are too many of
 */
export async function roomForType(
  trx: Kysely<AnyTables>,
  appId: string,
  most: number,
): Promise<'full' | 'full of hidden' | undefined> {
  await lockOwner(trx, appId)
  const { shown, hidden } = await typesOf(trx, appId)
  if (shown >= most) return 'full'
  if (hidden < most) return undefined
  const tooMany = hidden - most + 1
  return (await removeUnplayed(trx, appId, tooMany)) < tooMany ? 'full of hidden' : undefined
}
