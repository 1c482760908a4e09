import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { InTransaction } from '../presigned/reservation-store.ts'
import type { Metadata, Resumable } from '../schema.ts'

type ResumableUploadsTable = {
  id: string
  size: number | null
  metadata: Metadata | null
  user_id: string | null
  app_id: string | null
  file_id: number | null
  key: string | null
  folder: string | null
  finished_at: string | null
  created_at: string
}
type Tables = { resumable_uploads: ResumableUploadsTable }

const columns = [
  'id',
  'size',
  'metadata',
  'user_id as userId',
  'app_id as appId',
  'file_id as fileId',
  'key',
  'folder',
  'finished_at as finishedAt',
  'created_at as createdAt',
] as const

export type ResumableStore = ReturnType<typeof resumableStore>

/** Resumable uploads, in SQL. Their bytes are in the spool. */
export function resumableStore(db: Kysely<Tables>) {
  const update = (id: string) => db.updateTable('resumable_uploads').where('id', '=', id)

  return {
    insert: async ({
      id,
      size,
      metadata,
      userId,
      appId,
    }: Pick<Resumable, 'id' | 'size' | 'metadata' | 'userId' | 'appId'>): Promise<void> => {
      await db
        .insertInto('resumable_uploads')
        .values({
          id,
          size,
          metadata: metadata && sql`${JSON.stringify(metadata)}::jsonb`,
          user_id: userId,
          app_id: appId,
        } as unknown as ResumableUploadsTable)
        .execute()
    },

    get: (id: string): Promise<Resumable | undefined> =>
      db.selectFrom('resumable_uploads').select(columns).where('id', '=', id).executeTakeFirst(),

    /** @returns the known ones of these IDs */
    known: async (ids: string[]): Promise<Set<string>> => {
      const rows = await db.selectFrom('resumable_uploads').select('id').where('id', 'in', ids).execute()
      return new Set(rows.map(({ id }) => id))
    },

    /** Records the folder of its bytes at the first write. @returns false if they are in another one */
    claimFolder: async (id: string, folder: string): Promise<boolean> => {
      const claim = update(id)
        .set({ folder })
        .where((is) => is.or([is('folder', 'is', null), is('folder', '=', folder)]))
      return (await claim.executeTakeFirst()).numUpdatedRows > 0n
    },

    /** Sets the length, once it is known. */
    setSize: async (id: string, size: number): Promise<void> => {
      await update(id).set({ size }).execute()
    },

    /**
     * Assigns the file that the upload becomes, unless it has one. @returns the assignment; undefined if the upload no
     * longer exists
     */
    place: async (id: string, fileId: number, key: string): Promise<{ fileId: number; key: string } | undefined> => {
      const row = await update(id)
        .set({ file_id: sql`coalesce(file_id, ${fileId})`, key: sql`coalesce(key, ${key})` })
        .returning(['file_id', 'key'])
        .executeTakeFirst()
      return row && { fileId: row.file_id!, key: row.key! }
    },

    /**
     * Ends the upload in the transaction that creates the file's record. @returns false, without change, if it had
     * ended or is gone
     */
    settle: (id: string, record: (transaction: InTransaction) => Promise<void>): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const ended = await transaction
          .updateTable('resumable_uploads')
          .set({ finished_at: sql`clock_timestamp()` })
          .where('id', '=', id)
          .where('finished_at', 'is', null)
          .returning('id')
          .executeTakeFirst()
        if (ended) await record(transaction as InTransaction)
        return ended !== undefined
      }),

    remove: async (id: string): Promise<void> => {
      await db.deleteFrom('resumable_uploads').where('id', '=', id).execute()
    },

    /** Some uploads that were created, or ended, longer ago than this. */
    old: (seconds: number, limit: number): Promise<Resumable[]> =>
      db
        .selectFrom('resumable_uploads')
        .select(columns)
        .where(sql<boolean>`coalesce(finished_at, created_at) < now() - make_interval(secs => ${seconds})`)
        .orderBy(sql`coalesce(finished_at, created_at)`)
        .limit(limit)
        .execute(),
  }
}
