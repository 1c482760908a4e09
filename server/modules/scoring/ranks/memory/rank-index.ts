import { setImmediate as nextTurn } from 'node:timers/promises'
import { RankBlocks } from './rank-blocks.ts'

/**
 * The rank keys of one board, without player ids: enough to say how many stand above a key. A rank key is "higher is
 * better": the best score, or its negation where lower is better.
 *
 * Answers of two commits of one player may be handled in the other order, so a key may be taken out before it was put
 * in. Such a key is *owed*: the addition that follows pays it, and until then `above` counts it off. At rest nothing is
 * owed.
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

  /** The same, letting the event loop go on in between: millions of keys take a while. */
  static async fromSortedInTurns(sorted: Float64Array): Promise<RankIndex> {
    const filling = RankBlocks.filling(sorted)
    for (;;) {
      const { done, value } = filling.next()
      if (done) return new RankIndex(value)
      await nextTurn()
    }
  }

  /** How many keys the board has, those owed counted off. */
  get size(): number {
    return Math.max(0, this.#blocks.size - this.#owedInAll)
  }

  /** How many removals still wait for their addition. */
  get owed(): number {
    return this.#owedInAll
  }

  /** How many keys are better than `key`; never less than 0. The rank of that key is one more. */
  above(key: number): number {
    const counted = this.#blocks.above(key)
    return this.#owedInAll === 0 ? counted : Math.max(0, counted - this.#owedAbove(key))
  }

  /** The key at a place counted from the best (0). @returns undefined past the end */
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

  /** One player's best moved; null stands for "has none". */
  move(from: number | null, to: number | null): void {
    if (from === to) return
    if (from !== null) this.remove(from)
    if (to !== null) this.add(to)
  }

  /** The blocks within, for tests of what must hold. */
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
