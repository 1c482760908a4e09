import { openPinJson, type TextPin } from '../pin-json.ts'
import type { PinIndexStore, PinRecord } from './index-store.ts'
import { jsonCache } from './json-cache.ts'
import type { IndexedResult } from './memory-search.ts'
import type { PinIndex } from './pin-index.ts'

const OPEN = '{"pins":['
const CLOSE = ']}'
/** Ends each cached text; the distance follows. */
const DISTANCE = ',"distance":'
/** Maximum length of a distance, the closing brace and a comma. */
const DISTANCE_BYTES = 27

type Deps = { index: Pick<PinIndex, 'pins' | 'watch'>; store: Pick<PinIndexStore, 'records'>; bytes: number }

export type PinResults = ReturnType<typeof pinResults>

/** The records of pins that the index found: from a cache of JSON, otherwise from the database. @param bytes the size of the cache */
export function pinResults({ index, store, bytes }: Deps) {
  let kept = jsonCache(bytes)
  const ongoingReads = new Set<Set<number>>()
  index.watch((ids) => {
    if (!ids) {
      kept = jsonCache(bytes)
      for (const stale of ongoingReads) stale.add(0)
      return
    }
    for (const id of ids) {
      const slot = index.pins?.slotOf(id) ?? -1
      if (slot >= 0) kept.evict(slot)
      for (const stale of ongoingReads) stale.add(id)
    }
  })

  /** Reads records. @returns undefined if a pin changed during the read, or the index does not have its latest state yet */
  async function recordsOf(found: IndexedResult[]): Promise<PinRecord[] | undefined> {
    const stale = new Set<number>()
    ongoingReads.add(stale)
    try {
      const records = await store.records(found.map(({ id }) => id))
      const { pins } = index
      const known = found.map(({ id, slot }) => {
        const record = records.get(id)
        return pins && record && !stale.has(id) && pins.holds(slot, record.indexed) ? record : undefined
      })
      return stale.has(0) || !known.every((record) => record !== undefined) ? undefined : known
    } finally {
      ongoingReads.delete(stale)
    }
  }

  return {
    get bytes() {
      return kept.bytes
    },

    /** @returns undefined if the database must be searched */
    async texts(found: IndexedResult[]): Promise<TextPin[] | undefined> {
      if (found.length === 0) return []
      const records = await recordsOf(found)
      return records?.map(({ texts }, at) => ({ texts, metres: found[at]!.metres }))
    },

    /** The response `{"pins": […]}`. @returns undefined if the database must be searched */
    async json(found: IndexedResult[]): Promise<Buffer | undefined> {
      const missing = found.filter(({ slot }) => !kept.has(slot))
      if (missing.length === 0) return written(found, (slot) => kept.length(slot), kept.copy, kept.touch)
      // Cached records may be evicted while the rest is read.
      const texts = new Map<number, Buffer>()
      for (const { slot } of found) if (kept.has(slot)) texts.set(slot, Buffer.from(kept.view(slot)))
      const records = await recordsOf(missing)
      if (!records) return undefined
      for (const [at, { slot }] of missing.entries()) {
        const text = Buffer.from(openPinJson(records[at]!.texts) + DISTANCE)
        texts.set(slot, text)
        kept.put(slot, text)
      }
      const copy = (slot: number, to: Buffer, at: number) => at + texts.get(slot)!.copy(to, at)
      return written(found, (slot) => texts.get(slot)!.length, copy)
    },
  }
}

/** Assembles the response from the texts of its pins. */
function written(
  found: IndexedResult[],
  lengthOf: (slot: number) => number,
  copy: (slot: number, to: Buffer, at: number) => number,
  touch?: (slot: number) => void,
): Buffer {
  let length = OPEN.length + CLOSE.length
  for (const { slot } of found) length += lengthOf(slot) + DISTANCE_BYTES
  const to = Buffer.allocUnsafe(length)
  let at = writeAscii(to, OPEN, 0)
  for (let place = 0; place < found.length; place++) {
    if (place > 0) to[at++] = COMMA
    at = copy(found[place]!.slot, to, at)
    at = writeAscii(to, String(found[place]!.metres), at)
    to[at++] = CLOSING_BRACE
  }
  at = writeAscii(to, CLOSE, at)
  if (touch) for (const { slot } of found) touch(slot)
  return to.subarray(0, at)
}

const COMMA = 0x2c
const CLOSING_BRACE = 0x7d

/** For a few characters, ten times as fast as Buffer.write. @returns where they end */
function writeAscii(to: Buffer, text: string, at: number): number {
  for (let i = 0; i < text.length; i++) to[at + i] = text.charCodeAt(i)
  return at + text.length
}
