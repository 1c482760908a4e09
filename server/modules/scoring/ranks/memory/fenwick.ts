/**
 * Prefix sums over block counts: a Fenwick tree (Fenwick 1994, "A New Data Structure for Cumulative Frequency Tables").
 * `add` and `before` take O(log n) steps. When blocks are added or removed the caller rebuilds it, which is linear and rare.
 */
export class Fenwick {
  #sums = new Int32Array(17)
  #length = 0

  /** Loads the first `length` counts. */
  rebuild(counts: ArrayLike<number>, length: number): void {
    if (this.#sums.length <= length) this.#sums = new Int32Array(2 * length + 1)
    const sums = this.#sums
    this.#length = length
    for (let i = 1; i <= length; i++) sums[i] = counts[i - 1]!
    for (let i = 1; i <= length; i++) {
      const parent = i + (i & -i)
      if (parent <= length) sums[parent]! += sums[i]!
    }
  }

  /** Adds `change` to the count at `position` (from 0). */
  add(position: number, change: number): void {
    const sums = this.#sums
    for (let i = position + 1; i <= this.#length; i += i & -i) sums[i]! += change
  }

  /** The sum of the counts at positions 0 to `position` − 1. */
  before(position: number): number {
    const sums = this.#sums
    let sum = 0
    for (let i = position; i > 0; i -= i & -i) sum += sums[i]!
    return sum
  }
}
