import type { Kysely, Transaction } from 'kysely'
import { type ConversionsTable, conversionStore } from './conversion-store.ts'
import type { NewFile, StoredFile } from './schema.ts'

type FilesTable = {
  id: number
  key: string
  file_name: string
  mime_type: string
  size: number
  sha256: string
  user_id: string | null
  created_at: string
}
export type Tables = { files: FilesTable; conversions: ConversionsTable }

const columns = [
  'id',
  'key',
  'file_name as fileName',
  'mime_type as mimeType',
  'size',
  'sha256',
  'user_id as userId',
  'created_at as createdAt',
] as const

export type FileStore = ReturnType<typeof fileStore>
type FileRows = ReturnType<typeof fileRows>

/** Files and conversions, in SQL. */
export function fileStore(db: Kysely<Tables>) {
  return {
    ...fileRows(db),

    /** Does the work in one transaction, on rows that are part of it. */
    transaction: <T>(work: (within: FileRows, transaction: Transaction<Tables>) => Promise<T>): Promise<T> =>
      db.transaction().execute((transaction) => work(fileRows(transaction), transaction)),
  }
}

function fileRows(db: Kysely<Tables>) {
  return {
    conversions: conversionStore(db),

    insert: async (files: NewFile[]): Promise<void> => {
      if (files.length === 0) return
      await db
        .insertInto('files')
        .values(
          files.map(({ id, key, fileName, mimeType, size, sha256, userId }) => ({
            id,
            key,
            file_name: fileName,
            mime_type: mimeType,
            size,
            sha256,
            user_id: userId,
          })) as FilesTable[],
        )
        .execute()
    },

    get: (id: number): Promise<StoredFile | undefined> =>
      db.selectFrom('files').select(columns).where('id', '=', id).executeTakeFirst(),

    findByKey: (key: string): Promise<StoredFile | undefined> =>
      db.selectFrom('files').select(columns).where('key', '=', key).executeTakeFirst(),

    /** The oldest file of this content, whoever sent it. */
    findByContent: (sha256: string): Promise<StoredFile | undefined> =>
      db
        .selectFrom('files')
        .select(columns)
        .where('sha256', '=', sha256)
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst(),

    remove: async (id: number): Promise<void> => {
      await db.deleteFrom('files').where('id', '=', id).execute()
    },
  }
}
