import { LRUCache } from 'lru-cache'

type Deps<Item extends object> = {
  /** Memory of all records, by the estimate of `bytesOf`. Beyond it, those read least recently are discarded. */
  maxBytes: number
  bytesOf: (record: Item) => number
}
type Reading = { isOutdated: boolean }

export type KeptRecords<Item extends object> = ReturnType<typeof keptRecords<Item>>

/**
 * Keeps records in memory until they are forgotten: forget a record after a write to it is committed, before the write
 * is answered.
 */
export function keptRecords<Item extends object>({ maxBytes, bytesOf }: Deps<Item>) {
  const records = new LRUCache<string, Item>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const readings = new Map<string, Set<Reading>>()

  /** A record that is being read may arrive as it was before the write. */
  const outdate = (key: string) => {
    for (const reading of readings.get(key) ?? []) reading.isOutdated = true
  }

  async function load(key: string, read: () => Promise<Item | undefined>): Promise<Item | undefined> {
    const reading = { isOutdated: false }
    const same = readings.get(key) ?? new Set()
    readings.set(key, same.add(reading))
    try {
      const record = await read()
      if (record && !reading.isOutdated) records.set(key, record)
      return record
    } finally {
      same.delete(reading)
      if (same.size === 0) readings.delete(key)
    }
  }

  return {
    /** The record from memory, or else what `read` returns. Callers must not change it. */
    read: async (key: string, read: () => Promise<Item | undefined>): Promise<Item | undefined> =>
      records.get(key) ?? load(key, read),

    forget(key: string): void {
      records.delete(key)
      outdate(key)
    },

    /** Forgets all whose keys start with this: looks at every key. */
    forgetAll(prefix: string): void {
      for (const key of records.keys()) if (key.startsWith(prefix)) records.delete(key)
      for (const key of readings.keys()) if (key.startsWith(prefix)) outdate(key)
    },

    /** Estimated memory. */
    bytes: (): number => records.calculatedSize,
  }
}
