import { type Kysely, sql, type Transaction } from 'kysely'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { retryTransaction } from '../../platform/database/database-errors.ts'
import { lockContents } from '../../platform/database/locks/locks.ts'
import { removePlayerData } from './player-erasure.ts'

/** The outcome: erased, or not, because of apps whose only owner the user is (their names). */
export type Erasure = { erased: boolean; apps: string[] }

type Trx = Transaction<AnyTables>
/** Throws unless the user may be erased. It runs first in the transaction. */
type Check = (trx: Trx) => Promise<void>

/**
 * Deletes a user from the database in one transaction. Deleted: what only the user could see (sign-ins, codes, personal tokens, the
 * account with its password, private and unlisted pins, scans, what games keep for the user's players, uploaded files that no remaining record of the user or
 * record of ops uses, webhook deliveries about them, and the address of the user where alerts are mailed to). Apps with another owner pass to that owner. Kept without an owner: what others use (players with their
 * scores, public pins, zones, GCPs, imports). The audit log keeps IDs but no addresses. The caller deletes the bytes by
 * removing unused objects.
 */
export function userErasure({ db, audit }: { db: Kysely<AnyTables>; audit: AuditLog }) {
  const once = (userId: string, actor: string, check: Check): Promise<Erasure> =>
    db.transaction().execute(async (trx) => {
      await check(trx)
      // An import locks its record and then, through its writes, its user: keep the same order here.
      await sql`select from csv_uploads where user_id = ${userId} order by id for update`.execute(trx)
      const { rows: users } = await sql`select from users where id = ${userId} for update`.execute(trx)
      if (users.length === 0) return { erased: false, apps: [] }
      // Changes of members wait, so that an app with another owner keeps one.
      await sql`select from apps where owner_id = ${userId} order by id for no key update`.execute(trx)
      const { rows: apps } = await sql<{ name: string }>`
        select name from apps a where owner_id = ${userId} and not exists (
            select from app_members where app_id = a.id and role = 'owner' and user_id <> ${userId})
         order by created_at, id limit 100`.execute(trx)
      if (apps.length > 0) return { erased: false, apps: apps.map(({ name }) => name) }

      const { rows: passed } = await sql<{ id: string }>`select pass_apps(${userId}) as id`.execute(trx)
      await audit.record(
        passed.map(({ id }) => ({ actor, address: null, action: 'app_owner.passed', subject: id })),
        trx,
      )
      // The pin of a ground control point stays with the point.
      await sql`delete from pins where user_id = ${userId} and visibility <> 'public' and gcp_id is null`.execute(trx)
      await removePlayerData(trx, userId)
      await removeFiles(trx, userId)
      await sql`select forget_deliveries(${userId})`.execute(trx)
      await sql`
        update alert_settings s set addresses = array(
                 select a from unnest(s.addresses) with ordinality l(a, at) where lower(a) <> lower(u.email) order by at)
          from users u where u.id = ${userId} and lower(u.email) = any (lower(s.addresses::text)::text[])
           -- Providers do not prove every address: one that is claimed changes nothing in the apps of others.
           and exists (select from app_members m where m.app_id = s.app_id and m.user_id = u.id)`.execute(trx)
      // Responses stored for idempotency contain data of the user.
      await sql`delete from idempotency_keys
                 where scope = ${`user:${userId}`} or scope like ${`app:% user:${userId}`}`.execute(trx)
      await sql`update audit_log set address = null where actor = ${userId} and address is not null`.execute(trx)
      await audit.record([{ actor, address: null, action: 'user.erased', subject: userId }], trx)
      // The other tables refer to the user with "on delete cascade" or "on delete set null".
      await sql`delete from users where id = ${userId}`.execute(trx)
      return { erased: true, apps: [] }
    })

  // Records that refer to users are written everywhere in the service: on a deadlock, the other transaction goes first.
  return (userId: string, { actor }: Actor, check: Check = async () => undefined): Promise<Erasure> =>
    retryTransaction(() => once(userId, actor, check))
}

/**
 * Deletes the user's scans, the files of private ones, other files that no record uses then, and conversions of
 * contents that no file has any more.
 */
async function removeFiles(trx: Trx, userId: string) {
  // The converter's lock: the conversions of these contents cannot be requested or deleted now.
  const { rows: contents } = await sql<{ sha256: string }>`
    select distinct sha256 from files where user_id = ${userId} order by sha256`.execute(trx)
  await lockContents(
    trx,
    contents.map(({ sha256 }) => sha256),
  )
  const { rows: scans } = await sql<{ fileId: number; isPrivate: boolean }>`
    delete from scans where user_id = ${userId}
    returning file_id as "fileId", visibility = 'private' as "isPrivate"`.execute(trx)
  const hidden = scans.filter(({ isPrivate }) => isPrivate).map(({ fileId }) => fileId)
  await sql`select remove_files(array(select id from files where user_id = ${userId}), ${hidden}::bigint[])`.execute(
    trx,
  )

  // Announced uploads sent directly to the storage have no file record yet.
  await sql`
    insert into unused_objects (key) select key from reservations where user_id = ${userId} on conflict do nothing`.execute(
    trx,
  )
}
