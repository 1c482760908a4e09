import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { inBatches } from '../../../platform/database/query/batches.ts'

/**
 * Who creates a code: a user through a session (in an app's space if that app's key was sent too), or an app through
 * its key alone.
 */
export type CodeMaker =
  | { user: { id: string; sessionId: string }; appId: string | undefined }
  | { user: undefined; appId: string }

export type NewCode = {
  id: string
  maker: CodeMaker
  playerId: string | null
  seconds: number
  /** Address of the request. */
  address: string
}

/** The decision of exchange_code (0010_login_codes.sql) on a guess. */
export type Decision = {
  outcome: 'VALID' | 'INVALID' | 'EXPIRED' | 'ADDRESS' | 'SPACE'
  /** Seconds until the budget allows a guess again. */
  wait: number | null
  /** Whether this guess locked the space. */
  alarm: boolean
  failures: number
  budget: number
  /** The user whose session was opened. */
  owner: string | null
  /** When the code would have expired. */
  ends: string | null
  opened: string | null
  sessionEnds: string | null
}

export type Guess = {
  digest: string
  appId: string | undefined
  /** The address or network that tries are counted for. */
  block: string
  risk: number
  /** The ID of the session to open, if the code is a user's. */
  sessionId: string
  address: string
}

const BATCH = 1000

/** Six-digit codes and guesses, in SQL: one round trip each. */
export function codeStore(db: Kysely<AnyTables>) {
  return {
    /**
     * @returns the number, from 1, of the digest that was used, and when the code expires; `drawn` is null if all were
     * in use, 0 if there is no such player, −1 if the creator is gone, −2 if the user has too many active codes
     */
    async insert(digests: string[], { id, maker, playerId, seconds, address }: NewCode) {
      const { rows } = await sql<{ drawn: number | null; ends: string }>`
        select drawn, ends from make_code(${id}, ${digests}::text[], ${maker.appId ?? null}, ${maker.user?.id ?? null},
          ${maker.user?.sessionId ?? null}, ${playerId}, ${seconds}, ${address})`.execute(db)
      return rows[0]!
    },

    async exchange({ digest, appId, block, risk, sessionId, address }: Guess): Promise<Decision> {
      const { rows } = await sql<Decision>`
        select outcome, wait, alarm, failures, budget, owner, ends, opened, session_ends as "sessionEnds"
          from exchange_code(${digest}, ${appId ?? null}, ${block}, ${risk}::numeric, ${sessionId}, ${address})`.execute(
        db,
      )
      return rows[0]!
    },

    /** Deletes codes a day after their end, and guesses and counts older than their window. */
    async deleteOld() {
      const codes = sql`
        delete from codes where id in
          (select id from codes where expires_at < now() - interval '24 hours' limit ${BATCH})`
      const failures = sql`
        delete from code_failures where id in
          (select id from code_failures where at < now() - interval '25 hours' limit ${BATCH})`
      for (const old of [codes, failures]) await inBatches(BATCH, async () => (await old.execute(db)).numAffectedRows)
      await sql`delete from code_peaks where minute < now() - interval '25 hours'`.execute(db)
      await sql`delete from code_lockouts where since < now() - interval '25 hours'`.execute(db)
    },
  }
}
export type CodeStore = ReturnType<typeof codeStore>
