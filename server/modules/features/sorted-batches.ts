import type { Wanted } from './query/conditions.ts'
import type { SortedPlace, SortKey } from './query/sorting.ts'
import type { CollectionId } from './schema.ts'
import type { FeatureRow, FeatureStore } from './store.ts'

/** Features read at once. Zones may be large. */
const BATCH = { pins: 500, gcps: 500, zones: 25 }

type Asked = { wanted: Wanted; keys: SortKey[]; after: SortedPlace | undefined; limit: number }

/** Features in an order, in batches. @param places is given the place of each */
export async function* sortedBatches(
  store: Pick<FeatureStore, 'sorted' | 'ofIds'>,
  collection: CollectionId,
  { wanted, keys, after, limit }: Asked,
  places: Map<number, SortedPlace>,
): AsyncGenerator<FeatureRow[], undefined, undefined> {
  const found = await store.sorted(collection, wanted, { keys, after, limit })
  for (const place of found) places.set(place.id, place)
  for (let at = 0; at < found.length; at += BATCH[collection]) {
    const ids = found.slice(at, at + BATCH[collection]).map(({ id }) => id)
    const rows = new Map<number, FeatureRow>()
    for (let left = ids.toSorted((a, b) => a - b); left.length > 0; ) {
      const read = await store.ofIds(collection, left, wanted.properties)
      for (const row of read) rows.set(row.id, row)
      // They end with the one that fills a batch; deleted ones are not there.
      const last = read.at(-1)?.id
      left = last === undefined ? [] : left.filter((id) => id > last)
    }
    yield ids.flatMap((id) => rows.get(id) ?? [])
  }
}
