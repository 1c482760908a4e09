import type { PinIndex } from '../memory/pin-index.ts'
import type { PinResults } from '../memory/result-records.ts'
import { pinsGeoJson, pinsJson, type TextPin } from '../pin-json.ts'
import type { PinSearch } from './pin-search.ts'
import { type LocationQuery, pageOf, readQuery } from './query.ts'

type Deps = {
  index: Pick<PinIndex, 'search'>
  results: Pick<PinResults, 'json' | 'texts'>
  search: PinSearch
  /** Reports what answered a search. */
  onSearch: (by: 'index' | 'database') => void
}
/** JSON or GeoJSON in bytes: Fastify would add a charset to a string, and GeoJSON has none. */
type Answer = { body: Uint8Array; next: string | undefined }

export type PinsAround = ReturnType<typeof pinsAround>

/**
 * Returns a page of the pins around a point: from the index in memory or, if that cannot answer, from the database.
 * @throws 400 for a cursor of another search
 */
export function pinsAround({ index, results, search, onSearch }: Deps) {
  return async (viewerId: string | undefined, request: LocationQuery): Promise<Answer> => {
    const { query, after } = readQuery(request)
    const write = (pins: TextPin[]) =>
      Buffer.from(request.format === 'json' ? pinsJson(pins, request.pose) : pinsGeoJson(pins, request.pose))
    const shown = after?.shown ?? 0
    const left = query.nearest === undefined ? Number.POSITIVE_INFINITY : query.nearest - shown
    if (left <= 0) return { body: write([]), next: undefined }
    // One more than the page shows: if it exists, there is a next page.
    const wanted = { ...query, viewerId, limit: Math.min(request.limit + 1, left), after }

    const held = index.search(wanted)
    if (held) {
      const { rows, next } = pageOf(query, held, request.limit, shown)
      const isCacheable = request.format === 'json' && !request.pose
      const body = isCacheable
        ? await results.json(rows)
        : await results.texts(rows).then((texts) => texts && write(texts))
      if (body) {
        onSearch('index')
        return { body, next }
      }
    }
    onSearch('database')
    const { rows, next } = pageOf(query, await search(wanted), request.limit, shown)
    return { body: write(rows), next }
  }
}
