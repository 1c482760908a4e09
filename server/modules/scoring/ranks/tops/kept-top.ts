import type { BoardChange } from '../rank-provider.ts'

/** Where an entry stands: its rank key (higher is better), when it was reached (as PostgreSQL writes it in UTC), and its player. */
export type Place = { rankKey: number; achievedAt: string; playerId: string }

/** The best entries of a board, as SQL reads them. Lists are texts with commas between, in the order of the board. */
export type TopText = {
  /** JSON of the entries. */
  entries: string
  /** The length of each entry in bytes. */
  sizes: string
  rankKeys: string
  achievedAts: string
  playerIds: string
  /** Whether the board has more entries. */
  hasMore: boolean
}

/** The place of the last entry, if the board has more. */
export function lastPlace({ rankKeys, achievedAts, playerIds, hasMore }: TopText): Place | undefined {
  if (!hasMore) return undefined
  const last = (list: string) => list.slice(list.lastIndexOf(',') + 1)
  return { rankKey: Number(last(rankKeys)), achievedAt: last(achievedAts), playerId: last(playerIds) }
}

/** What may have changed an entry: a write to the board, or another name, image or user of a player. */
export type TopChange = Pick<BoardChange, 'playerId' | 'from' | 'to'> | { playerId: string }

/** Measured: the texts of a place, its position, and the end of its entry. */
const BYTES_OF_PLACE = 300
/** Of the text: itself, and what was last sent of it, as it is and compressed. */
const COPIES = 3

/** The best entries, and the place of the last one if the board has more. */
type Best = { entries: Buffer; last: Place | undefined }

/**
 * The best entries of a board as JSON, as long as nothing has changed them. A change cuts off the entries from the first
 * one that it may have moved or rewritten: those before it are still the best of the board, with the same ranks.
 */
export class KeptTop {
  #text: Buffer
  /** The end of each entry in the text. */
  #ends: Uint32Array
  #rankKeys: Float64Array
  #achievedAts: string[]
  #playerIds: string[]
  #positions: Map<string, number>
  /** How many entries are valid. */
  #length: number
  /** What follows the last valid entry. */
  #after: 'nothing' | 'entries' | 'unknown'
  /** What was last shown: the same buffer as long as it is valid, so that its reader can keep what it made of it. */
  #shown: { limit: number; best: Best } | undefined

  constructor({ entries, sizes, rankKeys, achievedAts, playerIds, hasMore }: TopText) {
    this.#text = Buffer.from(entries)
    this.#playerIds = listOf(playerIds)
    this.#achievedAts = listOf(achievedAts)
    this.#rankKeys = Float64Array.from(listOf(rankKeys), Number)
    this.#length = this.#playerIds.length
    this.#positions = new Map(this.#playerIds.map((id, position) => [id, position]))
    this.#ends = new Uint32Array(this.#length)
    let end = -1 // no comma before the first
    listOf(sizes).forEach((size, i) => {
      end += 1 + Number(size)
      this.#ends[i] = end
    })
    this.#after = hasMore ? 'entries' : 'nothing'
  }

  /** Memory, with the texts of its places and what readers keep. */
  get bytes(): number {
    return COPIES * this.#text.length + BYTES_OF_PLACE * this.#playerIds.length
  }

  /** The best `limit` entries; undefined if they are not known, or whether the board has more. Equal calls return the same object until a change. */
  best(limit: number): Best | undefined {
    if (this.#shown?.limit === limit) return this.#shown.best
    const best = this.#find(limit)
    if (best) this.#shown = { limit, best }
    return best
  }

  #find(limit: number): Best | undefined {
    if (limit < this.#length || (limit === this.#length && this.#after === 'entries'))
      return { entries: this.#first(limit), last: this.#placeAt(limit - 1) }
    return this.#after === 'nothing' ? { entries: this.#first(this.#length), last: undefined } : undefined
  }

  /** Applies a committed change; call it before the write is acknowledged. The order of changes does not matter. */
  apply(change: TopChange): void {
    const position = this.#positions.get(change.playerId.toLowerCase()) ?? this.#length
    const isMove = 'to' in change && (change.from !== null || change.to !== null)
    const to = isMove ? change.to : null
    const reached = Math.min(position, to === null ? this.#length : this.#firstNotBetterThan(to))
    if (reached < this.#length) this.#cut(reached)
    // Below the kept entries one was added or removed, or may have been.
    else if (isMove && (to === null || this.#after === 'nothing')) this.#cut(this.#length)
  }

  #cut(length: number): void {
    this.#length = length
    this.#after = 'unknown'
    if (this.#shown && this.#shown.limit >= length) this.#shown = undefined
  }

  /** Equal scores are ordered by when they were reached, which may lie before that of a score written earlier. */
  #firstNotBetterThan(rankKey: number): number {
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#rankKeys[middle]! > rankKey) low = middle + 1
      else high = middle
    }
    return low
  }

  #first(entries: number): Buffer {
    return this.#text.subarray(0, entries === 0 ? 0 : this.#ends[entries - 1])
  }

  #placeAt(position: number): Place {
    return {
      rankKey: this.#rankKeys[position]!,
      achievedAt: this.#achievedAts[position]!,
      playerId: this.#playerIds[position]!,
    }
  }
}

const listOf = (text: string): string[] => (text === '' ? [] : text.split(','))
