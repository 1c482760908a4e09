import type { JsonRows } from '../../platform/database/bulk/bulk-reads.ts'
import type { Page } from '../../platform/http/pages.ts'
import type { PoseForm } from '../places/schema.ts'
import { cutListed, type ListedGcp, type ListStore } from './list-store.ts'
import type { InsideAll, RecordStore } from './read-store.ts'
import type { Gcp, GcpListQuery } from './schema.ts'
import { withPose } from './with-pose.ts'

type Deps = {
  store: ListStore
  records: Pick<RecordStore, 'ofIds'>
  photosOf: (gcpIds: number[]) => Promise<Map<number, Gcp['uploadedFiles']>>
  insideAll: InsideAll
}

/** `outside`: whether all points of a page are outside the boundary of their zone, if that was tested already. */
type Form = { pose: PoseForm | undefined; outside?: boolean }

export type ListService = ReturnType<typeof listService>

/** Records read at once: about a megabyte. */
const BATCH_SIZE = 1000
/** The most on a page with poses in another form, which are computed here. */
const MAX_POSED = 1000

/** Lists of ground control points. */
export function listService({ store, records, photosOf, insideAll }: Deps) {
  /** Whether GCPs are outside the boundary of their zone, in their order; null if one has no boundary or location. */
  const outsideOf = async (gcps: ListedGcp[]): Promise<(boolean | null)[]> => {
    const placed = gcps.filter(isPlaced)
    const inside = (await insideAll(placed)).values()
    return gcps.map((gcp) => {
      const isInside = isPlaced(gcp) ? inside.next().value : undefined
      return isInside === undefined ? null : !isInside
    })
  }

  /** The points of a zone outside its boundary, or inside it. All points are checked, to count them. */
  const sorted = async (
    zoneId: number,
    isOutside: boolean,
    { limit, cursor }: GcpListQuery,
  ): Promise<Page<ListedGcp>> => {
    const shown: ListedGcp[] = []
    let total = 0
    for await (const gcps of store.ofZone(zoneId, cursor)) {
      const outside = await outsideOf(gcps)
      for (const [at, gcp] of gcps.entries()) {
        if (outside[at] !== isOutside) continue
        total++
        if (gcp.isAfter && shown.length <= limit) shown.push(gcp)
      }
    }
    return { ...cutListed(shown, limit), total }
  }

  /** Batches of records as JSON, separated by commas. */
  async function* readInBatches(page: ListedGcp[], { pose, outside }: Form): AsyncGenerator<JsonRows[]> {
    for (let at = 0; at < page.length; at += BATCH_SIZE) {
      const batch = page.slice(at, at + BATCH_SIZE)
      yield await (pose ? posed(batch, pose) : written(batch, page.length > BATCH_SIZE, outside))
    }
  }

  async function posed(batch: ListedGcp[], pose: PoseForm): Promise<string[]> {
    const gcps = await records.ofIds(batch.map(({ id }) => id))
    return gcps.map((gcp) => JSON.stringify(withPose(gcp, pose)))
  }

  async function written(batch: ListedGcp[], isLong: boolean, known: boolean | undefined): Promise<JsonRows[]> {
    const withPhotos = batch.filter(({ hasPhotos }) => hasPhotos).map(({ id }) => id)
    const [outside, photos] = await Promise.all([known === undefined ? outsideOf(batch) : [], photosOf(withPhotos)])
    return store.json(
      batch.map(({ id }, at) => ({ id, outsideZone: known ?? outside[at]!, uploadedFiles: photos.get(id) ?? [] })),
      isLong,
    )
  }

  return {
    /** A page of all GCPs or a zone's, oldest first, and its records as JSON, in batches separated by commas. */
    async list(query: GcpListQuery): Promise<{ page: Page<ListedGcp>; gcps: AsyncGenerator<JsonRows[]> }> {
      const { zoneId, outsideZone, pose } = query
      const asked = { ...query, limit: pose ? Math.min(query.limit, MAX_POSED) : query.limit }
      if (zoneId === undefined || outsideZone === undefined) {
        const page = await store.page(zoneId, asked)
        return { page, gcps: readInBatches(page.rows, { pose }) }
      }
      const page = await sorted(zoneId, outsideZone, asked)
      return { page, gcps: readInBatches(page.rows, { pose, outside: outsideZone }) }
    },
  }
}

type PlacedGcp = ListedGcp & { zoneId: number; latitude: number; longitude: number }
const isPlaced = (gcp: ListedGcp): gcp is PlacedGcp =>
  gcp.zoneId !== null && gcp.latitude !== null && gcp.longitude !== null
