import { Fenwick } from './fenwick.ts'
import { lowerBound, upperBound } from './sorted-search.ts'

/** Maximum number of keys in a block; a full one is split in half. */
export const blockLimit = 1024
/** Initial size of the first block of a small board; it doubles up to the limit. */
const firstBlock = 8
/** A block with fewer keys is merged with a neighbour if possible. */
export const mergeBelow = 256
/** Maximum size of a merged block: it leaves room to grow, so that a merge is not followed by a split. */
const mergeUpTo = 768
/** Fill level of a bulk load: less than 9 bytes a key in all, with room before the first split. */
const loadFill = 960
/** Blocks filled without a pause, in about 10 ms. */
const blocksATurn = 512

/**
 * A multiset of finite numbers in ascending blocks. Three parallel arrays (block, count, last value) and a Fenwick tree over
 * the counts: finding a block is a binary search over the last values, counting before it a prefix sum.
 *
 * Invariants: no block is empty, keys ascend within and across blocks, and no two neighbours are both under
 * {@link mergeBelow}.
 */
export class RankBlocks {
  #blocks: Float64Array[] = []
  #counts = new Int32Array(4)
  #last = new Float64Array(4)
  #length = 0
  #size = 0
  #before = new Fenwick()

  /** Copies ascending keys. Yields after every few hundred blocks, so that a large load does not block the event loop. */
  static *filling(sorted: Float64Array): Generator<void, RankBlocks> {
    const made = new RankBlocks()
    const blocks = Math.ceil(sorted.length / loadFill)
    made.#counts = new Int32Array(blocks + 4)
    made.#last = new Float64Array(blocks + 4)
    for (let b = 0; b < blocks; b++) {
      // Equal shares, so that the last block is not small.
      const from = Math.floor((b * sorted.length) / blocks)
      const to = Math.floor(((b + 1) * sorted.length) / blocks)
      const block = new Float64Array(blocks > 1 ? blockLimit : capacityFor(to - from))
      for (let i = from; i < to; i++) block[i - from] = sorted[i]! + 0 // −0 becomes 0
      made.#blocks.push(block)
      made.#counts[b] = to - from
      made.#last[b] = block[to - from - 1]!
      if (b % blocksATurn === blocksATurn - 1) yield
    }
    made.#length = blocks
    made.#size = sorted.length
    made.#before.rebuild(made.#counts, blocks)
    return made
  }

  get size(): number {
    return this.#size
  }

  /** The number of keys greater than `x`. */
  above(x: number): number {
    const last = this.#last
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (last[middle]! > x) high = middle
      else low = middle + 1
    }
    if (low === this.#length) return 0
    return this.#size - this.#before.before(low) - upperBound(this.#blocks[low]!, this.#counts[low]!, x)
  }

  /** The key at a position in ascending order. @param position 0 to size − 1 */
  at(position: number): number {
    let low = 0
    let high = this.#length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#before.before(middle) <= position) low = middle
      else high = middle - 1
    }
    return this.#blocks[low]![position - this.#before.before(low)]!
  }

  insert(x: number): void {
    if (this.#length === 0) this.#open()
    let at = Math.min(this.#firstReaching(x), this.#length - 1)
    if (this.#counts[at] === this.#blocks[at]!.length) {
      if (this.#blocks[at]!.length < blockLimit) this.#grow(at)
      else {
        this.#split(at)
        if (x > this.#last[at]!) at++
      }
    }
    const block = this.#blocks[at]!
    const count = this.#counts[at]!
    const place = upperBound(block, count, x)
    block.copyWithin(place + 1, place, count)
    block[place] = x
    this.#counts[at] = count + 1
    if (place === count) this.#last[at] = x
    this.#size++
    this.#before.add(at, 1)
  }

  /** Removes one `x`. @returns false if there is none */
  delete(x: number): boolean {
    const at = this.#firstReaching(x)
    if (at === this.#length) return false
    const block = this.#blocks[at]!
    const count = this.#counts[at]!
    const place = lowerBound(block, count, x)
    if (block[place] !== x) return false
    block.copyWithin(place, place + 1, count)
    this.#counts[at] = count - 1
    this.#size--
    this.#before.add(at, -1)
    if (count === 1) this.#drop(at)
    else {
      if (place === count - 1) this.#last[at] = block[count - 2]!
      if (count - 1 < mergeBelow) this.#merge(at)
    }
    return true
  }

  /** The blocks, for tests of the invariants: keys, last value, and the prefix sum before each. */
  *inspect(): Generator<{ keys: Float64Array; last: number; before: number }> {
    for (let b = 0; b < this.#length; b++) {
      yield {
        keys: this.#blocks[b]!.subarray(0, this.#counts[b]),
        last: this.#last[b]!,
        before: this.#before.before(b),
      }
    }
  }

  /** Position of the first block whose last value is at least `x`; the number of blocks if there is none. */
  #firstReaching(x: number): number {
    return lowerBound(this.#last, this.#length, x)
  }

  #open(): void {
    this.#blocks.push(new Float64Array(firstBlock))
    this.#counts[0] = 0
    this.#last[0] = Number.POSITIVE_INFINITY // overwritten by the insertion that follows: an empty block has no last value
    this.#length = 1
    this.#before.rebuild(this.#counts, 1)
  }

  #grow(at: number): void {
    const larger = new Float64Array(this.#blocks[at]!.length * 2)
    larger.set(this.#blocks[at]!)
    this.#blocks[at] = larger
  }

  #split(at: number): void {
    const left = this.#blocks[at]!
    const right = new Float64Array(blockLimit)
    const half = blockLimit / 2
    right.set(left.subarray(half))
    if (this.#length === this.#last.length) {
      this.#counts = widened(this.#counts, new Int32Array(this.#length * 2))
      this.#last = widened(this.#last, new Float64Array(this.#length * 2))
    }
    this.#blocks.splice(at + 1, 0, right)
    this.#counts.copyWithin(at + 1, at, this.#length)
    this.#last.copyWithin(at + 1, at, this.#length)
    this.#counts[at] = half
    this.#counts[at + 1] = blockLimit - half
    this.#last[at] = left[half - 1]!
    this.#length++
    this.#before.rebuild(this.#counts, this.#length)
  }

  #merge(at: number): void {
    const left = at > 0 ? this.#counts[at - 1]! : Number.POSITIVE_INFINITY
    const right = at + 1 < this.#length ? this.#counts[at + 1]! : Number.POSITIVE_INFINITY
    if (this.#counts[at]! + Math.min(left, right) > mergeUpTo) return
    const into = left <= right ? at - 1 : at
    const count = this.#counts[into]!
    const joined = count + this.#counts[into + 1]!
    if (this.#blocks[into]!.length < joined) {
      this.#blocks[into] = widened(this.#blocks[into]!, new Float64Array(blockLimit))
    }
    this.#blocks[into]!.set(this.#blocks[into + 1]!.subarray(0, joined - count), count)
    this.#counts[into] = joined
    this.#last[into] = this.#last[into + 1]!
    this.#drop(into + 1)
  }

  #drop(at: number): void {
    this.#blocks.splice(at, 1)
    this.#counts.copyWithin(at, at + 1, this.#length)
    this.#last.copyWithin(at, at + 1, this.#length)
    this.#length--
    this.#before.rebuild(this.#counts, this.#length)
  }
}

function capacityFor(keys: number): number {
  let capacity = firstBlock
  while (capacity < keys) capacity *= 2
  return capacity
}

function widened<T extends Float64Array | Int32Array>(from: T, into: T): T {
  into.set(from)
  return into
}
