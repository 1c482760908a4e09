import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { buildersOn } from '../builders.ts'
import type { Answer, Caller, Service } from '../service.ts'

export type CodeTests = ReturnType<typeof codeTests>

/** Common steps of tests of six-digit codes. The service must trust its loopback proxy, so that requests can have any address. */
export function codeTests(service: Service) {
  let addresses = 0
  // Ends with the database, which the service drops.
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2, allowExitOnIdle: true })
  pool.on('error', () => {})
  /** Runs a statement on the service's database, for example to let time pass. */
  const sql = async (statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await pool.query(statement, values)).rows
  /** An unused address. */
  const freshAddress = () => `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`

  return {
    freshAddress,

    async make(maker: Caller, body?: object): Promise<string> {
      const answer = await maker.post('/auth/codes', body)
      expect(answer).toMatchObject({ status: 200, body: { code: expect.stringMatching(/^[0-9]{6}$/) } })
      return answer.body.code
    },

    /** @param from its address, by default a new one @param key searches only that app's space */
    exchange(code: unknown, { from = freshAddress(), key }: { from?: string; key?: string } = {}) {
      const headers = { 'x-forwarded-for': from, ...(key ? { 'x-app-api-key': key } : {}) }
      return service.as(headers).post('/auth/codes/exchange', { code })
    },

    /** Six digits that no active code of this test has. */
    wrongCode(right: string[]): string {
      for (;;) {
        const code = String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0')
        if (!right.includes(code)) return code
      }
    },

    /** Sends guesses so that all begin before any is decided: blocks the writing of failures until all wait. */
    async allAtOnce(guesses: (() => Promise<Answer>)[]): Promise<Answer[]> {
      const client = await pool.connect()
      try {
        await client.query('begin; lock table code_failures in exclusive mode')
        const answers = guesses.map((guess) => guess())
        const waiting = `select count(*)::int as many from pg_stat_activity
          where datname = current_database() and application_name = 'cairn' and wait_event_type = 'Lock'`
        while ((await pool.query(waiting)).rows[0].many < guesses.length) await sleep(5)
        await client.query('commit')
        return await Promise.all(answers)
      } finally {
        client.release()
      }
    },

    bearing: (token: string) => service.as({ authorization: `Bearer ${token}` }),

    sql,

    /** Ages every code. */
    age: (interval: string) =>
      sql(`update codes set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval`, [
        interval,
      ]),

    /** A user and an app of another tenant. */
    async cast() {
      const given = buildersOn(service)
      const [user, app] = [await given.user(), await given.app()]
      const both = service.as({ ...user.headers, 'x-app-api-key': app.key })
      return { user, app, player: await given.player(app), both }
    },
  }
}
