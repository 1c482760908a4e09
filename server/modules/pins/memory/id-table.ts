/** Where each record is held, by its id: open addressing with linear probing, four bytes a place, at most half full. */
export function idTable(idOf: (slot: number) => number) {
  /** Slots, 1 more than they are; 0 is free. */
  let places = new Int32Array(64)
  let size = 0

  /** The place of an id, or the free one where it would be. */
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

    /** @returns its slot, or -1 */
    get: (id: number): number => places[find(id)]! - 1,

    /** For an id that is not there yet, and is already in its slot. */
    add(id: number, slot: number) {
      if ((size + 1) * 2 > places.length) grow()
      places[find(id)] = slot + 1
      size++
    },

    /** While the id is still in its slot. */
    remove(id: number) {
      const mask = places.length - 1
      let hole = find(id)
      if (places[hole] === 0) return
      size--
      // Those behind that were pushed on by it move up (Knuth, vol. 3, 6.4, algorithm R).
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

/** Spreads ids that follow each other: the finaliser of MurmurHash3 on both halves. */
function hashOf(id: number): number {
  let hash = (id | 0) ^ Math.imul(Math.floor(id / 2 ** 32), 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
