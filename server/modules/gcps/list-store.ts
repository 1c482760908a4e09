import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type JsonRows, textsOf } from '../../platform/database/bulk/bulk-reads.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { countedRows } from '../../platform/database/row-counts.ts'
import { afterRecord, encodeCursor, momentOf, type Page, type PageQuery } from '../../platform/http/pages.ts'
import { jsonList } from '../../platform/records/columns.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import { gcpFields } from './record.ts'
import type { Gcp } from './schema.ts'

/** What decides about a GCP in a list. `micros`: when it was created, in microseconds of Unix time. */
export type ListedGcp = {
  id: number
  zoneId: number | null
  latitude: number | null
  longitude: number | null
  hasPhotos: boolean
  isAfter: boolean
  micros: number
}
type Values = [ListedGcp['id'], number | null, number | null, number | null, boolean, boolean, number]
/** A GCP to write, with what SQL does not know of it. */
export type WrittenGcp = { id: number; outsideZone: boolean | null; uploadedFiles: Gcp['uploadedFiles'] }

type Deps = Pick<OwnUrls, 'publicUrl'> & {
  /** The fields of a pin for `row_to_json`. */
  pinJson: (alias: string) => RawBuilder<unknown>
}

export type ListStore = ReturnType<typeof listStore>

/** Points read at once when all points of a zone are checked. */
const LOOKED_AT = 5000

/** Lists of ground control points, oldest first, in SQL. Rows arrive as JSON texts, which are faster to read. */
export function listStore(db: Kysely<AnyTables>, bulk: Kysely<AnyTables>, { publicUrl, pinJson }: Deps) {
  const inZone = (zoneId: number | undefined) => (zoneId === undefined ? sql`true` : sql`g.zone_id = ${zoneId}`)

  const listed = async (where: ReturnType<typeof inZone>, isAfter: ReturnType<typeof inZone>, limit: number) => {
    const { rows } = await sql<{ values: Values[] }>`
      select coalesce(json_agg(json_build_array(id, zone_id, latitude, longitude, "hasPhotos", "isAfter",
                                                (extract(epoch from created_at) * 1000000)::bigint)), '[]') as values
        from (select g.id, g.zone_id, g.created_at, g.photo_urls <> '{}' as "hasPhotos", ${isAfter} as "isAfter",
                     p.latitude, p.longitude
                from gcps g left join pins p on p.gcp_id = g.id
               where ${where} order by g.created_at, g.id limit ${limit}) as listed`.execute(db)
    return rows[0]!.values.map(([id, zoneId, latitude, longitude, hasPhotos, isAfter, micros]): ListedGcp => {
      return { id, zoneId, latitude, longitude, hasPhotos, isAfter, micros }
    })
  }

  return {
    /** A page of all GCPs, or of those of a zone. */
    async page(zoneId: number | undefined, { limit, cursor }: PageQuery): Promise<Page<ListedGcp>> {
      const where = sql<boolean>`${inZone(zoneId)} and ${laterThan(afterRecord(cursor))}`
      const [gcps, total] = await Promise.all([listed(where, sql`true`, limit + 1), countedRows(db, 'gcps', zoneId)])
      return { ...cutListed(gcps, limit), total }
    },

    /** All points of a zone, including those before the cursor. */
    async *ofZone(zoneId: number, cursor: string | undefined): AsyncGenerator<ListedGcp[]> {
      const isAfter = laterThan(afterRecord(cursor))
      for (let last: ListedGcp | undefined; ; ) {
        const later = laterThan(last && { at: momentOf(last.micros), id: last.id })
        const gcps = await listed(sql`g.zone_id = ${zoneId} and ${later}`, isAfter, LOOKED_AT)
        yield gcps
        last = gcps.at(-1)
        if (gcps.length < LOOKED_AT) return
      }
    },

    /** The existing ones of these GCPs as JSON, separated by commas. @param isLong whether more follow */
    async json(gcps: WrittenGcp[], isLong: boolean): Promise<JsonRows[]> {
      const url = publicUrl()
      const { createdAt, updatedAt, ...fields } = gcpFields
      const { rows } = await sql<{ text: JsonRows | null }>`
        select string_agg(row_to_json(gcp)::text, ',' order by wanted.place) as text
          from rows from (json_to_recordset(${JSON.stringify(gcps)}::json)
                            as (id bigint, "outsideZone" boolean, "uploadedFiles" json))
               with ordinality as wanted (id, outside, uploaded, place)
          join gcps g on g.id = wanted.id
          left join pins p on p.gcp_id = g.id left join zones z on z.id = g.zone_id
         cross join lateral (
           select ${jsonList(fields, 'g', url)}, wanted.outside as "outsideZone",
                  case when p.id is not null then (select row_to_json(pin) from (select ${pinJson('p')}) as pin) end as pin,
                  case when z.id is not null then json_build_object('id', z.id, 'title', z.title) end as zone,
                  wanted.uploaded as "uploadedFiles", ${jsonList({ createdAt, updatedAt }, 'g', url)}) as gcp`.execute(
        isLong ? bulk : db,
      )
      return textsOf(rows)
    },
  }
}

/** Cuts limit + 1 GCPs to a page and its next cursor. */
export function cutListed(gcps: ListedGcp[], limit: number) {
  const last = gcps[limit - 1]
  const next = gcps.length > limit && last ? encodeCursor([momentOf(last.micros), last.id]) : undefined
  return { rows: gcps.slice(0, limit), next }
}

const laterThan = (place: { at: string; id: number } | undefined) =>
  place ? sql`(g.created_at, g.id) > (${place.at}::timestamptz, ${place.id}::bigint)` : sql`true`
