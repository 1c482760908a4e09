import { type Kysely, sql } from 'kysely'
import type { TokenScope } from '../../platform/credentials/personal-tokens.ts'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { conflict } from '../../platform/errors.ts'
import { MAX_TOKENS, type NewPersonalToken, type PersonalToken } from './schema.ts'

const columns = sql`id, name, scope, created_at as "createdAt", expires_at as "expiresAt"`
const works = sql`expires_at > clock_timestamp()`
/** Of a user who is not disabled. */
const isAccepted = sql`${works} and not exists (select from users u where u.id = user_id and u.disabled_at is not null)`

/** Personal tokens, in SQL. */
export function personalTokenStore(db: Kysely<AnyTables>, audit: AuditLog) {
  return {
    /** Inserts a token and deletes the user's expired ones. @throws 409 for one too many */
    insert: (id: string, userId: string, hash: Buffer, token: NewPersonalToken, actor: Actor): Promise<PersonalToken> =>
      db.transaction().execute(async (trx) => {
        await sql`select from users where id = ${userId} for no key update`.execute(trx)
        await sql`delete from personal_tokens where user_id = ${userId} and not ${works}`.execute(trx)
        const { rows: counted } = await sql<{ count: number }>`
          select count(*)::int as count from personal_tokens where user_id = ${userId}`.execute(trx)
        if (counted[0]!.count >= MAX_TOKENS)
          throw conflict(`A user can have at most ${MAX_TOKENS} personal tokens: delete one first`)
        const { rows } = await sql<PersonalToken>`
          insert into personal_tokens (id, user_id, name, scope, hash, expires_at)
          values (${id}, ${userId}, ${token.name}, ${token.scope}, ${hash},
                  clock_timestamp() + make_interval(days => ${token.lifetimeDays}))
          returning ${columns}`.execute(trx)
        await audit.record([{ ...actor, action: 'personal_token.created', subject: id }], trx)
        return rows[0]!
      }),

    /** Those of a user that work, oldest first. */
    async list(userId: string): Promise<PersonalToken[]> {
      const { rows } = await sql<PersonalToken>`
        select ${columns} from personal_tokens where user_id = ${userId} and ${works} order by created_at, id`.execute(
        db,
      )
      return rows
    },

    /** @returns whether the user had it */
    remove: (id: string, userId: string, actor: Actor): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { rows } = await sql`
          delete from personal_tokens where id = ${id} and user_id = ${userId} returning id`.execute(trx)
        if (rows.length === 0) return false
        await audit.record([{ ...actor, action: 'personal_token.deleted', subject: id }], trx)
        return true
      }),

    /** The token with this hash, if it works. */
    async find(hash: Buffer): Promise<{ id: string; userId: string; scope: TokenScope } | undefined> {
      const { rows } = await sql<{ id: string; userId: string; scope: TokenScope }>`
        select id, user_id as "userId", scope from personal_tokens where hash = ${hash} and ${isAccepted}`.execute(db)
      return rows[0]
    },

    /** Which of these tokens still work. */
    async left(ids: string[]): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        select id from personal_tokens where id = any(${ids}::uuid[]) and ${isAccepted}`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },
  }
}
export type PersonalTokenStore = ReturnType<typeof personalTokenStore>
