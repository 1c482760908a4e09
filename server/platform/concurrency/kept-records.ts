import { LRUCache } from 'lru-cache'

type Deps<Record extends object> = {
  /** Memory of all records, by the estimate of `bytesOf`. Beyond it, those read least recently are discarded. */
  maxBytes: number
  bytesOf: (record: Record) => number
}
type Reading = { isOutdated: boolean }

export type KeptRecords<Record extends object> = ReturnType<typeof keptRecords<Record>>

/**
 * Keeps records in memory until they are forgotten: forget a record after a write to it is committed, before the write
 * is answered.
 */
export function keptRecords<Record extends object>({ maxBytes, bytesOf }: Deps<Record>) {
  const records = new LRUCache<string, Record>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const readings = new Map<string, Set<Reading>>()

  /** A record that is being read may arrive as it was before the write. */
  const outdate = (key: string) => {
    for (const reading of readings.get(key) ?? []) reading.isOutdated = true
  }

  async function load(key: string, read: () => Promise<Record | undefined>): Promise<Record | undefined> {
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
    read: async (key: string, read: () => Promise<Record | undefined>): Promise<Record | undefined> =>
      records.get(key) ?? load(key, read),

    forget(key: string): void {
      records.delete(key)
      outdate(key)
    },

    /** Forgets all whose keys start with this. */
    forgetAll(prefix = ''): void {
      for (const key of records.keys()) if (key.startsWith(prefix)) records.delete(key)
      for (const key of readings.keys()) if (key.startsWith(prefix)) outdate(key)
    },

    /** Estimated memory. */
    bytes: (): number => records.calculatedSize,
  }
}
