import type { PinIndex } from '../memory/pin-index.ts'
import type { PinResults } from '../memory/result-records.ts'
import { pinsGeoJson, pinsJson, type TextPin } from '../pin-json.ts'
import type { PinSearch } from './pin-search.ts'
import { type LocationQuery, pageOf, readQuery } from './query.ts'

type Deps = {
  index: Pick<PinIndex, 'search'>
  found: Pick<PinResults, 'json' | 'texts'>
  search: PinSearch
  /** Called for each search with what answered it. */
  onSearch: (by: 'index' | 'database') => void
}
/** Of JSON or GeoJSON, in bytes: a text would get a charset, which GeoJSON does not have. */
type Answer = { body: Uint8Array; next: string | undefined }

export type PinsAround = ReturnType<typeof pinsAround>

/** A page of the pins around a point: by the index in this process, or by the database where the index has no answer. @throws 400 for the cursor of another search */
export function pinsAround({ index, found, search, onSearch }: Deps) {
  return async (viewerId: string | undefined, asked: LocationQuery): Promise<Answer> => {
    const { query, after } = readQuery(asked)
    const write = (pins: TextPin[]) =>
      Buffer.from(asked.format === 'json' ? pinsJson(pins, asked.pose) : pinsGeoJson(pins, asked.pose))
    const shown = after?.shown ?? 0
    const left = query.nearest === undefined ? Number.POSITIVE_INFINITY : query.nearest - shown
    if (left <= 0) return { body: write([]), next: undefined }
    // One more than is shown: then there is a next page.
    const wanted = { ...query, viewerId, limit: Math.min(asked.limit + 1, left), after }

    const held = index.search(wanted)
    if (held) {
      const { rows, next } = pageOf(query, held, asked.limit, shown)
      const isKept = asked.format === 'json' && !asked.pose
      const body = isKept ? await found.json(rows) : await found.texts(rows).then((texts) => texts && write(texts))
      if (body) {
        onSearch('index')
        return { body, next }
      }
    }
    onSearch('database')
    const { rows, next } = pageOf(query, await search(wanted), asked.limit, shown)
    return { body: write(rows), next }
  }
}
