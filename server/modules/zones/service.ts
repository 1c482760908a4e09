import type { UserCaller } from '../../platform/credentials/callers.ts'
import { assertMayChange } from '../../platform/credentials/guards.ts'
import type { JsonRows } from '../../platform/database/bulk/bulk-reads.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { encodeCursor, type Page, type PageQuery } from '../../platform/http/pages.ts'
import { type Quotas, quotaExceeded, quotaOf } from '../../platform/quotas.ts'
import type { WriteCheck } from '../../platform/records/changes.ts'
import { shapeFault } from './boundary/boundary-faults.ts'
import type { Outlines, PointOfZone } from './boundary/outlines.ts'
import { positionsOf } from './boundary/rings.ts'
import { boxesAround } from './boundary/zone-shape.ts'
import type { RemovalStore, ZoneContents } from './removal-store.ts'
import type { Boundary, NewZone, ZoneChange, ZonesAtQuery } from './schema.ts'
import { fittingIn, lockZone, placeOf, type Sized, type StoredZone, type ZoneStore } from './store.ts'
import { yieldToEventLoop } from './yield-loop.ts'

type Deps = {
  store: ZoneStore
  removals: RemovalStore
  outlines: Outlines
  /** Removes objects that nothing refers to. */
  removeUnused: () => Promise<void>
  quotas: Pick<Quotas, 'zones' | 'zonePositions'>
}

export type ZoneService = ReturnType<typeof zoneService>

/** The most zones that are in memory at once, and bytes of their outlines: a boundary may take half a megabyte. */
const AT_ONCE = { zones: 500, bytes: 320_000 }
/** Maximum number of zones, by their boxes, that one search tests. */
const MAX_CANDIDATES = 5000

export function zoneService({ store, removals, outlines, removeUnused, quotas }: Deps) {
  const authorize = async (user: UserCaller, id: number) => {
    const zone = await store.owner(id)
    if (!zone) throw notFound('Zone')
    assertMayChange(user, [zone.userId], 'zone')
  }

  /** @throws 409 */
  const assertWithinQuota = (user: UserCaller, { zones, positions }: { zones: number; positions: number }) => {
    if (zones > quotaOf(user, quotas.zones)) throw quotaExceeded('zones', quotas.zones)
    if (positions > quotaOf(user, quotas.zonePositions)) throw quotaExceeded('zonePositions', quotas.zonePositions)
  }

  /** A change exceeds the quota only if it adds positions. */
  const updated = (user: UserCaller, id: number, change: ZoneChange, check: WriteCheck | undefined) => {
    if (!change.boundary)
      return check ? store.checked(id, check, (trx) => store.update(id, change, trx)) : store.update(id, change)
    const positions = positionsOf(change.boundary)
    return store.owning(user.id, id, async (trx, owned) => {
      if (check) await lockZone(trx, id)
      await check?.(trx as never)
      if (positions > owned.positionsBefore)
        assertWithinQuota(user, { zones: 0, positions: owned.positions + positions })
      return store.update(id, change, trx)
    })
  }

  return {
    /**
     * @throws 400 if the boundary is not a valid area by RFC 7946; 409 if the user's quota of zones or positions is
     * used up
     */
    async create(user: UserCaller, zone: NewZone): Promise<StoredZone> {
      await checkBoundary(zone.boundary)
      const positions = zone.boundary ? positionsOf(zone.boundary) : 0
      return store.owning(user.id, undefined, async (trx, owned) => {
        assertWithinQuota(user, { zones: owned.zones + 1, positions: owned.positions + positions })
        return store.insert(zone, user.id, trx)
      })
    },

    /** @throws 404 */
    async get(id: number): Promise<StoredZone> {
      const zone = await store.get(id)
      if (!zone) throw notFound('Zone')
      return zone
    },

    /** All zones, oldest first: a page, and a stream of its zones as JSON, a few at a time. */
    async list(query: PageQuery): Promise<{ page: Page<Sized>; zones: AsyncGenerator<JsonRows[]> }> {
      const page = await store.page(query)
      return { page, zones: readInBatches(page.rows) }
    },

    /**
     * The zones whose boundary contains a point, oldest first, as JSON, a few at a time, with the next cursor. There may
     * be fewer than `limit` although more follow, because a search tests a bounded number of zones and positions, and a
     * page has a bounded number of positions. @throws 503 if too many wait
     */
    async at({ lat, lon, limit, cursor }: ZonesAtQuery, sender: string) {
      // One more than shown: it says whether there is a next page.
      const candidatesAt = () => store.touching(boxesAround(lat, lon), cursor, MAX_CANDIDATES)
      const found = await outlines.holding(candidatesAt, [lat, lon], limit + 1, sender)
      const { candidates, ids, lookedAt, isCut } = found
      const holding = new Set(ids)
      const fitting = candidates.filter(({ id }) => holding.has(id)).slice(0, limit)
      const shown = fitting.slice(0, fittingIn(fitting))
      const hasMore = ids.length > shown.length
      const goesOn = isCut || candidates.length === MAX_CANDIDATES || hasMore
      const last = goesOn ? (hasMore ? shown.at(-1) : candidates[lookedAt - 1]) : undefined
      return { next: last && encodeCursor(placeOf(last)), zones: readInBatches(shown) }
    },

    /**
     * Absent members stay, null clears. @throws 400 if the boundary is not a valid area, 403, 404, 409 if the owner's
     * quota of positions is used up
     */
    async update(user: UserCaller, id: number, change: ZoneChange, check?: WriteCheck): Promise<StoredZone> {
      await authorize(user, id)
      await checkBoundary(change.boundary)
      const zone = await updated(user, id, change, check)
      if (!zone) throw notFound('Zone')
      return zone
    },

    /**
     * With `cascade`, also deletes its GCPs, pins and survey files, with their photos and objects. @throws 403, 404;
     * 409 if it has any and `cascade` is not set
     */
    async remove(user: UserCaller, id: number, options: { cascade: boolean }, check?: WriteCheck): Promise<void> {
      await authorize(user, id)
      const outcome = await removals.remove(id, options, check)
      if (!outcome) throw notFound('Zone')
      if (outcome !== 'removed') throw notEmpty(id, outcome)
      if (options.cascade) await removeUnused()
    },

    /** Whether each point is inside the boundary of its zone, exactly; undefined without zone or boundary. */
    async insideAll(points: PointOfZone[]): Promise<(boolean | undefined)[]> {
      const zoneIds = [...new Set(points.map(({ zoneId }) => zoneId))]
      return zoneIds.length === 0 ? [] : outlines.insideAll(await store.candidatesOf(zoneIds), points)
    },
  }

  /** The zones as JSON, in batches. */
  async function* readInBatches(zones: Sized[]): AsyncGenerator<JsonRows[]> {
    let [batch, bytes] = [[] as number[], 0]
    for (const zone of zones) {
      batch.push(zone.id)
      bytes += zone.bytes
      if (batch.length < AT_ONCE.zones && bytes < AT_ONCE.bytes) continue
      yield await store.json(batch, true)
      ;[batch, bytes] = [[], 0]
    }
    if (batch.length > 0) yield await store.json(batch, batch.length < zones.length)
  }
}

async function checkBoundary(boundary: Boundary | null | undefined): Promise<void> {
  if (!boundary) return
  // Parsing the body took time.
  await yieldToEventLoop()
  const fault = await shapeFault(boundary)
  if (fault)
    throw invalid([{ code: 'custom', message: fault.message, path: ['boundary', 'coordinates', ...fault.path] }])
}

function notEmpty(id: number, { gcps, pins, csvUploads }: ZoneContents) {
  const parts = [counted(gcps, 'GCP'), counted(pins, 'pin'), counted(csvUploads, 'survey file')].flat()
  return conflict(
    `The zone is not empty: it has ${parts.join(', ')}. Delete them first, or the zone with all of them: DELETE /api/zones/${id}?cascade=true`,
  )
}

const counted = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`]
