import type { Objects } from '../../../platform/storage/objects.ts'
import { readObjectInfo } from '../../../platform/storage/types/read-object-info.ts'
import type { Comparison, ListedObject, ObjectInventoryStore } from './object-inventory-store.ts'
import { ORPHAN_MS } from './orphans.ts'

/**
 * missing: a record without its object. unknown: an object without a record. size, hash: an object that differs from
 * its record.
 */
export type Fault = { fault: 'missing' | 'unknown' | 'size' | 'hash'; key: string; says: string }

const BATCH = 1000

/** Compares the stored objects with the database. */
export function storageCheck({ store, objects }: { store: ObjectInventoryStore; objects: Objects }) {
  const list = async (comparison: Comparison): Promise<number> => {
    let [count, batch] = [0, [] as ListedObject[]]
    for await (const object of objects.list()) {
      count++
      batch.push(object)
      if (batch.length < BATCH) continue
      await comparison.add(batch)
      batch = []
    }
    await comparison.add(batch)
    await comparison.allAdded()
    return count
  }

  async function* faults(comparison: Comparison, { hashes, olderThanMs }: Required<Options>): AsyncGenerator<Fault> {
    for await (const { key, table } of comparison.missing()) {
      // The object may have arrived, or its record been deleted, since the objects were listed.
      if ((await objects.size(key)) !== undefined || !(await comparison.isKnown(key))) continue
      yield { fault: 'missing', key, says: `the table ${table} refers to it, but the object is missing` }
    }
    for await (const { key, size, listed } of comparison.ofOtherSize())
      yield { fault: 'size', key, says: `${listed} bytes; its record says ${size}` }
    for await (const { key, size } of comparison.unknown(olderThanMs))
      yield { fault: 'unknown', key, says: `${size} bytes without a record` }
    if (!hashes) return
    for await (const { key, sha256 } of comparison.ofRightSize()) {
      const found = (await readObjectInfo(objects, key))?.sha256
      if (found !== undefined && found !== sha256)
        yield { fault: 'hash', key, says: `SHA-256 ${found}; its record says ${sha256}` }
    }
  }

  type Options = { hashes: boolean; olderThanMs?: number }

  /**
   * @param hashes also reads and hashes every file @param olderThanMs younger objects may not have their record yet
   * @param report called with each fault as it is found @returns the number of objects
   */
  return async ({ hashes, olderThanMs = ORPHAN_MS }: Options, report: (fault: Fault) => void): Promise<number> => {
    await objects.check()
    return store.compare(async (comparison) => {
      const count = await list(comparison)
      for await (const fault of faults(comparison, { hashes, olderThanMs })) report(fault)
      return count
    })
  }
}
