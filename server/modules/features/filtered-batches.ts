import type { Wanted } from './query/conditions.ts'
import type { CollectionId } from './schema.ts'
import { BATCH_BYTES, type FeatureRow, type FeatureStore } from './store.ts'

/** IDs that one statement examines, and how many such statements a page may take. */
const WINDOW = { pins: 50_000, gcps: 50_000, zones: 2000 }
const WINDOWS = 20

type Asked = { wanted: Wanted; after: number; limit: number }

/**
 * Features after an ID that a filter selects, in batches. It examines IDs in windows, because few of them may match.
 * @returns where the page continues, if it has examined as many as it may
 */
export async function* filteredBatches(
  store: Pick<FeatureStore, 'lastId' | 'window'>,
  collection: CollectionId,
  { wanted, after, limit }: Asked,
): AsyncGenerator<FeatureRow[], number | undefined, undefined> {
  const end = await store.lastId(collection)
  let last = after
  let left = limit
  for (let looked = 0; last < end && left > 0; ) {
    if (looked === WINDOWS) return last
    const upTo = last + WINDOW[collection]
    const rows = await store.window(collection, wanted, { after: last, upTo, limit: left })
    if (rows.length > 0) yield rows
    left -= rows.length
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    const isCut = bytes >= BATCH_BYTES
    if (isCut) last = rows.at(-1)!.id
    else {
      last = upTo
      looked++
    }
  }
  return undefined
}
