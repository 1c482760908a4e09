import { setImmediate as breathe } from 'node:timers/promises'
import { codeOf } from './mercator.ts'

/** A point of a layer. `key` names it within the layer. */
export type Point = { key: number; x: number; y: number }

/** Bytes of a point: code, key, place, and its entry in the list by key. */
export const BYTES_A_POINT = 8 + 8 + 16 + 8 + 4

const RADIX_BITS = 13
const BUCKETS = 2 ** RADIX_BITS
const MASK = BUCKETS - 1
const HALF = BUCKETS ** 2
/** Points sorted before other work may run: about a millisecond. */
const STRETCH = 100_000

export type SortedPoints = Awaited<ReturnType<typeof sortPoints>>

/** Points along the Z-order curve. The points of a tile are a range of it. */
export async function sortPoints(points: Iterable<Point>, count: number) {
  const [codes, keys, places] = [new Float64Array(count), new Float64Array(count), new Float64Array(2 * count)]
  let filled = 0
  for (const { key, x, y } of points) {
    codes[filled] = codeOf({ x, y })
    keys[filled] = key
    places[2 * filled] = x
    places[2 * filled + 1] = y
    if (++filled % STRETCH === 0) await breathe()
  }
  const order = await orderOf(codes)
  const sorted = { codes: new Float64Array(count), keys: new Float64Array(count), places: new Float64Array(2 * count) }
  for (let at = 0; at < count; at++) {
    const from = order[at]!
    sorted.codes[at] = codes[from]!
    sorted.keys[at] = keys[from]!
    sorted.places[2 * at] = places[2 * from]!
    sorted.places[2 * at + 1] = places[2 * from + 1]!
    if (at % STRETCH === 0) await breathe()
  }
  const byKey = await orderOf(sorted.keys)

  /** The first index whose code is not below. */
  const indexOf = (code: number): number => {
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sorted.codes[middle]! < code) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    count,
    indexOf,
    at: (index: number): Point => ({
      key: sorted.keys[index]!,
      x: sorted.places[2 * index]!,
      y: sorted.places[2 * index + 1]!,
    }),
    code: (index: number): number => sorted.codes[index]!,
    /** The index of a point; -1 if it is not there. */
    find(key: number): number {
      let [low, high] = [0, count]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (sorted.keys[byKey[middle]!]! < key) low = middle + 1
        else high = middle
      }
      return low < count && sorted.keys[byKey[low]!] === key ? byKey[low]! : -1
    },
  }
}

/** The order of whole numbers below 2^52, by radix sort. */
async function orderOf(values: Float64Array): Promise<Uint32Array> {
  const count = values.length
  const [high, low] = [new Uint32Array(count), new Uint32Array(count)]
  let [order, next] = [new Uint32Array(count), new Uint32Array(count)]
  for (let at = 0; at < count; at++) {
    high[at] = Math.floor(values[at]! / HALF)
    low[at] = values[at]! % HALF
    order[at] = at
  }
  for (const half of [low, high])
    for (const shift of [0, RADIX_BITS]) {
      await breathe()
      const starts = new Uint32Array(BUCKETS + 1)
      for (let at = 0; at < count; at++) starts[((half[at]! >>> shift) & MASK) + 1]!++
      // Ids are small: their higher digits are alike.
      if (starts.includes(count)) continue
      for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1]! += starts[bucket]!
      for (let at = 0; at < count; at++) {
        const from = order[at]!
        next[starts[(half[from]! >>> shift) & MASK]!++] = from
      }
      ;[order, next] = [next, order]
    }
  return order
}
