import { z } from 'zod'
import { invalid, notFound } from '../../platform/errors.ts'
import { decodeCursor, encodeCursor } from '../../platform/http/pages.ts'
import { recordId } from '../places/schema.ts'
import type { Boundary } from '../zones/schema.ts'
import { GEOJSON_TYPE } from './api-document.ts'
import { type Bbox, readBbox } from './box.ts'
import type { Wanted } from './conditions.ts'
import type { Documents } from './documents.ts'
import { readInterval } from './moments.ts'
import { type CollectionId, collections, type ItemsQuery } from './schema.ts'
import { touches } from './shape.ts'
import { BATCH_BYTES, type FeatureRow, type FeatureStore, MOST_COUNTED, propertiesOf } from './store.ts'

/** Features read at once, at first and at most: a page of ten thousand is never in memory as a whole. Zones may be large. */
const FIRST = { pins: 250, gcps: 250, zones: 50 } as const
const BATCH = { pins: 1000, gcps: 1000, zones: 50 } as const
/** A page ends with the feature that fills this many bytes, and the next goes on after it. */
export const PAGE_BYTES = 32 * 1024 * 1024
const Cursor = z.tuple([recordId])

export type Items = ReturnType<typeof items>

/** Pages of features, and single ones. */
export function items({ store, documents }: { store: FeatureStore; documents: Documents }) {
  /** Features after an id, in batches. @param few whether they were counted */
  async function* batches(collection: CollectionId, wanted: Wanted, after: number, limit: number, few: boolean) {
    let last = after
    let room: number = FIRST[collection]
    for (let left = limit; left > 0; ) {
      const size = Math.min(left, room)
      const rows = await store.page(collection, wanted, { after: last, limit: size, few })
      const chosen = collection === 'zones' ? rows.filter(({ boundary }) => isIn(boundary, wanted.bbox)) : rows
      if (chosen.length > 0) yield chosen
      const isCut = bytesOf(rows) >= BATCH_BYTES
      if (rows.length < size && !isCut) return
      // The database writes out what it is asked for, and it comes to nothing where too much was asked for.
      room = isCut ? rows.length : Math.min(4 * room, BATCH[collection])
      last = rows.at(-1)!.id
      left -= chosen.length
    }
  }

  return {
    /**
     * A page as GeoJSON, piece by piece, with a link to the next if there is one. The first features are read before
     * this returns. It ends early where it has PAGE_BYTES. @throws 400 for a query that cannot be
     */
    async page(collection: CollectionId, query: ItemsQuery): Promise<AsyncGenerator<string>> {
      const { limit } = query
      const filters = Object.fromEntries(
        Object.keys(collections[collection].filters).flatMap((name) =>
          query[name] === undefined ? [] : [[name, query[name]]],
        ),
      )
      const wanted: Wanted = {
        bbox: query.bbox === undefined ? undefined : readBbox(query.bbox),
        interval: query.datetime === undefined ? undefined : readInterval(query.datetime),
        filters,
        properties: query.properties === undefined ? undefined : readProperties(collection, query.properties),
      }
      const [after] = decodeCursor(query.cursor, Cursor) ?? [0]
      // Boundaries are compared with the box here, not in the database.
      const counted = collection === 'zones' && wanted.bbox ? undefined : await store.count(collection, wanted)
      // One more than is shown: then there is another page.
      const found = batches(collection, wanted, after, limit + 1, counted !== undefined && counted <= MOST_COUNTED)
      const first = await found.next()
      return written(first.done ? [] : first.value)

      async function* written(head: FeatureRow[]): AsyncGenerator<string> {
        let shown = 0
        let bytes = 0
        let last = after
        let more = false
        yield '{"type":"FeatureCollection","features":['
        for (let rows: FeatureRow[] | undefined = head; rows; rows = (await found.next()).value || undefined) {
          const page = rows.slice(0, limit - shown)
          more = rows.length > page.length
          if (page.length === 0) break
          yield (shown > 0 ? ',' : '') + page.map(({ feature }) => feature).join(',')
          shown += page.length
          last = page.at(-1)!.id
          bytes += bytesOf(page)
          if (bytes < PAGE_BYTES) continue
          more ||= !(await found.next()).done
          break
        }
        yield `],${JSON.stringify({
          numberReturned: shown,
          ...(counted !== undefined && { numberMatched: counted }),
          timeStamp: new Date().toISOString(),
          links: linksOf(more ? last : undefined),
        }).slice(1)}`
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
          documents.link('collection', `/collections/${collection}`, 'application/json'),
          ...(last === undefined
            ? []
            : [documents.link('next', at([...next, ['cursor', encodeCursor([last])]]), GEOJSON_TYPE)]),
        ]
      }
    },

    /** One feature as GeoJSON in a text, with its links. @throws 404 */
    async one(collection: CollectionId, id: number): Promise<string> {
      const row = await store.get(collection, id)
      if (!row) throw notFound('Feature')
      const path = `/collections/${collection}`
      const links = [
        documents.link('self', `${path}/items/${row.id}`, GEOJSON_TYPE),
        documents.link('collection', path, 'application/json'),
      ]
      // Numbers stay as the database wrote them.
      return `${row.feature.slice(0, -1)},"links":${JSON.stringify(links)}}`
    },
  }
}

const bytesOf = (rows: FeatureRow[]): number => rows.reduce((sum, { bytes }) => sum + bytes, 0)

/** @throws 400 for a name that no feature of the collection has */
function readProperties(collection: CollectionId, text: string): string[] {
  const known = propertiesOf(collection)
  const names = [...new Set(text.split(','))]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return names
  const message = `there is no property "${unknown}": these are ${known.join(', ')}`
  throw invalid([{ code: 'custom', message, path: ['properties'] }])
}

/** A zone has no height, and without a boundary no place. */
function isIn(boundary: unknown, bbox: Bbox | undefined): boolean {
  if (!bbox) return true
  return boundary !== null && bbox.parts.some((box) => touches(boundary as Boundary, box))
}
