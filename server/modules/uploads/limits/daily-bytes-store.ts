import type pg from 'pg'

export type DailyBytes = ReturnType<typeof dailyBytesStore>

/** Bytes received per day (UTC), in SQL. */
export function dailyBytesStore(pool: pg.Pool) {
  const query = async (text: string, values: unknown[]) =>
    (await pool.query<{ day: string; bytes: number }>(text, values)).rows[0]

  return {
    async bytesOf(day: string): Promise<number> {
      return (await query('select bytes from upload_days where day = $1', [day]))?.bytes ?? 0
    },

    /** @returns the day's new total */
    async add(day: string, bytes: number): Promise<number> {
      const text = `insert into upload_days as d (day, bytes) values ($1, $2)
                    on conflict (day) do update set bytes = d.bytes + excluded.bytes returning bytes`
      return (await query(text, [day, bytes]))!.bytes
    },
  }
}
