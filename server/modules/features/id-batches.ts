import type { Wanted } from './query/conditions.ts'
import type { CollectionId } from './schema.ts'
import { BATCH_BYTES, bytesOf, type FeatureBatch, type FeatureStore, rowsIn } from './store.ts'

/** Features read at once, at first and at most: a page of ten thousand is never in memory as a whole. Zones may be large. */
const FIRST = { pins: 250, gcps: 250, zones: 50 } as const
export const BATCH = { pins: 1000, gcps: 1000, zones: 50 } as const

/** `passedOn`: the features are sent as the database writes them. */
type Asked = { wanted: Wanted; after: number; limit: number; passedOn: boolean }

/**
 * Features after an ID, in batches. The first one is read before the response begins; if more follow than BATCH, or if
 * it is cut, the others are read in the thread of large reads. @param few whether the features were counted
 */
export async function* idBatches(
  store: Pick<FeatureStore, 'page' | 'pageText'>,
  collection: CollectionId,
  { wanted, after, limit, passedOn }: Asked,
  few: boolean,
): AsyncGenerator<FeatureBatch, undefined, undefined> {
  let isLong = passedOn && limit > BATCH[collection] + 1
  let last = after
  let room: number = FIRST[collection]
  for (let left = limit; left > 0; ) {
    const size = Math.min(left, room)
    const read = last === after || !isLong ? store.page : store.pageText
    const batch: FeatureBatch = await read(collection, wanted, { after: last, limit: size, few })
    const rows = rowsIn(batch)
    if (rows.length > 0) yield batch
    const isCut = bytesOf(rows) >= BATCH_BYTES
    if (rows.length < size && !isCut) return
    isLong ||= passedOn && isCut
    // The database serialises features beyond BATCH_BYTES in vain, so the next batch has no more than fitted.
    room = isCut ? rows.length : Math.min(4 * room, BATCH[collection])
    last = rows.at(-1)!.id
    left -= rows.length
  }
}
