import type { CollectionId } from '../schema.ts'
import type { FeatureStore } from '../store.ts'

/** How long an answer is given again: a new point at the edge is seen a minute later. */
const KEPT_MS = 60_000

/** Where the features of each collection lie. However many ask, it is looked up once a minute. */
export function extents(store: Pick<FeatureStore, 'extent'>): FeatureStore['extent'] {
  const known = new Map<CollectionId, { until: number; extent: ReturnType<FeatureStore['extent']> }>()
  return (collection) => {
    const last = known.get(collection)
    const now = performance.now()
    if (last && last.until > now) return last.extent
    const extent = store.extent(collection)
    const entry = { until: now + KEPT_MS, extent }
    known.set(collection, entry)
    extent.catch(() => known.delete(collection))
    return extent
  }
}
