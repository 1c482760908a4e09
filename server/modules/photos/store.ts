import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { reading } from '../../platform/database/write-tracking.ts'
import type { Corners, DetectedPhotoTag, PhotoCheckResult } from './schema.ts'

/** A file as stored. */
export type FileRow = {
  id: number
  key: string
  fileName: string
  mimeType: string
  size: number
  userId: string | null
  createdAt: string
}
/** What the check of a photo found, as stored. */
export type CheckRow = {
  state: 'pending' | 'read' | 'unreadable'
  width: number | null
  height: number | null
  tags: DetectedPhotoTag[]
  exif: Omit<NonNullable<PhotoCheckResult['exif']>, 'distanceToGcp'> | null
  sharpness: number | null
  exposure: number | null
  problem: string | null
}
/** Corners that a person placed in a photo of a GCP, and the tag that the GCP had then. */
export type PlacedRow = { aprilTagId: number; corners: Corners }
/** A photo, what is known of it, and the GCP it belongs to. */
export type PhotoRow = FileRow & {
  gcpId: number | null
  aprilTagId: number | null
  latitude: number | null
  longitude: number | null
  check: CheckRow | null
  placed: PlacedRow | null
}
/** What decides whether a GCP can get more photos. `owners`: its creator, and the owner and editors of its zone. */
type ShownBy = { owners: (string | null)[]; count: number }

const fileColumns = sql`f.id, f.key, f.file_name as "fileName", f.mime_type as "mimeType", f.size, f.user_id as "userId",
               f.created_at as "createdAt"`

/** The row of `photo_checks` as JSON, the tag and place of the GCP, and the corners that were placed by hand. */
const truthColumns = sql`to_jsonb(c) as "check", g.april_tag_id::int as "aprilTagId", n.latitude, n.longitude,
               (select jsonb_build_object('aprilTagId', h.april_tag_id, 'corners', h.corners) from gcp_photo_corners h
                 where h.gcp_id = g.id and h.file_id = f.id) as placed`

/** The database, or a transaction on it. */
export type Within = Kysely<AnyTables>

export type PhotoStore = ReturnType<typeof photoStore>

/** Photos of GCPs, in SQL. */
export function photoStore(db: Within) {
  return {
    transaction: <T>(work: (trx: Transaction<AnyTables>) => Promise<T>): Promise<T> => db.transaction().execute(work),

    /** The photos of GCPs that were uploaded here, in display order. */
    async ofGcps(gcpIds: number[], within: Within = reading(db)): Promise<PhotoRow[]> {
      if (gcpIds.length === 0) return []
      const { rows } = await sql<PhotoRow>`
        select ${fileColumns}, g.id as "gcpId", ${truthColumns}
          from gcps g cross join unnest(object_keys_in(g.photo_urls)) with ordinality as shown (key, place)
          join files f on f.key = shown.key join gcp_photos p on p.file_id = f.id
          left join photo_checks c on c.file_id = f.id left join pins n on n.gcp_id = g.id
         where g.id = any(${gcpIds}) and object_keys_in(g.photo_urls) <> '{}'
           and not exists (select from scans s where s.file_id = f.id and s.visibility = 'private')
         order by g.id, shown.place`.execute(within)
      return rows
    },

    /** A photo of GCPs with each one that shows it, or with none. Nothing for a photo that is only a relocalization photo. */
    async ofFile(trx: Within, fileId: number): Promise<PhotoRow[]> {
      const { rows } = await sql<PhotoRow>`
        select ${fileColumns}, g.id as "gcpId", ${truthColumns}
          from files f join gcp_photos p on p.file_id = f.id join photo_checks c on c.file_id = f.id
          left join gcps g on object_keys_in(g.photo_urls) @> array[f.key] and g.photo_urls <> '{}'
                          and object_keys_in(g.photo_urls) <> '{}'
          left join pins n on n.gcp_id = g.id
         where f.id = ${fileId} order by g.id`.execute(trx)
      return rows
    },

    /** What a photo shows whose check was requested. Undefined also for that of a private scan. */
    async checkOf(key: string): Promise<CheckRow | undefined> {
      const { rows } = await sql<{ check: CheckRow }>`
        select to_jsonb(c) as "check" from files f join photo_checks c on c.file_id = f.id
         where f.key = ${key} and not exists (select from scans s where s.file_id = f.id and s.visibility = 'private')`.execute(
        reading(db),
      )
      return rows[0]?.check
    },

    async gcpExists(id: number): Promise<boolean> {
      const { rows } = await sql`select from gcps where id = ${id}`.execute(reading(db))
      return rows.length > 0
    },

    /** Reads what decides whether a GCP can get more photos, and locks it until the transaction ends. */
    async lockGcp(trx: Within, id: number): Promise<ShownBy | undefined> {
      const { rows } = await sql<{ maker: string | null; zoneOwner: string | null; editors: string[]; count: number }>`
        select g.user_id as maker, (select user_id from zones where id = g.zone_id) as "zoneOwner",
               array(select e.user_id from zone_editors e where e.zone_id = g.zone_id) as editors,
               cardinality(g.photo_urls) as count
          from gcps g where g.id = ${id} for update`.execute(trx)
      const [row] = rows
      return row && { owners: [row.maker, row.zoneOwner, ...row.editors], count: row.count }
    },

    /** Appends photos to a GCP. */
    async show(trx: Within, gcpId: number, urls: string[]): Promise<void> {
      await sql`
        update gcps set photo_urls = photo_urls || ${urls}::text[], edited_at = clock_timestamp(), updated_at = clock_timestamp()
         where id = ${gcpId}`.execute(trx)
    },

    /**
     * Marks new files as sent as photos, with or without a GCP: they are deleted with the last record that uses them.
     */
    async markSent(trx: Within, fileIds: number[], { given }: { given: boolean }): Promise<void> {
      await sql`
        insert into gcp_photos (file_id, state) select id, ${given ? 'given' : 'sent'} from unnest(${fileIds}::bigint[]) as id`.execute(
        trx,
      )
    },

    /**
     * Marks files as photos of a GCP: those that were sent as photos now belong to it, others stay their uploader's.
     */
    async markClaimed(trx: Within, fileIds: number[]): Promise<void> {
      await sql`
        insert into gcp_photos (file_id, state) select distinct id, 'lent' from unnest(${fileIds}::bigint[]) as id
        on conflict (file_id) do update set state = 'given' where gcp_photos.state = 'sent'`.execute(trx)
    },

    /** Which of these locked files belong to private scans. */
    async private(trx: Within, fileIds: number[]): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        select file_id as id from scans where file_id = any(${fileIds}::bigint[]) and visibility = 'private'`.execute(
        trx,
      )
      return rows.map(({ id }) => id)
    },

    /** Reads and locks the files until the transaction ends. */
    async hold(trx: Within, fileIds: number[]): Promise<Map<number, FileRow>> {
      const { rows } = await sql<FileRow>`
        select ${fileColumns} from files f where f.id = any(${fileIds}::bigint[]) order by f.key for key share`.execute(
        trx,
      )
      return new Map(rows.map((row) => [row.id, row]))
    },
  }
}
