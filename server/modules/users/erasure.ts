import { type Kysely, sql, type Transaction } from 'kysely'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { lockContents } from '../../platform/database/locks/locks.ts'

/** What came of it: done, or nothing, because of apps that the user owns (their names). */
export type Erasure = { erased: boolean; apps: string[] }

type Trx = Transaction<AnyTables>

const MAX_ATTEMPTS = 5

/** PostgreSQL's SQLSTATE deadlock_detected. */
const isDeadlock = (error: unknown) => (error as { code?: string }).code === '40P01'

/** Takes a user out of the database, in one transaction.
 * What only the user could see goes: sign-ins, codes, an account with its password, private and unlisted pins, scans, uploaded files that neither a record left of the user nor one of ops shows, and what webhooks told or were to tell of them. What others use stays without an owner: players with their scores, public pins, zones, GCPs, imports. The audit log keeps ids and no addresses.
 * Bytes go when the caller removes the unused objects. */
export function userErasure({ db, audit }: { db: Kysely<AnyTables>; audit: AuditLog }) {
  const once = (userId: string, actor: string): Promise<Erasure> =>
    db.transaction().execute(async (trx) => {
      // An import locks its record and then, through what it writes, its user: the same order here.
      await sql`select from csv_uploads where user_id = ${userId} order by id for update`.execute(trx)
      const { rows: users } = await sql`select from users where id = ${userId} for update`.execute(trx)
      if (users.length === 0) return { erased: false, apps: [] }
      const { rows: apps } = await sql<{ name: string }>`
        select name from apps where owner_id = ${userId} order by created_at, id limit 100`.execute(trx)
      if (apps.length > 0) return { erased: false, apps: apps.map(({ name }) => name) }

      // A ground control point's pin belongs to the point, and stays with it.
      await sql`delete from pins where user_id = ${userId} and visibility <> 'public' and gcp_id is null`.execute(trx)
      await removeFiles(trx, userId)
      await sql`select forget_deliveries(${userId})`.execute(trx)
      // Answers that were kept for repeats show what the user did.
      await sql`delete from idempotency_keys
                 where scope = ${`user:${userId}`} or scope like ${`app:% user:${userId}`}`.execute(trx)
      await sql`update audit_log set address = null where actor = ${userId} and address is not null`.execute(trx)
      await audit.record([{ actor, address: null, action: 'user.erased', subject: userId }], trx)
      // The rest refers to the user with "on delete cascade" or "on delete set null".
      await sql`delete from users where id = ${userId}`.execute(trx)
      return { erased: true, apps: [] }
    })

  return async (userId: string, { actor }: Actor): Promise<Erasure> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(userId, actor)
      } catch (error) {
        // What refers to users is written all over the service: whoever crosses us here goes first.
        if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error
      }
    }
  }
}

/** Scans of the user, the files of private ones, other files that no record shows then, and what was made of contents that no file has any more. */
async function removeFiles(trx: Trx, userId: string) {
  // As the converter does: nobody else asks for or forgets the conversion of these contents meanwhile.
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

  // What was put to the storage itself and not looked at yet has no other record.
  await sql`
    insert into unused_objects (key) select key from reservations where user_id = ${userId} on conflict do nothing`.execute(
    trx,
  )
}
