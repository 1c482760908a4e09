import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { lockContents } from '../../platform/database/locks/locks.ts'
import { reading } from '../../platform/database/write-tracking.ts'
import { type PagedScans, publicScans, scansOfUser } from './list-queries.ts'
import type { Scan, ScanPage } from './schema.ts'

/** The database, or a transaction on it. */
export type Within = Kysely<AnyTables>

type PresentedColumns = 'scanUrl' | 'previewImageUrl' | 'usdzUrl' | 'error'

/** The row of a scan, with its file and the state of its USDZ. */
export type ScanRow = Omit<Scan, PresentedColumns> & {
  userId: string
  appId: string | null
  error: string | null
  fileKey: string
  mimeType: string
  sha256: string
  previewKey: string | null
  usdzKey: string | null
  capturedFrom: 'caller' | 'file' | 'upload'
}

export type ClaimedFile = { id: number; key: string; userId: string | null; isShown: boolean; isResult: boolean }

export type InsertedScan = {
  id: string
  userId: string
  appId: string | null
  fileId: number
  title: string | null
  category: string | null
  lat: number | null
  long: number | null
  timestamp: string | null
  visibility: Scan['visibility']
}

/** The effect of a change. */
export type ScanWrite = Pick<
  ScanRow,
  | 'title'
  | 'category'
  | 'visibility'
  | 'lat'
  | 'long'
  | 'altitude'
  | 'positionFrom'
  | 'timestamp'
  | 'capturedFrom'
  | 'location'
  | 'timeOfDay'
  | 'weather'
>

const columns = sql`
  s.id, s.title, s.category, s.lat, s.long, s.location, s.captured_at as timestamp, s.status, s.file_type as "fileType",
  s.time_of_day as "timeOfDay", s.weather, s.visibility, s.error, s.notes, s.file_id as "fileId", f.file_name as "fileName",
  f.size as "fileSize", s.altitude, s.position_from as "positionFrom", s.bounds, s.triangles, s.points, s.width, s.height,
  case f.mime_type when 'model/gltf-binary' then c.status end as "usdzStatus", s.created_at as "createdAt",
  s.updated_at as "updatedAt", s.user_id as "userId", s.app_id as "appId", f.key as "fileKey", f.mime_type as "mimeType",
  f.sha256, s.preview_key as "previewKey", r.key as "usdzKey", s.captured_from as "capturedFrom"`

const joined = sql`
  scans s join files f on f.id = s.file_id
    left join conversions c on c.sha256 = f.sha256 and f.mime_type = 'model/gltf-binary'
    left join files r on r.id = c.result_id`

const now = sql`clock_timestamp()`

export type ScanStore = ReturnType<typeof scanStore>

/** SQL of scans. */
export function scanStore(db: Within) {
  const get = async (id: string, within: Within = db): Promise<ScanRow | undefined> =>
    (await sql<ScanRow>`select ${columns} from ${joined} where s.id = ${id}`.execute(reading(within))).rows[0]

  /** One page and the total, from one snapshot. */
  const page = async (list: PagedScans, order: 'asc' | 'desc', limit: number) => {
    const direction = order === 'asc' ? sql`asc` : sql`desc`
    const { rows } = await sql<Partial<ScanRow> & { total: number }>`
      with ${list.before ?? sql``} picked as materialized (
        select s.id from scans s where ${list.of}
         order by s.captured_at ${direction}, s.id ${direction} limit ${limit} offset ${list.offset})
      select counted.total, shown.*
        from (${list.total}) as counted
        left join (select ${columns} from ${joined} where s.id in (select id from picked)) as shown on true
       order by shown.timestamp ${direction}, shown.id ${direction}`.execute(db)
    // An empty page is one row without a scan.
    const shown = rows.map(({ total, ...row }) => row).filter(({ id }) => id !== null)
    return { total: rows[0]?.total ?? 0, rows: shown as ScanRow[] }
  }

  return {
    transaction: <T>(work: (trx: Transaction<AnyTables>) => Promise<T>): Promise<T> => db.transaction().execute(work),
    get,

    ofUser: (userId: string, order: 'asc' | 'desc', asked: ScanPage) =>
      page(scansOfUser(userId, asked), order, asked.limit),

    /** Public scans, newest first. */
    ofAll: (asked: ScanPage) => page(publicScans(asked), 'desc', asked.limit),

    /** Locks the file and its user until the transaction ends. */
    async claim(trx: Within, userId: string, fileId: number): Promise<ClaimedFile | undefined> {
      await sql`select from users where id = ${userId} for key share`.execute(trx)
      const { rows: held } = await sql`select from files where id = ${fileId} for update`.execute(trx)
      if (held.length === 0) return undefined
      const { rows } = await sql<ClaimedFile>`
        select id, key, user_id as "userId", object_is_held(key, user_id) as "isShown",
               exists (select from conversion_results where result_id = id) as "isResult"
          from files where id = ${fileId}`.execute(trx)
      return rows[0]
    },

    /** Assigns the file to the user and inserts its scan. @returns false if it has one */
    async insert(trx: Within, scan: InsertedScan): Promise<boolean> {
      const { id, userId, appId, fileId, title, category, lat, long, timestamp, visibility } = scan
      const { rows } = await sql`
        insert into scans (id, user_id, app_id, file_id, title, category, lat, long, position_from, captured_at, captured_from, visibility)
        values (${id}, ${userId}, ${appId}, ${fileId}, ${title}, ${category}, ${lat}, ${long}, ${lat === null ? null : 'caller'},
                coalesce(${timestamp}::timestamptz, date_trunc('milliseconds', clock_timestamp())),
                ${timestamp === null ? 'upload' : 'caller'}, ${visibility})
        on conflict (file_id) do nothing returning id`.execute(trx)
      if (rows.length === 0) return false
      await sql`update files set user_id = ${userId} where id = ${fileId} and user_id is null`.execute(trx)
      return true
    },

    /** Reads a scan and locks it until the transaction ends. */
    async lock(trx: Within, id: string): Promise<ScanRow | undefined> {
      await sql`select from scans where id = ${id} for update`.execute(trx)
      return get(id, trx)
    },

    async change(trx: Within, id: string, write: ScanWrite): Promise<void> {
      await sql`
        update scans set title = ${write.title}, category = ${write.category}, visibility = ${write.visibility},
               lat = ${write.lat}, long = ${write.long}, altitude = ${write.altitude}, position_from = ${write.positionFrom},
               captured_at = ${write.timestamp}, captured_from = ${write.capturedFrom}, location = ${write.location},
               time_of_day = ${write.timeOfDay}, weather = ${write.weather}, updated_at = ${now}
         where id = ${id}`.execute(trx)
    },

    /** Resets a scan to PENDING. @returns false unless it failed or made no progress for that long */
    async restart(trx: Within, id: string, staleSeconds: number): Promise<boolean> {
      const { rows } = await sql`
        update scans set status = 'PENDING', attempts = 0, run = null, error_code = null, error = null,
               touched_at = ${now}, updated_at = ${now}
         where id = ${id} and (status = 'FAILED'
            or (status in ('PENDING', 'PROCESSING') and touched_at < now() - make_interval(secs => ${staleSeconds})))
        returning id`.execute(trx)
      return rows.length > 0
    },

    /** Deletes a scan with its preview, USDZ and file; the file of a public scan is kept if another record uses it. @returns false if there is none */
    async remove(id: string): Promise<boolean> {
      const scan = await get(id)
      if (!scan) return false
      return db.transaction().execute(async (trx) => {
        await lockContents(trx, [scan.sha256])
        await sql`select from files where id = ${scan.fileId} for update`.execute(trx)
        const { rows } = await sql<{ isPrivate: boolean }>`
          delete from scans where id = ${id} returning visibility = 'private' as "isPrivate"`.execute(trx)
        const hidden = rows[0]?.isPrivate ? [scan.fileId] : []
        await sql`select remove_files(${[scan.fileId]}::bigint[], ${hidden}::bigint[])`.execute(trx)
        return rows.length > 0
      })
    },
  }
}
