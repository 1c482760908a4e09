import { setImmediate as nextTurn } from 'node:timers/promises'
import { RankBlocks } from './rank-blocks.ts'

/**
 * The rank keys of one board, without player IDs: counts how many are above a key. In a rank key, higher is better: it is
 * the best score, or its negation if lower is better.
 *
 * Responses of two commits of one player may be processed in reverse order, so a key may be removed before it is added. Such
 * a key is *owed*: the later addition settles it, and until then `above` subtracts it. At rest no key is owed.
 */
export class RankIndex {
  #blocks: RankBlocks
  #owed = new Map<number, number>()
  #owedInAll = 0

  private constructor(blocks: RankBlocks) {
    this.#blocks = blocks
  }

  /** @param sorted ascending finite keys; they are copied */
  static fromSorted(sorted: Float64Array = new Float64Array()): RankIndex {
    const filling = RankBlocks.filling(sorted)
    for (;;) {
      const { done, value } = filling.next()
      if (done) return new RankIndex(value)
    }
  }

  /** The same, but yields to the event loop: millions of keys take a while. */
  static async fromSortedInTurns(sorted: Float64Array): Promise<RankIndex> {
    const filling = RankBlocks.filling(sorted)
    for (;;) {
      const { done, value } = filling.next()
      if (done) return new RankIndex(value)
      await nextTurn()
    }
  }

  /** The number of keys, without owed ones. */
  get size(): number {
    return Math.max(0, this.#blocks.size - this.#owedInAll)
  }

  /** The number of removals that still wait for their addition. */
  get owed(): number {
    return this.#owedInAll
  }

  /** The number of keys better than `key`, at least 0. The rank of that key is one more. */
  above(key: number): number {
    const counted = this.#blocks.above(key)
    return this.#owedInAll === 0 ? counted : Math.max(0, counted - this.#owedAbove(key))
  }

  /** The key at a position from the best (0). @returns undefined past the end */
  keyAt(place: number): number | undefined {
    return place >= 0 && place < this.#blocks.size ? this.#blocks.at(this.#blocks.size - 1 - place) : undefined
  }

  add(key: number): void {
    const x = finite(key)
    const owed = this.#owedInAll === 0 ? undefined : this.#owed.get(x)
    if (owed === undefined) {
      this.#blocks.insert(x)
      return
    }
    this.#owedInAll--
    if (owed === 1) this.#owed.delete(x)
    else this.#owed.set(x, owed - 1)
  }

  remove(key: number): void {
    const x = finite(key)
    if (this.#blocks.delete(x)) return
    this.#owed.set(x, (this.#owed.get(x) ?? 0) + 1)
    this.#owedInAll++
  }

  /** Moves the best score of a player; null means none. */
  move(from: number | null, to: number | null): void {
    if (from === to) return
    if (from !== null) this.remove(from)
    if (to !== null) this.add(to)
  }

  /** The blocks, for tests of the invariants. */
  inspect() {
    return this.#blocks.inspect()
  }

  #owedAbove(key: number): number {
    let count = 0
    for (const [x, times] of this.#owed) if (x > key) count += times
    return count
  }
}

/** −0 becomes 0, so that equal keys are the same map entry. @throws RangeError for NaN and infinities: they have no rank */
function finite(key: number): number {
  if (!Number.isFinite(key)) throw new RangeError(`${key} is not a rank key`)
  return key + 0
}
