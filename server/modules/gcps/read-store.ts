import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { reading } from '../../platform/database/write-tracking.ts'
import { selectList } from '../../platform/records/columns.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import { gcpFields } from './record.ts'
import type { Gcp } from './schema.ts'

/** A GCP as stored, without its related records. */
type GcpRow = Omit<Gcp, 'pin' | 'zone' | 'uploadedFiles' | 'outsideZone'> & { zoneTitle: string | null }

/** Whether each point, in degrees, is inside the boundary of its zone; undefined without one. */
export type InsideAll = (
  points: { zoneId: number; latitude: number; longitude: number }[],
) => Promise<(boolean | undefined)[]>

type Deps = {
  pinsOf: (gcpIds: number[]) => Promise<Map<number, Gcp['pin']>>
  photosOf: (gcpIds: number[]) => Promise<Map<number, Gcp['uploadedFiles']>>
  ownUrls: OwnUrls
  insideAll: InsideAll
}

export type RecordStore = ReturnType<typeof recordStore>

/** Reads ground control points, in SQL. */
export function recordStore(db: Kysely<AnyTables>, { pinsOf, photosOf, ownUrls, insideAll }: Deps) {
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

  /** Whether GCPs are outside their zone's boundary, if they have both. */
  const outsideZones = async (rows: GcpRow[], pins: Map<number, Gcp['pin']>): Promise<Map<number, boolean>> => {
    const placed = rows.flatMap(({ id, zoneId }) => {
      const { latitude, longitude } = pins.get(id) ?? {}
      return zoneId === null || latitude == null || longitude == null ? [] : [{ id, zoneId, latitude, longitude }]
    })
    const inside = await insideAll(placed)
    return new Map(placed.flatMap(({ id }, at) => (inside[at] === undefined ? [] : [[id, !inside[at]] as const])))
  }

  return {
    /** The existing GCPs with these IDs, in this order. */
    ofIds,

    get: async (id: number): Promise<Gcp | undefined> => (await ofIds([id]))[0],
  }
}
