import type { Ecef } from '../../places/geodesy.ts'
import { growArray } from './grow-array.ts'

/** Half an edge of the cube around the earth, in metres; a power of two, so that halving is exact. */
const HALF = 2 ** 23
/** Cells of 16 mm are not divided, so that any number of places can coincide. */
const DEEPEST = 30
/** Number of places that a cell holds before it is divided. */
const BUCKET = 32

/** Receives a place and the square of its chord. @returns whether to continue */
type Take = (slot: number, chord2: number) => boolean

/**
 * Finds places in space by distance: an octree of the cube around the earth, whose cells are divided if they hold more than
 * `BUCKET` places. Places are added and removed one at a time, in any order. The caller identifies a place by a slot, a small
 * number.
 */
export function spatialIndex() {
  /** For each slot: x, y, z, and a mark that the caller chooses. Together they fit in one cache line. */
  let points = new Float64Array(4 * 64)
  /** For each cell: 0: empty; > 0: the first of its eight parts; < 0: its bucket. Cell 0 is the whole cube. */
  let cells = new Int32Array(64)
  let cellCount = 1
  const freeCells: number[] = []
  /** For each bucket: its slots, their number, and the next bucket of the cell or 0. Bucket 0 is not used. */
  let slots = new Int32Array(64 * BUCKET)
  let counts = new Uint8Array(64)
  let more = new Int32Array(64)
  let bucketCount = 1
  const freeBuckets: number[] = []
  /** The cells on the path to the last location that was searched. */
  const path = new Int32Array(DEEPEST + 1)

  function newBucket(next: number): number {
    const bucket = freeBuckets.pop() ?? bucketCount++
    slots = growArray(slots, (bucket + 1) * BUCKET)
    counts = growArray(counts, bucket + 1)
    more = growArray(more, bucket + 1)
    counts[bucket] = 0
    more[bucket] = next
    return bucket
  }

  function newParts(): number {
    const first = freeCells.pop() ?? cellCount
    if (first === cellCount) cellCount += 8
    cells = growArray(cells, cellCount)
    cells.fill(0, first, first + 8)
    return first
  }

  /** The centre of the cell that `descend` found last. */
  const middle = new Float64Array(3)

  /** Finds the undivided cell of a place; `path` then leads to it and `middle` is its centre. @returns its depth */
  function descend(x: number, y: number, z: number): number {
    let cell = 0
    let depth = 0
    let half = HALF
    let mx = 0
    let my = 0
    let mz = 0
    path[0] = 0
    while (cells[cell]! > 0) {
      half /= 2
      const part = Number(x >= mx) + 2 * Number(y >= my) + 4 * Number(z >= mz)
      mx += x >= mx ? half : -half
      my += y >= my ? half : -half
      mz += z >= mz ? half : -half
      cell = cells[cell]! + part
      path[++depth] = cell
    }
    middle[0] = mx
    middle[1] = my
    middle[2] = mz
    return depth
  }

  function put(cell: number, slot: number) {
    let bucket = -cells[cell]!
    if (bucket === 0 || counts[bucket] === BUCKET) {
      bucket = newBucket(bucket)
      cells[cell] = -bucket
    }
    slots[bucket * BUCKET + counts[bucket]!++] = slot
  }

  /** Divides a full cell, whose centre is `middle`, and moves its places to its parts. */
  function divide(cell: number) {
    const bucket = -cells[cell]!
    const first = newParts()
    cells[cell] = first
    for (let at = 0; at < BUCKET; at++) {
      const slot = slots[bucket * BUCKET + at]!
      const inX = Number(points[4 * slot]! >= middle[0]!)
      const inY = Number(points[4 * slot + 1]! >= middle[1]!)
      put(first + inX + 2 * inY + 4 * Number(points[4 * slot + 2]! >= middle[2]!), slot)
    }
    freeBuckets.push(bucket)
  }

  function add(slot: number, x: number, y: number, z: number, mark: number) {
    points = growArray(points, 4 * slot + 4)
    points[4 * slot] = x
    points[4 * slot + 1] = y
    points[4 * slot + 2] = z
    points[4 * slot + 3] = mark
    for (;;) {
      const depth = descend(x, y, z)
      const cell = path[depth]!
      if (depth === DEEPEST || counts[-cells[cell]!]! < BUCKET) return put(cell, slot)
      divide(cell)
    }
  }

  function remove(slot: number) {
    let depth = descend(points[4 * slot]!, points[4 * slot + 1]!, points[4 * slot + 2]!)
    const first = -cells[path[depth]!]!
    for (let bucket = first; bucket !== 0; bucket = more[bucket]!) {
      const end = (bucket * BUCKET + counts[bucket]!) | 0
      const at = slots.subarray(bucket * BUCKET, end).indexOf(slot)
      if (at < 0) continue
      // Fill the gap with the last slot of the first bucket: all other buckets stay full.
      slots[bucket * BUCKET + at] = slots[first * BUCKET + --counts[first]!]!
      if (counts[first] === 0) {
        cells[path[depth]!] = -more[first]!
        freeBuckets.push(first)
      }
      break
    }
    // Merge cells whose parts are all empty.
    while (depth > 0 && cells[path[depth]!] === 0) {
      const parent = path[--depth]!
      const parts = cells[parent]!
      if (cells.subarray(parts, parts + 8).some((part) => part !== 0)) return
      cells[parent] = 0
      freeCells.push(parts)
    }
  }

  /**
   * Passes to `take` every place whose chord from a point is at least `low` metres and at most `reach`, in no particular order.
   * `take` may reduce `reach` during the search; nearer cells are searched first.
   * @param work maximum number of places to examine @returns false if `take` or `work` ended the search
   */
  function within([x, y, z]: Ecef, low: number, reach: { metres2: number }, work: number, take: Take): boolean {
    const low2 = low * low
    let left = work

    function walk(cell: number, mx: number, my: number, mz: number, half: number): boolean {
      const held = cells[cell]!
      if (held === 0) return true
      const ax = Math.abs(x - mx)
      const ay = Math.abs(y - my)
      const az = Math.abs(z - mz)
      if (square(Math.max(0, ax - half), Math.max(0, ay - half), Math.max(0, az - half)) > reach.metres2) return true
      if (square(ax + half, ay + half, az + half) < low2) return true
      if (held < 0) return look(-held)
      const quarter = half / 2
      // First the part that the point is in or nearest to, then its neighbours.
      const nearest = Number(x >= mx) + 2 * Number(y >= my) + 4 * Number(z >= mz)
      for (let turn = 0; turn < 8; turn++) {
        const part = nearest ^ turn
        if (cells[held + part] === 0) continue
        const px = part & 1 ? mx + quarter : mx - quarter
        const py = part & 2 ? my + quarter : my - quarter
        const pz = part & 4 ? mz + quarter : mz - quarter
        if (!walk(held + part, px, py, pz, quarter)) return false
      }
      return true
    }

    function look(first: number): boolean {
      for (let bucket = first; bucket !== 0; bucket = more[bucket]!) {
        const end = bucket * BUCKET + counts[bucket]!
        left -= counts[bucket]!
        if (left < 0) return false
        for (let at = bucket * BUCKET; at < end; at++) {
          const slot = slots[at]!
          const chord2 = square(points[4 * slot]! - x, points[4 * slot + 1]! - y, points[4 * slot + 2]! - z)
          if (chord2 <= reach.metres2 && chord2 >= low2 && !take(slot, chord2)) return false
        }
      }
      return true
    }

    return walk(0, 0, 0, 0, HALF)
  }

  return {
    add,
    remove,
    within,
    x: (slot: number) => points[4 * slot]!,
    y: (slot: number) => points[4 * slot + 1]!,
    z: (slot: number) => points[4 * slot + 2]!,
    mark: (slot: number) => points[4 * slot + 3]!,
    get bytes() {
      return [points, cells, slots, counts, more].reduce((sum, { byteLength }) => sum + byteLength, 0)
    },
  }
}

const square = (x: number, y: number, z: number) => x * x + y * y + z * z
