import { growArray } from './grow-array.ts'

/** Memory is allocated in pieces of this size. */
const PIECE = 2 ** 20
/** Longer texts are not cached. */
const LARGEST = PIECE / 8
/** Texts begin at multiples of this, so that offsets fit into 32 bits. */
const STEP = 8

/**
 * A cache of JSON texts, by slot, in at most `bytes` of memory. It is a ring of pieces: a new text goes into the current
 * piece, a text that is read moves there too, and one that is not read for a whole round is overwritten.
 */
export function jsonCache(bytes: number) {
  const most = Math.floor(bytes / PIECE)
  const pieces: { memory: Buffer; slots: number[]; end: number }[] = []
  /** The index of the piece that is being written. */
  let current = 0
  /** For each slot: where its text begins, in steps, plus 1 (0: none), and its length. */
  let places = new Uint32Array(64)
  let lengths = new Uint32Array(64)

  const pieceOf = (slot: number) => Math.floor(((places[slot]! - 1) * STEP) / PIECE)

  /** Moves to the next piece and discards its contents. */
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

    /** Copies a slot's text. @returns where it ends */
    copy(slot: number, to: Buffer, at: number): number {
      const index = pieceOf(slot)
      const start = ((places[slot]! - 1) * STEP) % PIECE
      pieces[index]!.memory.copy(to, at, start, start + lengths[slot]!)
      return at + lengths[slot]!
    },

    /** Marks a text as read: it moves to the current piece if its own is in the half that is overwritten next. */
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
