import type pg from 'pg'
import { invalid } from '../../../platform/errors.ts'

/** Checks that the database knows a time zone, because it computes the days. @throws 400 for an unknown one */
export function timeZoneCheck(pool: pg.Pool) {
  return async (timeZone: string, path: string[]): Promise<void> => {
    await pool.query('select now() at time zone $1', [timeZone]).catch((error) => {
      if (error.code !== '22023') throw error
      throw invalid([{ code: 'custom', message: 'is not a time zone known to the database', path }])
    })
  }
}
export type TimeZoneCheck = ReturnType<typeof timeZoneCheck>
