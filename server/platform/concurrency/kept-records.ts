import { LRUCache } from 'lru-cache'

type Deps<Item extends object> = {
  /** Memory of all records, by the estimate of `bytesOf`. Beyond it, those read least recently are discarded. */
  maxBytes: number
  bytesOf: (record: Item) => number
}
export type KeptRecords<Item extends object> = ReturnType<typeof keptRecords<Item>>

/**
 * Keeps records in memory until they are forgotten: forget a record after a write to it is committed, before the write
 * is answered.
 */
export function keptRecords<Item extends object>({ maxBytes, bytesOf }: Deps<Item>) {
  const records = new LRUCache<string, Item>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  /** The last read of each record that is being read. */
  const readings = new Map<string, symbol>()

  async function load(key: string, read: () => Promise<Item | undefined>): Promise<Item | undefined> {
    const reading = Symbol(key)
    const isLast = () => readings.get(key) === reading
    readings.set(key, reading)
    try {
      const record = await read()
      // A record that was forgotten meanwhile may have arrived as it was before the write.
      if (record && isLast()) records.set(key, record)
      return record
    } finally {
      if (isLast()) readings.delete(key)
    }
  }

  return {
    /** The record from memory, or else what `read` returns. Callers must not change it. */
    read: async (key: string, read: () => Promise<Item | undefined>): Promise<Item | undefined> =>
      records.get(key) ?? load(key, read),

    forget(key: string): void {
      records.delete(key)
      readings.delete(key)
    },

    /** Forgets all whose keys start with this: looks at every key. */
    forgetAll(prefix: string): void {
      for (const kept of [records, readings])
        for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key)
    },

    /** Estimated memory. */
    bytes: (): number => records.calculatedSize,
  }
}
