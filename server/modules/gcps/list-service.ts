import { cutPage, type Page } from '../../platform/http/pages.ts'
import type { PoseForm } from '../places/schema.ts'
import { type ListedGcp, placeOf, type RecordStore } from './read-store.ts'
import type { Gcp, GcpListQuery } from './schema.ts'
import { withPose } from './with-pose.ts'

type Deps = {
  records: RecordStore
  /** The test whether a point, in degrees, is inside a zone's boundary; undefined without one. */
  insideOf: (zoneId: number) => Promise<((latitude: number, longitude: number) => boolean) | undefined>
}

export type ListService = ReturnType<typeof listService>

/** Records read at once: a few megabytes at most. */
const BATCH_SIZE = 250

/** Lists of ground control points. */
export function listService({ records, insideOf }: Deps) {
  /** The points of a zone outside its boundary, or inside it. All points are checked, to count them. */
  const sorted = async (zoneId: number, outside: boolean, { limit, cursor }: GcpListQuery): Promise<Page<number>> => {
    const inside = await insideOf(zoneId)
    if (!inside) return { rows: [], next: undefined, total: 0 }
    const isWanted = ({ latitude, longitude }: ListedGcp) =>
      latitude !== null && longitude !== null && inside(latitude, longitude) !== outside
    const shown: ListedGcp[] = []
    let total = 0
    for await (const gcps of records.ofZone(zoneId, cursor)) {
      for (const gcp of gcps.filter(isWanted)) {
        total++
        if (gcp.isAfter && shown.length <= limit) shown.push(gcp)
      }
    }
    const { rows, next } = cutPage(shown, limit, placeOf)
    return { rows: rows.map(({ id }) => id), next, total }
  }

  async function* readInBatches(ids: number[], pose: PoseForm | undefined): AsyncGenerator<Gcp[]> {
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      const gcps = await records.ofIds(ids.slice(at, at + BATCH_SIZE))
      yield pose ? gcps.map((gcp) => withPose(gcp, pose)) : gcps
    }
  }

  return {
    /** A page of all GCPs or a zone's, oldest first: their IDs, and their records in batches. */
    async list(query: GcpListQuery): Promise<{ page: Page<number>; gcps: AsyncGenerator<Gcp[]> }> {
      const { zoneId, outsideZone } = query
      const page =
        zoneId !== undefined && outsideZone !== undefined
          ? await sorted(zoneId, outsideZone, query)
          : await records.page(zoneId, query)
      return { page, gcps: readInBatches(page.rows, query.pose) }
    },
  }
}
