/** A hash table from IDs to slots: open addressing with linear probing, four bytes per entry, at most half full. */
export function idTable(idOf: (slot: number) => number) {
  /** The slot plus 1; 0: free. */
  let places = new Int32Array(64)
  let size = 0

  /** The index of an ID's entry, or of the free entry where it belongs. */
  function find(id: number): number {
    const mask = places.length - 1
    for (let at = hashOf(id) & mask; ; at = (at + 1) & mask) {
      const held = places[at]!
      if (held === 0 || idOf(held - 1) === id) return at
    }
  }

  function grow() {
    const before = places
    places = new Int32Array(before.length * 2)
    for (const held of before) if (held !== 0) places[find(idOf(held - 1))] = held
  }

  return {
    get size() {
      return size
    },
    get bytes() {
      return places.byteLength
    },

    /** @returns the slot of an ID, or -1 */
    get: (id: number): number => places[find(id)]! - 1,

    /** Adds an ID that is not in the table. Its slot must already hold it (`idOf`). */
    add(id: number, slot: number) {
      if ((size + 1) * 2 > places.length) grow()
      places[find(id)] = slot + 1
      size++
    },

    /** Removes an ID. Its slot must still hold it (`idOf`). */
    remove(id: number) {
      const mask = places.length - 1
      let hole = find(id)
      if (places[hole] === 0) return
      size--
      // Move up entries that the removed one displaced (Knuth, vol. 3, 6.4, algorithm R).
      for (let at = (hole + 1) & mask; places[at] !== 0; at = (at + 1) & mask) {
        const home = hashOf(idOf(places[at]! - 1)) & mask
        if (((at - home) & mask) < ((at - hole) & mask)) continue
        places[hole] = places[at]!
        hole = at
      }
      places[hole] = 0
    },
  }
}

/** Spreads consecutive IDs: the finaliser of MurmurHash3, on both halves. */
function hashOf(id: number): number {
  let hash = (id | 0) ^ Math.imul(Math.floor(id / 2 ** 32), 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
