import { type Kysely, sql } from 'kysely'
import type { AuditLog } from '../../../platform/database/audit.ts'
import type { AnyTables } from '../../../platform/database/database.ts'

const NIL = '00000000-0000-0000-0000-000000000000'

/** A code space that received wrong codes in the last 24 hours. */
export type CodeSpace = {
  /** An app's ID, or `keyless`. */
  space: string
  failures: number
  /** Failures allowed in 24 hours. */
  budget: number
  /** Seconds until the space accepts codes again; null if it is not locked. */
  wait: number | null
  /** The addresses with the most failures (for IPv6, the /64). */
  addresses: { address: string; failures: number }[]
}

/** Lists code spaces with failed guesses and unlocks them, for operators, in SQL. */
export function codeSpaces(db: Kysely<AnyTables>, { risk, audit }: { risk: number; audit: AuditLog }) {
  return {
    /** Every space with failures in its window, the closest to its budget first. */
    async list(): Promise<CodeSpace[]> {
      const { rows } = await sql<CodeSpace>`
        with recent as (select space, address from code_failures where at > clock_timestamp() - interval '24 hours'),
             counted as (select space, address, count(*)::int as failures from recent group by space, address)
        select case when s.space = ${NIL} then 'keyless' else s.space::text end as space, b.failures, b.budget, b.wait,
               (select jsonb_agg(jsonb_build_object('address', t.address, 'failures', t.failures)) from
                 (select address, failures from counted c where c.space = s.space order by failures desc, address limit 10) t) as addresses
          from (select distinct space from recent) s, code_budget(s.space, ${risk}::numeric) b
         order by b.failures::float8 / greatest(b.budget, 1) desc, 1`.execute(db)
      return rows
    },

    /** Deletes the failures of a space, so that it accepts codes again. @returns how many there were */
    unlock: (space: string): Promise<number> =>
      db.transaction().execute(async (trx) => {
        const id = space === 'keyless' ? NIL : space
        const { numAffectedRows } = await sql`delete from code_failures where space = ${id}`.execute(trx)
        await sql`delete from code_lockouts where space = ${id}`.execute(trx)
        await audit.record([{ actor: 'operator', action: 'codes.unlocked', subject: space, address: null }], trx)
        return Number(numAffectedRows)
      }),
  }
}
