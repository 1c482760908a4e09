import { hash } from 'node:crypto'

/** Initial number of slots; a slot has three words of the key's SHA-256 and the row, 16 bytes in all. */
const FIRST_SLOTS = 1024
const WORDS = 4
const FULLEST = 0.8

/**
 * Maps each key to its first row. Stores 96 bits of SHA-256 instead of the key: 4 MB for 200,000 rows outside the heap,
 * whatever the length of keys.
 */
export function rowDedup() {
  let slots = FIRST_SLOTS
  let table = new Uint32Array(slots * WORDS)
  let size = 0

  /** The slot of a hash, or the free one for it. */
  const slotOf = (a: number, b: number, c: number): number => {
    for (let slot = a % slots; ; slot = (slot + 1) % slots) {
      const at = slot * WORDS
      if (table[at + 3] === 0 || (table[at] === a && table[at + 1] === b && table[at + 2] === c)) return at
    }
  }
  const put = (a: number, b: number, c: number, row: number) => table.set([a, b, c, row], slotOf(a, b, c))

  const grow = () => {
    const before = table
    slots *= 2
    table = new Uint32Array(slots * WORDS)
    for (let at = 0; at < before.length; at += WORDS)
      if (before[at + 3] !== 0) put(before[at]!, before[at + 1]!, before[at + 2]!, before[at + 3]!)
  }

  return {
    /** The number of keys. */
    get size() {
      return size
    },

    /** @param row from 1. @returns the row that had the key before; undefined for a new key, which is stored */
    earlier(key: string, row: number): number | undefined {
      const digest = hash('sha256', key, 'buffer')
      const [a, b, c] = [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8)]
      const found = table[slotOf(a, b, c) + 3]!
      if (found > 0) return found
      size++
      if (size > slots * FULLEST) grow()
      put(a, b, c, row)
      return undefined
    },
  }
}
