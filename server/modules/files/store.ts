import { type Kysely, sql, type Transaction } from 'kysely'
import { reading } from '../../platform/database/write-tracking.ts'
import { type ConversionsTable, conversionStore } from './conversion/conversion-store.ts'
import type { ObjectAccess } from './objects/object-access.ts'
import type { NewFile, StoredFile } from './schema.ts'

type FilesTable = {
  id: number
  key: string
  file_name: string
  mime_type: string
  size: number
  sha256: string
  user_id: string | null
  app_id: string | null
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

/** Maximum number of files of one content for which events are published. */
const MAX_REPORTED = 1000

type Served = ObjectAccess & { fileName: string | null; size: number | null; sha256: string | null }

const accessTo = (key: string) =>
  sql`case when exists (select from unused_objects where key = ${key}) then '{}' else owners end as owners,
      may_change as "mayChange"`

export type FileStore = ReturnType<typeof fileStore>
export type FileRows = ReturnType<typeof fileRows>

/** Files and conversions, in SQL. */
export function fileStore(db: Kysely<Tables>) {
  return {
    ...fileRows(db),

    /** Runs the work in one transaction, with the stores bound to it. */
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
          files.map(({ id, key, fileName, mimeType, size, sha256, userId, appId }) => ({
            id,
            key,
            file_name: fileName,
            mime_type: mimeType,
            size,
            sha256,
            user_id: userId,
            app_id: appId ?? null,
          })) as FilesTable[],
        )
        .execute()
    },

    get: (id: number): Promise<StoredFile | undefined> =>
      db.selectFrom('files').select(columns).where('id', '=', id).executeTakeFirst(),

    findByKey: (key: string): Promise<StoredFile | undefined> =>
      db.selectFrom('files').select(columns).where('key', '=', key).executeTakeFirst(),

    /** The oldest file of this content, of any uploader. */
    findByContent: (sha256: string): Promise<StoredFile | undefined> =>
      db
        .selectFrom('files')
        .select(columns)
        .where('sha256', '=', sha256)
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst(),

    /** Whether any record refers to the object. */
    isKnown: async (key: string): Promise<boolean> => {
      const { rows } = await sql<{ known: boolean }>`select object_is_known(${key}) as known`.execute(reading(db))
      return rows[0]!.known
    },

    /** Whether the file was made by a conversion. */
    isResult: async (id: number): Promise<boolean> => {
      const { rows } = await sql`select from conversion_results where result_id = ${id}`.execute(db)
      return rows.length > 0
    },

    /** Who may see the bytes of an object. */
    access: async (key: string): Promise<ObjectAccess> => {
      const { rows } = await sql<ObjectAccess>`select ${accessTo(key)} from object_access(${key})`.execute(reading(db))
      return rows[0]!
    },

    /** The same, with the name, size and hash of the file; null for an object that is no file. */
    served: async (key: string): Promise<Served> => {
      const { rows } = await sql<Served>`
        select ${accessTo(key)}, file_name as "fileName", size, sha256
          from object_access(${key}) left join files on files.key = ${key}`.execute(reading(db))
      return rows[0]!
    },

    /** The files of this content whose uploaders' apps subscribe to such an event; at most MAX_REPORTED. */
    awaitingOutcome: (sha256: string, eventType: string): Promise<(StoredFile & { appId: string | null })[]> =>
      db
        .selectFrom('files')
        .select([...columns, 'app_id as appId'])
        .where('sha256', '=', sha256)
        .where(
          sql<boolean>`exists (select from webhook_endpoints e where e.enabled and ${eventType} = any (e.event_types)
            and e.app_id = any (array(select files.app_id union select a.id from apps a where a.owner_id = files.user_id)))`,
        )
        .orderBy('created_at')
        .limit(MAX_REPORTED)
        .execute(),

    remove: async (id: number): Promise<void> => {
      await db.deleteFrom('files').where('id', '=', id).execute()
    },
  }
}
