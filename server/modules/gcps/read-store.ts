import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { countedRows } from '../../platform/database/row-counts.ts'
import { reading } from '../../platform/database/write-tracking.ts'
import { afterRecord, cutPage, type Page, type PageQuery } from '../../platform/http/pages.ts'
import { selectList } from '../../platform/records/columns.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import { gcpFields } from './record.ts'
import type { Gcp } from './schema.ts'

/** A GCP as stored, without its related records. */
type GcpRow = Omit<Gcp, 'pin' | 'zone' | 'uploadedFiles' | 'outsideZone'> & { zoneTitle: string | null }

/** A GCP's position in the list, whether that is after the cursor, and its location. */
export type ListedGcp = {
  id: number
  cursorAt: string
  isAfter: boolean
  latitude: number | null
  longitude: number | null
}

type Deps = {
  pinsOf: (gcpIds: number[]) => Promise<Map<number, Gcp['pin']>>
  photosOf: (gcpIds: number[]) => Promise<Map<number, Gcp['uploadedFiles']>>
  ownUrls: OwnUrls
  /** The test whether a point, in degrees, is inside a zone's boundary; undefined without one. */
  insideOf: (zoneId: number) => Promise<((latitude: number, longitude: number) => boolean) | undefined>
}

export type RecordStore = ReturnType<typeof recordStore>

/** Points read at once when all points of a zone are checked. */
const LOOKED_AT = 1000

/** The sort key of a GCP in lists. */
export const placeOf = ({ cursorAt, id }: { cursorAt: string; id: number }): [string, number] => [cursorAt, id]

/** Reads ground control points, oldest first, in SQL. */
export function recordStore(db: Kysely<AnyTables>, { pinsOf, photosOf, ownUrls, insideOf }: Deps) {
  const inZone = (zoneId: number | undefined) => (zoneId === undefined ? sql`true` : sql`g.zone_id = ${zoneId}`)

  const ofIds = async (ids: number[]): Promise<Gcp[]> => {
    const { rows } = await sql<GcpRow>`
      select ${selectList(gcpFields, 'g')}, z.title as "zoneTitle"
        from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
        join gcps g on g.id = wanted.id left join zones z on z.id = g.zone_id order by wanted.place`.execute(
      reading(db),
    )
    const withPhotos = rows.filter(({ photoUrls }) => photoUrls.length > 0)
    const [pins, photos] = await Promise.all([
      pinsOf(rows.map(({ id }) => id)),
      photosOf(withPhotos.map(({ id }) => id)),
    ])
    const outside = await outsideZones(rows, pins)
    return rows.map(({ zoneTitle, createdAt, updatedAt, ...gcp }) => ({
      ...gcp,
      photoUrls: ownUrls.allWritten(gcp.photoUrls),
      outsideZone: outside.get(gcp.id) ?? null,
      pin: pins.get(gcp.id) ?? null,
      zone: gcp.zoneId === null ? null : { id: gcp.zoneId, title: zoneTitle! },
      uploadedFiles: photos.get(gcp.id) ?? [],
      createdAt,
      updatedAt,
    }))
  }

  /** Whether GCPs are outside their zone's boundary, if they have both. One boundary is in memory at a time: each may take half a megabyte. */
  const outsideZones = async (rows: GcpRow[], pins: Map<number, Gcp['pin']>): Promise<Map<number, boolean>> => {
    const outside = new Map<number, boolean>()
    const placed = rows.filter(({ id, zoneId }) => zoneId !== null && pins.get(id)?.latitude != null)
    for (const [zoneId, gcps] of Map.groupBy(placed, (row) => row.zoneId!)) {
      const inside = await insideOf(zoneId)
      if (!inside) continue
      for (const { id } of gcps) {
        const { latitude, longitude } = pins.get(id)!
        outside.set(id, !inside(latitude!, longitude!))
      }
    }
    return outside
  }

  return {
    /** The existing GCPs with these IDs, in this order. */
    ofIds,

    get: async (id: number): Promise<Gcp | undefined> => (await ofIds([id]))[0],

    /** The ids of a page of all GCPs or a zone's, oldest first. */
    async page(zoneId: number | undefined, { limit, cursor }: PageQuery): Promise<Page<number>> {
      const later = laterThan(afterRecord(cursor))
      const [{ rows }, total] = await Promise.all([
        sql<{ id: number; cursorAt: string }>`
          select g.id, g.created_at::text as "cursorAt" from gcps g
           where ${inZone(zoneId)} and ${later} order by g.created_at, g.id limit ${limit + 1}`.execute(db),
        countedRows(db, 'gcps', zoneId),
      ])
      const page = cutPage(rows, limit, placeOf)
      return { rows: page.rows.map(({ id }) => id), next: page.next, total }
    },

    /** All points of a zone, oldest first, including those before the cursor. */
    async *ofZone(zoneId: number, cursor: string | undefined): AsyncGenerator<ListedGcp[]> {
      const isAfter = laterThan(afterRecord(cursor))
      for (let last: ListedGcp | undefined; ; ) {
        const { rows } = await sql<ListedGcp>`
          select g.id, g.created_at::text as "cursorAt", ${isAfter} as "isAfter", p.latitude, p.longitude
            from gcps g left join pins p on p.gcp_id = g.id
           where g.zone_id = ${zoneId} and ${laterThan(last && { at: last.cursorAt, id: last.id })}
           order by g.created_at, g.id limit ${LOOKED_AT}`.execute(db)
        yield rows
        last = rows.at(-1)
        if (rows.length < LOOKED_AT) return
      }
    },
  }
}

const laterThan = (place: { at: string; id: number } | undefined) =>
  place ? sql`(g.created_at, g.id) > (${place.at}::timestamptz, ${place.id}::bigint)` : sql`true`
