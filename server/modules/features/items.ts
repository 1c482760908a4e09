import { sql } from 'kysely'
import { z } from 'zod'
import { HttpError, invalid, notFound } from '../../platform/errors.ts'
import { decodeCursor, encodeCursor } from '../../platform/http/pages.ts'
import { piecesOf } from '../../platform/http/responses/streamed-rows.ts'
import type { DegreeBox } from '../places/degree-boxes.ts'
import { recordId } from '../places/schema.ts'
import { readFilter } from './cql2/read-filter.ts'
import { readBboxIn } from './crs/bbox-in-system.ts'
import type { Positions, UsedOperation } from './crs/positions.ts'
import { addOperations, inSystem } from './crs/system-rows.ts'
import { type FeatureSystem, readSystem, WGS84 } from './crs/systems.ts'
import type { Documents } from './documents/documents.ts'
import { GEOJSON_TYPE } from './documents/media-types.ts'
import { filteredBatches } from './filtered-batches.ts'
import { BATCH, idBatches } from './id-batches.ts'
import { isEarth, type Wanted } from './query/conditions.ts'
import { readInterval } from './query/datetime.ts'
import { readSortKeys, type SortedPlace, type SortKey, sortedCursor } from './query/sorting.ts'
import { tables } from './query/tables.ts'
import { type CollectionId, collections, type ItemsQuery } from './schema.ts'
import { sortedBatches } from './sorted-batches.ts'
import {
  BATCH_BYTES,
  bytesOf,
  type FeatureBatch,
  type FeatureRow,
  type FeatureStore,
  MAX_COUNTED,
  propertiesOf,
  rowsIn,
  type ZoneNear,
} from './store.ts'

/** A page ends with the feature that reaches this many bytes; the next page continues after it. */
export const PAGE_BYTES = 6 * 1024 * 1024
const MOVED_PAGE_BYTES = 4 * 1024 * 1024
const Cursor = z.tuple([recordId])

/** Zones tested against a bounding box at a time, and per page. */
const NEAR = 1000
const MAX_NEAR = 5000

/** The first of some candidates whose boundary touches a part of the map; `isCut`: there was more to look at than one search may, which `lookedAt` of them were. @throws 503 when too many wait */
type FindTouching = (
  findCandidates: () => Promise<ZoneNear[]>,
  boxes: [west: number, south: number, east: number, north: number][],
  limit: number,
  sender: string,
) => Promise<{ candidates: ZoneNear[]; ids: number[]; lookedAt: number; isCut: boolean }>

type Deps = { store: FeatureStore; documents: Documents; findTouching: FindTouching; positions: Positions }
/** A page of features, its reference system, and the operations that placed the features in it. */
export type Page = { pieces: AsyncIterable<Piece> | Piece[]; system: FeatureSystem; operations: UsedOperation[] }
type Piece = string | Buffer
/** A request for features, and its sender. `passedOn`: they are sent as the database writes them. */
type Asked = { wanted: Wanted; after: number; limit: number; sender: string; passedOn: boolean }
/** Batches of features; the last has the position where a page continues that reached its limit of tested zones. */
type Batches = AsyncGenerator<FeatureBatch, number | undefined, undefined>

export type Items = ReturnType<typeof items>

/** Pages of features, and single ones. */
export function items({ store, documents, findTouching, positions }: Deps) {
  /** Zones whose boundary intersects the bounding box, and those without one: tests the boundary of each zone whose own box does. */
  async function* zonesTouching({ wanted, after, limit, sender, passedOn }: Asked): Batches {
    const boxes = wanted.bbox!.parts.map(cornersOf)
    let last = after
    let left = limit
    let room: number = BATCH.zones
    let isLong = false
    for (let looked = 0; left > 0; looked += NEAR) {
      const nearAfterLast = () => store.zonesNear(wanted, { after: last, limit: NEAR })
      const found = await findTouching(nearAfterLast, boxes, left, sender).catch((error: unknown) => {
        // The page has started, so it ends here; its link continues.
        if (looked > 0 && error instanceof HttpError && error.status === 503) return undefined
        throw error
      })
      if (!found) return last
      const { candidates: near, lookedAt, isCut } = found
      const touching = new Set(found.ids)
      const matching = near.slice(0, lookedAt).filter(({ id, isPlaceless }) => isPlaceless || touching.has(id))
      const ids = matching.slice(0, left).map(({ id }) => id)
      for (let at = 0; at < ids.length; ) {
        const asked = ids.slice(at, at + room)
        const batch = await (isLong ? store.textOf : store.ofIds)('zones', asked, wanted.properties)
        const rows = rowsIn(batch)
        // Zones may be deleted in between.
        if (rows.length > 0) yield batch
        left -= rows.length
        const isCut = bytesOf(rows) >= BATCH_BYTES
        isLong ||= passedOn && isCut
        at += isCut ? asked.indexOf(rows.at(-1)!.id) + 1 : asked.length
        room = isCut ? rows.length : Math.min(4 * room, BATCH.zones)
      }
      // Of the zones that were read some may be deleted now: the other matching ones come next.
      const isSliced = ids.length < matching.length
      last = isSliced ? ids.at(-1)! : (near[lookedAt - 1]?.id ?? last)
      if (isSliced) continue
      if (left > 0 && (isCut || looked + NEAR >= MAX_NEAR)) return last
      if (near.length < NEAR) return undefined
    }
    return undefined
  }

  /** The zones whose boundaries intersect one of some boxes; undefined if there are too many to test. */
  const zonesIn =
    (sender: string) =>
    async (parts: DegreeBox[]): Promise<number[] | undefined> => {
      const bbox = { parts, heights: undefined, placedOnly: true as const }
      const wanted = { bbox, interval: undefined, filters: {}, properties: undefined }
      const near = () => store.zonesNear(wanted, { after: 0, limit: MAX_NEAR + 1 })
      const { candidates, ids, isCut } = await findTouching(near, parts.map(cornersOf), MAX_NEAR + 1, sender)
      return isCut || candidates.length > MAX_NEAR ? undefined : ids
    }

  /** The same, with the zones that match the bounding box by their IDs. @throws 400 if there are too many to test */
  const touchingZones = async (wanted: Wanted, sender: string): Promise<Wanted> => {
    const ids = await zonesIn(sender)(wanted.bbox!.parts)
    const matches = sql`(${tables.zones.placeless!} or z.id = any(${ids}::bigint[]))`
    if (ids) return { ...wanted, bbox: undefined, filter: sql`${matches} and ${wanted.filter ?? sql`true`}` }
    const message = 'has more zones near it than one request tests, too many to sort: use a smaller one'
    throw invalid([{ code: 'custom', message, path: ['bbox'] }])
  }

  return {
    /**
     * A page as GeoJSON, piece by piece, with a link to the next if there is one. The first features are read before
     * this returns, and all of them for another reference system than WGS84: a page is then shorter. It ends early where
     * it has PAGE_BYTES, or has looked at as many zones as it may.
     * @param sender whose turn it is @throws 400 for a query that cannot be, 503 when too many wait for their turn
     */
    async page(collection: CollectionId, query: ItemsQuery, sender: string): Promise<Page> {
      const { limit } = query
      const system = readSystem(query.crs, 'crs')
      const bboxSystem = readSystem(query['bbox-crs'], 'bbox-crs')
      const filters = Object.fromEntries(
        Object.keys(collections[collection].filters).flatMap((name) =>
          query[name] === undefined ? [] : [[name, query[name]]],
        ),
      )
      const wanted: Wanted = {
        filter: await readFilter(collection, query, { findZones: zonesIn(sender), positions }),
        bbox: query.bbox === undefined ? undefined : await readBboxIn(query.bbox, bboxSystem, positions),
        interval: query.datetime === undefined ? undefined : readInterval(query.datetime),
        filters,
        properties: query.properties === undefined ? undefined : readProperties(collection, query.properties),
      }
      const keys = query.sortby === undefined ? undefined : readSortKeys(collection, query.sortby)
      const start = readStart(query.cursor, keys)
      const counted = collection === 'zones' && wanted.bbox ? undefined : await store.count(collection, wanted)
      // One more than is shown: then there is another page.
      const asked = { wanted, after: start.id, limit: limit + 1, sender, passedOn: system.kind === 'lon-lat' }
      const places = new Map<number, SortedPlace>()
      const found =
        keys !== undefined
          ? sorted({ ...asked, keys, after: start.values && { values: start.values, id: start.id } }, places)
          : collection === 'zones' && wanted.bbox
            ? zonesTouching(asked)
            : wanted.filter && (!wanted.bbox || isEarth(wanted.bbox))
              ? filteredBatches(store, collection, asked)
              : idBatches(store, collection, asked, counted !== undefined && counted <= MAX_COUNTED)
      const pageBytes = system.kind === 'lon-lat' ? PAGE_BYTES : MOVED_PAGE_BYTES
      const operations: UsedOperation[] = []
      const pieces = written(await found.next())
      return { pieces: system.kind === 'lon-lat' ? pieces : await Array.fromAsync(pieces), system, operations }

      async function* sorted(
        { wanted, ...rest }: { wanted: Wanted; keys: SortKey[]; after: SortedPlace | undefined; limit: number },
        places: Map<number, SortedPlace>,
      ): Batches {
        const inBox = collection === 'zones' && wanted.bbox ? await touchingZones(wanted, sender) : wanted
        return yield* sortedBatches(store, collection, { wanted: inBox, ...rest }, places)
      }

      async function* written(head: IteratorResult<FeatureBatch, number | undefined>): AsyncGenerator<Piece> {
        let shown = 0
        let bytes = 0
        let last = start.id
        let more = false
        yield '{"type":"FeatureCollection","features":['
        for (let step = head; ; step = await found.next()) {
          if (step.done) {
            more ||= step.value !== undefined
            last = step.value ?? last
            break
          }
          const batch = step.value
          const rows = rowsIn(batch)
          const page = rows.slice(0, limit - shown)
          more = rows.length > page.length
          if (page.length === 0) break
          const separator = shown > 0 ? ',' : ''
          if (Array.isArray(batch)) {
            const moved = await inSystem(batch.slice(0, page.length), system, positions)
            addOperations(operations, moved.operations)
            yield* piecesOf(separator + moved.rows.map(({ feature }) => feature).join(','))
          } else {
            yield separator
            yield batch.text.subarray(0, bytesOf(page) + page.length - 1)
          }
          shown += page.length
          last = page.at(-1)!.id
          bytes += bytesOf(page)
          if (bytes < pageBytes) continue
          more ||= await hasMore()
          break
        }
        yield `],${JSON.stringify({
          numberReturned: shown,
          ...(counted !== undefined && { numberMatched: counted }),
          timeStamp: new Date().toISOString(),
          links: linksOf(more ? last : undefined),
        }).slice(1)}`
      }

      /** Whether a page that ends here has a next one. */
      async function hasMore(): Promise<boolean> {
        const { done, value } = await found.next()
        return !done || value !== undefined
      }

      function cursorOf(last: number): string {
        return encodeCursor(keys ? ([places.get(last)!.values, last] as never) : [last])
      }

      function linksOf(last: number | undefined) {
        const path = `/collections/${collection}/items`
        const asked = Object.entries(query).flatMap<[string, string]>(([name, value]) =>
          value === undefined || name === 'f' ? [] : [[name, String(value)]],
        )
        const at = (parameters: [string, string][]) => `${path}?${new URLSearchParams(parameters)}`
        const next = asked.filter(([name]) => name !== 'cursor')
        return [
          documents.link('self', at(asked), GEOJSON_TYPE),
          documents.alternate(at(asked)),
          documents.link('collection', `/collections/${collection}`, 'application/json'),
          ...(last === undefined
            ? []
            : [documents.link('next', at([...next, ['cursor', cursorOf(last)]]), GEOJSON_TYPE)]),
        ]
      }
    },

    /** @throws 404 */
    async one(collection: CollectionId, id: number): Promise<FeatureRow> {
      const row = await store.get(collection, id)
      if (!row) throw notFound('Feature')
      return row
    },

    /** A feature in another system than it is stored in. @throws 400 for a system that is not listed, or has no place for it */
    async placed<Row extends FeatureRow>(row: Row, uri: string | undefined) {
      const system = readSystem(uri, 'crs')
      const { rows, operations } = await inSystem([row], system, positions)
      return { row: rows[0]!, system, operations }
    },

    /** A feature as GeoJSON in a text, with its links. */
    document(collection: CollectionId, row: Pick<FeatureRow, 'id' | 'feature'>, { uri } = WGS84): string {
      const path = `/collections/${collection}`
      const self = `${path}/items/${row.id}${uri === WGS84.uri ? '' : `?crs=${encodeURIComponent(uri)}`}`
      const links = [
        documents.link('self', self, GEOJSON_TYPE),
        documents.alternate(self),
        documents.link('collection', path, 'application/json'),
      ]
      // Numbers stay as the database wrote them.
      return `${row.feature.slice(0, -1)},"links":${JSON.stringify(links)}}`
    },
  }
}

/** Where a page starts: after an ID, or a place in an order. @throws 400 */
function readStart(
  cursor: string | undefined,
  keys: SortKey[] | undefined,
): { id: number; values?: SortedPlace['values'] } {
  if (!keys) return { id: decodeCursor(cursor, Cursor)?.[0] ?? 0 }
  const [values, id] = decodeCursor(cursor, sortedCursor(keys)) ?? []
  return values ? { values, id: id! } : { id: 0 }
}

const cornersOf = ({ west, south, east, north }: DegreeBox): [number, number, number, number] => [
  west,
  south,
  east,
  north,
]

/** @throws 400 for a name that no feature of the collection has */
function readProperties(collection: CollectionId, text: string): string[] {
  const known = propertiesOf(collection)
  const names = [...new Set(text.split(','))]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return names
  const message = `there is no property "${unknown}": these are ${known.join(', ')}`
  throw invalid([{ code: 'custom', message, path: ['properties'] }])
}
