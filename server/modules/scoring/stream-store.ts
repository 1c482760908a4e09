import type pg from 'pg'

const isLive = '(k.expires_at is null or k.expires_at > clock_timestamp())'

/** What lets a stream begin and go on, in SQL. */
export function streamStore(pool: pg.Pool) {
  return {
    /** The moment until which something begun now is good. */
    async until(seconds: number): Promise<string> {
      const text = "select clock_timestamp() + $1 * interval '1 second' as until"
      return (await pool.query<{ until: string }>(text, [seconds])).rows[0]!.until
    },

    /** Whether it is before `until`, and the key is still one of the app. */
    async isGood(appId: string, keyId: string, until: string): Promise<boolean> {
      const text = `
        select 1 from app_keys k
         where k.app_id = $1 and k.key_id = $2 and ${isLive} and clock_timestamp() < $3::timestamptz`
      return (await pool.query(text, [appId, keyId, until])).rowCount === 1
    },

    /** Which of these app keys can still be used, and which of these types are still shown. */
    async stillThere(keyIds: string[], typeIds: string[]) {
      const text = `
        select k.key_id as "keyId", null as "typeId" from app_keys k where k.key_id = any($1) and ${isLive}
        union all
        select null, t.id::text from mini_game_types t where t.id = any($2::uuid[]) and t.hidden_at is null`
      const { rows } = await pool.query<{ keyId: string | null; typeId: string | null }>(text, [keyIds, typeIds])
      return {
        keyIds: new Set(rows.flatMap(({ keyId }) => keyId ?? [])),
        typeIds: new Set(rows.flatMap(({ typeId }) => typeId ?? [])),
      }
    },
  }
}
export type StreamStore = ReturnType<typeof streamStore>
