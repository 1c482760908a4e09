import { growArray } from './grow-array.ts'

/** Memory is taken in pieces of this size. */
const PIECE = 2 ** 20
/** A text that takes more of a chunk than this is not cached. */
const LARGEST = PIECE / 8
/** Texts begin at multiples of this, so that places fit into 32 bits. */
const STEP = 8

/**
 * Texts in bytes, by the slot of what they are about, in so much memory and no more. It is written piece after piece, round
 * and round: what is read moves to the front, and what was not read for a whole round goes.
 */
export function jsonCache(bytes: number) {
  const most = Math.floor(bytes / PIECE)
  const pieces: { memory: Buffer; slots: number[]; end: number }[] = []
  /** The piece that is written, and how many came before it. */
  let current = 0
  /** Of each slot where its text begins, in steps, 1 more than it is (0: there is none), and how long it is. */
  let places = new Uint32Array(64)
  let lengths = new Uint32Array(64)

  const pieceOf = (slot: number) => Math.floor(((places[slot]! - 1) * STEP) / PIECE)

  /** The next piece, what was in it forgotten. */
  function turn() {
    current = pieces.length < most ? pieces.length : (current + 1) % most
    pieces[current] ??= { memory: Buffer.allocUnsafeSlow(PIECE), slots: [], end: 0 }
    const piece = pieces[current]!
    for (const slot of piece.slots) if (places[slot]! > 0 && pieceOf(slot) === current) places[slot] = 0
    piece.slots = []
    piece.end = 0
  }

  function put(slot: number, text: Uint8Array) {
    if (text.length > LARGEST || most < 2) return
    if (!pieces[current] || pieces[current]!.end + text.length > PIECE) turn()
    const piece = pieces[current]!
    places = growArray(places, slot + 1)
    lengths = growArray(lengths, slot + 1)
    piece.memory.set(text, piece.end)
    places[slot] = (current * PIECE + piece.end) / STEP + 1
    lengths[slot] = text.length
    piece.slots.push(slot)
    piece.end = Math.ceil((piece.end + text.length) / STEP) * STEP
  }

  /** The bytes of a slot's text; valid until the next text is cached. */
  const view = (slot: number): Buffer => {
    const { memory } = pieces[pieceOf(slot)]!
    const start = ((places[slot]! - 1) * STEP) % PIECE
    return memory.subarray(start, start + lengths[slot]!)
  }

  return {
    put,
    view,
    has: (slot: number): boolean => (places[slot] ?? 0) > 0,
    length: (slot: number): number => lengths[slot]!,

    evict(slot: number) {
      if (slot < places.length) places[slot] = 0
    },

    /** Writes a slot's text. @returns where it ends */
    copy(slot: number, to: Buffer, at: number): number {
      const index = pieceOf(slot)
      const start = ((places[slot]! - 1) * STEP) % PIECE
      pieces[index]!.memory.copy(to, at, start, start + lengths[slot]!)
      return at + lengths[slot]!
    },

    /** Was read: it moves to the front if its piece comes in the older half of those that will be written over. */
    touch(slot: number) {
      if (pieces.length < most) return
      if ((pieceOf(slot) - current + most) % most > most / 2) return
      if (pieceOf(slot) !== current) put(slot, Buffer.from(view(slot)))
    },

    get bytes() {
      return pieces.length * PIECE + places.byteLength + lengths.byteLength
    },
  }
}
