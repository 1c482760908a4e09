import { type Kysely, sql } from 'kysely'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { inBatches } from '../../../platform/database/query/batches.ts'
import { oldestFirst } from '../../../platform/database/query/row-cap.ts'
import { foldName } from '../../../platform/names.ts'

type OidcRecordsTable = {
  model: string
  id: string
  payload: string
  uid: string | null
  grant_id: string | null
  user_id: string | null
  consumed_at: string | null
  expires_at: string
}
type Tables = { oidc_records: OidcRecordsTable; local_accounts: { user_id: string; login: string; login_key: string } }

const IDS = 'oidc-ids'
const CONTENTS = 'oidc-records'
/** Rows deleted at a time. */
const BATCH = 1000
/**
 * Unfinished records of each kind, made by visitors without a password. A process starts at most about 200 sign-ins a
 * second, so each lasts longer than a minute.
 */
const MAX_UNFINISHED = 20_000
/** Characters that a visitor can store without a password: a request of the console takes 700. */
const MAX_OF_VISITOR = 4096

export type ProviderRecords = ReturnType<typeof providerRecords>

/**
 * Stores what the issuer remembers (sign-ins, codes, grants) in PostgreSQL, so that a restart ends no session and
 * several processes serve one user. IDs are hashed and contents encrypted.
 */
export function providerRecords(db: Kysely<Tables>, secrets: Secrets) {
  const hidden = (id: string) => secrets.sign(IDS, id)
  /** A sign-in that has started, and an unconfirmed sign-out. */
  const unfinished = new Map(
    ['Interaction', 'Session'].map((model) => [
      model,
      oldestFirst({
        run: async (statement) => (await sql.raw(statement).execute(db)).numAffectedRows,
        table: 'oidc_records',
        rows: `model = '${model}' and user_id is null`,
        by: 'expires_at',
        most: MAX_UNFINISHED,
      }),
    ]),
  )
  const maybeHidden = (id: string | undefined) => (id === undefined ? null : hidden(id))

  const findBy = async (model: string, column: 'id' | 'uid', value: string): Promise<AdapterPayload | undefined> => {
    const row = await db
      .selectFrom('oidc_records')
      .select(['payload', 'consumed_at as consumedAt'])
      .where('model', '=', model)
      .where(column, '=', hidden(value))
      .where('expires_at', '>', sql<string>`now()`)
      .executeTakeFirst()
    if (!row) return undefined
    const payload = JSON.parse(secrets.open(CONTENTS, row.payload)) as AdapterPayload
    return row.consumedAt ? { ...payload, consumed: Math.floor(Date.parse(row.consumedAt) / 1000) } : payload
  }

  const userOf = async (login: string | undefined): Promise<string | undefined> => {
    if (login === undefined) return undefined
    const accounts = db.selectFrom('local_accounts').select('user_id')
    const found = accounts.where('login_key', '=', foldName(login)).where('login', '=', login)
    return (await found.executeTakeFirst())?.user_id
  }

  const adapterOf = (model: string): Adapter => ({
    async upsert(id, payload, expiresIn) {
      // An unfinished sign-in may hold an accepted password: it must end when the password changes.
      const login = payload.accountId ?? payload.result?.login?.accountId ?? payload.session?.accountId
      const userId = await userOf(login)
      // The account has since been deleted: a later account of the same name must not find its records.
      if (login !== undefined && userId === undefined) return
      const text = JSON.stringify(payload)
      if (userId === undefined && text.length > MAX_OF_VISITOR) throw await tooLong()
      const contents = {
        payload: secrets.seal(CONTENTS, text),
        uid: maybeHidden(payload.uid),
        grant_id: maybeHidden(payload.grantId),
        user_id: userId ?? null,
        expires_at: sql<string>`now() + make_interval(secs => ${expiresIn})`,
      }
      await db
        .insertInto('oidc_records')
        .values({ model, id: hidden(id), ...contents })
        .onConflict((on) => on.columns(['model', 'id']).doUpdateSet(contents))
        .execute()
      if (userId === undefined) await unfinished.get(model)?.noteOne()
    },

    find: (id) => findBy(model, 'id', id),
    findByUid: (uid) => findBy(model, 'uid', uid),
    findByUserCode: async () => undefined,

    /** A code works once: of two concurrent uses one is refused (RFC 6749 §4.1.2). */
    async consume(id) {
      const { numUpdatedRows } = await db
        .updateTable('oidc_records')
        .set({ consumed_at: sql`now()` })
        .where('model', '=', model)
        .where('id', '=', hidden(id))
        .where('consumed_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return
      const { errors } = await import('oidc-provider')
      throw new errors.InvalidGrant('it was used before')
    },

    async destroy(id) {
      await db.deleteFrom('oidc_records').where('model', '=', model).where('id', '=', hidden(id)).execute()
    },

    async revokeByGrantId(grantId) {
      await db.deleteFrom('oidc_records').where('model', '=', model).where('grant_id', '=', hidden(grantId)).execute()
    },
  })

  return {
    adapterOf,
    /** Deletes expired records in batches, and unfinished ones above the bound. */
    async sweep(): Promise<void> {
      const ended = sql`
        delete from oidc_records where ctid in (
          select ctid from oidc_records where expires_at < now() limit ${BATCH} for update skip locked)`
      await inBatches(BATCH, async () => (await ended.execute(db)).numAffectedRows)
      for (const { trim } of unfinished.values()) await trim()
    },
    /** Ends every sign-in of the user at this issuer, inside a transaction. */
    forget: (trx: Kysely<AnyTables>, userId: string) =>
      trx.deleteFrom('oidc_records').where('user_id', '=', userId).execute(),
  }
}

async function tooLong(): Promise<Error> {
  const { errors } = await import('oidc-provider')
  return new errors.InvalidRequest(
    `state, nonce and the other parameters can have at most ${MAX_OF_VISITOR} characters together`,
  )
}
