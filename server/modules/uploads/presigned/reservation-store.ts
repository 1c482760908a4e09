import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import type { Reservation } from '../schema.ts'

type ReservationsTable = {
  id: number
  key: string
  file_name: string
  content_type: string
  size: number
  is_exact: boolean
  user_id: string | null
  expires_at: string
  created_at: string
}
/** Rows of any table, within one transaction. */
export type InTransaction = Kysely<AnyTables>

type Tables = { reservations: ReservationsTable }

const columns = [
  'id',
  'key',
  'file_name as fileName',
  'content_type as contentType',
  'size',
  'is_exact as isExact',
  'user_id as userId',
] as const

export type ReservationStore = ReturnType<typeof reservationStore>

/** Files that were announced and have no record yet, in SQL. */
export function reservationStore(db: Kysely<Tables>) {
  return {
    /** @param expires in seconds since 1970 */
    insert: async (reservation: Reservation, expires: number): Promise<void> => {
      const { id, key, fileName, contentType, size, isExact, userId } = reservation
      await db
        .insertInto('reservations')
        .values({
          id,
          key,
          file_name: fileName,
          content_type: contentType,
          size,
          is_exact: isExact,
          user_id: userId,
          expires_at: sql`to_timestamp(${expires})`,
        } as unknown as ReservationsTable)
        .execute()
    },

    find: (where: { key: string } | { id: number }): Promise<Reservation | undefined> => {
      const all = db.selectFrom('reservations').select(columns)
      return ('key' in where ? all.where('key', '=', where.key) : all.where('id', '=', where.id)).executeTakeFirst()
    },

    /**
     * Deletes the reservation in the transaction that creates the file's record. @returns false, without change, if another
     * request did so
     */
    settle: (id: number, record: (transaction: InTransaction) => Promise<void>): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const gone = await transaction
          .deleteFrom('reservations')
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
        if (gone) await record(transaction as InTransaction)
        return gone !== undefined
      }),

    remove: async (id: number): Promise<void> => {
      await db.deleteFrom('reservations').where('id', '=', id).execute()
    },

    /** Some reservations whose URL expired longer ago than this, oldest first. */
    ended: (seconds: number, limit: number): Promise<Reservation[]> =>
      db
        .selectFrom('reservations')
        .select(columns)
        .where('expires_at', '<', sql<string>`now() - make_interval(secs => ${seconds})`)
        .orderBy('expires_at')
        .limit(limit)
        .execute(),
  }
}
