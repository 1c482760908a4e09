import { type Kysely, sql } from 'kysely'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { lockContents } from '../../../platform/database/locks/locks.ts'
import { namedLike, threeWords } from '../../../platform/database/query/name-search.ts'
import { containing } from '../../../platform/database/query/patterns.ts'
import { countUpTo } from '../../../platform/database/row-counts.ts'
import { afterRecord, cutPage, type Page } from '../../../platform/http/pages.ts'
import type { ConversionReport, ConversionStatus } from '../schema.ts'
import type { UserFileQuery } from './schema.ts'

/** A conversion with options. */
export type OptionedRow = {
  /** As text. */
  options: string
  status: ConversionStatus
  error: string | null
  report: ConversionReport | null
  resultKey: string | null
}

/** A file as its owner sees it. A private one needs a signed URL. */
export type UserFileRow = {
  id: number
  key: string
  fileName: string
  contentType: string
  bytes: number
  sha256: string
  userId: string | null
  createdAt: string
  isHidden: boolean
  status: ConversionStatus | null
  error: string | null
  report: ConversionReport | null
  usdzKey: string | null
  withOptions: OptionedRow[]
  /** Of all its results: they are as open as the content. */
  areResultsHidden: boolean
}

/** A record that uses a file. */
export type FileUse = { kind: string; id: string; title: string | null; ownerId: string | null; isOpen: boolean }

type UsedFile = Pick<UserFileRow, 'id' | 'key' | 'userId'>

/** Maximum number of uses in the error message. */
const TOLD = 5

export type UserFileStore = ReturnType<typeof userFileStore>

/** The words indexed by 0014_files.sql. */
const names = {
  table: 'files',
  alias: 'f',
  text: sql.ref('f.file_name'),
  words: threeWords('lower(file_name)'),
  order: 'created_at desc, id desc',
}

/** Files as their uploaders see them, in SQL. A result is part of the file it was converted from. */
export function userFileStore(db: Kysely<AnyTables>, audit: AuditLog) {
  /** Files of the same content share conversions, but not images of other owners. */
  const hasOwnImage = sql`(o.anchor_image_id is null or exists (
    select from files i where i.id = o.anchor_image_id and i.user_id is not distinct from f.user_id))`
  const noResult = sql`not exists (select from conversion_results made where made.result_id = f.id)`
  const read = async (which: ReturnType<typeof sql>, { reports = false } = {}) => {
    const report = reports ? sql`o.report` : sql`null`
    const { rows } = await sql<UserFileRow & { cursorAt: string }>`
      select f.id, f.key, f.file_name as "fileName", f.mime_type as "contentType", f.size as bytes, f.sha256,
             f.user_id as "userId", f.created_at as "createdAt", f.created_at::text as "cursorAt",
             (select owners is not null from object_access(f.key)) as "isHidden", c.status, c.error, c.report, r.key as "usdzKey",
             coalesce(w.made, '[]') as "withOptions",
             coalesce(r.key, w.key) is not null
               and (select owners is not null from object_access(coalesce(r.key, w.key))) as "areResultsHidden"
        from (${which}) f left join conversions c on c.sha256 = f.sha256 left join files r on r.id = c.result_id
             left join lateral (
               select min(m.key) as key,
                      json_agg(json_build_object('options', o.options, 'status', o.status, 'error', o.error, 'report', ${report},
                                                 'resultKey', m.key) order by o.created_at, o.options) as made
                 from conversions_with_options o left join files m on m.id = o.result_id
                where o.sha256 = f.sha256 and ${hasOwnImage}) w on true
       order by f.created_at desc, f.id desc`.execute(db)
    return rows
  }

  /** A user's own files are searched and counted in full. */
  const calledLike = async (userId: string | null, search: string, wanted: ReturnType<typeof sql>) =>
    userId === null
      ? namedLike(db, names, await countUpTo(db, sql`files`), search, wanted)
      : sql`f.file_name ilike ${containing(search)}`
  const howMany = async (userId: string | null, found: ReturnType<typeof sql>): Promise<number> => {
    if (userId === null) return countUpTo(db, found)
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${found}`.execute(db)
    return rows[0]!.total
  }

  return {
    /** Newest first. @param userId null: everyone's */
    async page(userId: string | null, { search, kind, limit, cursor }: UserFileQuery): Promise<Page<UserFileRow>> {
      const before = afterRecord(cursor)
      const ofUser = userId === null ? noResult : sql`f.user_id = ${userId}`
      const wanted = kind ? sql`${ofUser} and ${isOfKind(kind)}` : ofUser
      const found = search ? sql`${wanted} and ${await calledLike(userId, search, wanted)}` : wanted
      const older = before ? sql`and (f.created_at, f.id) < (${before.at}::timestamptz, ${before.id}::bigint)` : sql``
      const [rows, total] = await Promise.all([
        read(sql`
          select f.* from files f where ${found} ${older} order by f.created_at desc, f.id desc limit ${limit + 1}`),
        howMany(userId, sql`files f where ${found}`),
      ])
      return { ...cutPage(rows, limit, ({ cursorAt, id }) => [cursorAt, id]), total }
    },

    get: async (id: number): Promise<UserFileRow | undefined> =>
      (await read(sql`select f.* from files f where f.id = ${id} and ${noResult}`, { reports: true }))[0],

    /**
     * Deletes a file, and the conversion of its content if no other file has it, unless a record of its owner or of ops
     * uses it. @returns the uses; undefined if it was deleted
     */
    remove: ({ id, key, sha256, userId }: UserFileRow, actor: Actor): Promise<FileUse[] | undefined> =>
      db.transaction().execute(async (trx) => {
        await lockContents(trx, [sha256])
        // The lock excludes records that start to use the file now.
        await sql`select from files where id = ${id} for update`.execute(trx)
        const uses = await usesOf(trx, { id, key, userId })
        if (uses.length > 0) return uses
        await sql`select remove_files(array[${id}]::bigint[], '{}')`.execute(trx)
        const { rows: left } = await sql`select from files where id = ${id}`.execute(trx)
        if (left.length > 0) return []
        await audit.record([{ ...actor, action: 'file.deleted', subject: String(id) }], trx)
        return undefined
      }),
  }
}

const isOfKind = (kind: 'model' | 'image' | 'other') =>
  kind === 'other'
    ? sql`f.mime_type not like 'model/%' and f.mime_type not like 'image/%'`
    : sql`f.mime_type like ${`${kind}/%`}`

/**
 * Must match `object_is_held` (0023_file_references.sql), with one index each: records of the file's owner and of ops.
 * A file without an owner counts as everyone's.
 */
async function usesOf(db: Kysely<AnyTables>, { id, key, userId }: UsedFile): Promise<FileUse[]> {
  const pin = sql.raw(`select 'pin', p.id::text, p.title, p.user_id, p.visibility = 'public' from pins p`)
  const by = (maker: string) => sql`(${userId}::uuid is null or holds_files_of(${userId}, ${sql.ref(maker)}))`
  const { rows } = await sql<FileUse>`
    select 'scan' as kind, s.id::text as id, s.title, s.user_id as "ownerId", s.visibility = 'public' as "isOpen"
      from scans s where s.file_id = ${id}
    union all
    select 'GCP', g.id::text, g.title, g.user_id, true from gcps g
     where object_keys_in(g.photo_urls) @> array[${key}] and g.photo_urls <> '{}' and object_keys_in(g.photo_urls) <> '{}'
       and ${by('g.user_id')}
    union all
    select 'import', u.id::text, u.file_name, u.user_id, true from csv_uploads u
     where u.object_key = ${key} and ${by('u.user_id')}
    union all ${pin} where object_key_in(p.content_url) = ${key} and ${by('p.user_id')}
    union all ${pin} where object_key_in(p.relocalization_photo_url) = ${key} and ${by('p.user_id')}
    union all ${pin} where object_key_in(p.localization_data ->> 'worldmapURL') = ${key} and ${by('p.user_id')}
    union all
    select 'app', a.id::text, a.name, a.owner_id, false from apps a
     where object_key_in(a.image_url) = ${key} and ${by('a.owner_id')}
    union all
    select 'mini-game type', t.id::text, t.name, a.owner_id, false
      from mini_game_types t join apps a on a.id = t.app_id where object_key_in(t.image_url) = ${key} and ${by('a.owner_id')}
    limit ${TOLD}`.execute(db)
  return rows
}
