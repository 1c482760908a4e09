import type { Wanted } from './query/conditions.ts'
import type { CollectionId } from './schema.ts'
import { BATCH_BYTES, bytesOf, type FeatureBatch, type FeatureStore, rowsIn } from './store.ts'

/** Features read at once, at first and at most: a page of ten thousand is never in memory as a whole. Zones may be large. */
const FIRST = { pins: 250, gcps: 250, zones: 50 } as const
export const BATCH = { pins: 1000, gcps: 1000, zones: 50 } as const

/** `isText`: the features are only passed on. */
type Asked = { wanted: Wanted; after: number; limit: number; isText: boolean }

/**
 * Features after an ID, in batches. The first one is read before the response begins; if more follow than BATCH, or if
 * it is cut, the others are read in the thread of large reads. @param few whether the features were counted
 */
export async function* idBatches(
  store: Pick<FeatureStore, 'page' | 'idsOf' | 'textOf'>,
  collection: CollectionId,
  { wanted, after, limit, isText }: Asked,
  few: boolean,
): AsyncGenerator<FeatureBatch, undefined, undefined> {
  let isLong = isText && limit > BATCH[collection] + 1
  const read = async (place: { after: number; limit: number; few: boolean }) => {
    if (place.after === after || !isLong) {
      const batch = await store.page(collection, wanted, place)
      return { batch, found: batch.map(({ id }) => id) }
    }
    const found = await store.idsOf(collection, wanted, place)
    return { batch: await store.textOf(collection, found, wanted.properties), found }
  }
  let last = after
  let room: number = FIRST[collection]
  for (let left = limit; left > 0; ) {
    const size = Math.min(left, room)
    const { batch, found } = await read({ after: last, limit: size, few })
    const rows = rowsIn(batch)
    if (rows.length > 0) yield batch
    const isCut = bytesOf(rows) >= BATCH_BYTES
    if (found.length < size && !isCut) return
    isLong ||= isText && isCut
    // The database serialises features beyond BATCH_BYTES in vain, so the next batch has no more than fitted.
    room = isCut ? rows.length : Math.min(4 * room, BATCH[collection])
    // Of those found some may be deleted before they are read.
    last = isCut ? rows.at(-1)!.id : found.at(-1)!
    left -= rows.length
  }
}
