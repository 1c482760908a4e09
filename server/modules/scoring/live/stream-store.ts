import type pg from 'pg'

const isLive = '(k.expires_at is null or k.expires_at > clock_timestamp())'

/** The checks for starting and continuing a stream, in SQL. */
export function streamStore(pool: pg.Pool) {
  return {
    /** The moment until which a stream started now is valid. */
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

    /** Which of these app keys can still be used. */
    async keysLeft(keyIds: string[]): Promise<Set<string>> {
      const text = `select k.key_id as id from app_keys k where k.key_id = any($1) and ${isLive}`
      return idsOf(await pool.query<{ id: string }>(text, [keyIds]))
    },

    /** Which of these types are still shown. */
    async typesLeft(typeIds: string[]): Promise<Set<string>> {
      const text = 'select id from mini_game_types where id = any($1::uuid[]) and hidden_at is null'
      return idsOf(await pool.query<{ id: string }>(text, [typeIds]))
    },
  }
}
export type StreamStore = ReturnType<typeof streamStore>

const idsOf = ({ rows }: { rows: { id: string }[] }) => new Set(rows.map(({ id }) => id))
