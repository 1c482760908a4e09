import { codeOf, codesIn, type TileAt } from './mercator.ts'
import { BYTES_A_POINT, type Point, type SortedPoints, sortPoints } from './sorted-points.ts'

/** Changes that are searched one by one before the points are sorted again. */
const MIN_CHANGES = 4096
const SHARE_OF_CHANGES = 64

/** Some points of a tile: how many, and one in their middle along the curve. */
export type Cell = { count: number; middle: Point }

type Change = Point & { code: number }

export type PointSet = ReturnType<typeof pointSet>

/**
 * The points of a layer, by tile. Most are sorted along the Z-order curve, so that counting those of a tile takes two
 * binary searches, however many they are. Changes since they were sorted are kept beside them.
 */
export function pointSet(sorted: SortedPoints) {
  let base = sorted
  /** Sorted points that were moved or removed, by index. */
  let gone = new Set<number>()
  /** Their codes and those of added points, which each count of a tile goes through. */
  let added = new Map<number, Change>()
  let sorting: { changed: Map<number, Point | undefined> } | undefined

  function apply(key: number, point: Point | undefined) {
    const index = base.find(key)
    if (index >= 0) gone.add(index)
    added.delete(key)
    if (point) added.set(key, { ...point, code: codeOf(point) })
  }

  function* all(): Generator<Point> {
    for (let index = 0; index < base.count; index++) if (!gone.has(index)) yield base.at(index)
    for (const { key, x, y } of added.values()) yield { key, x, y }
  }

  /** The place of a point now. */
  const get = (key: number): Point | undefined => {
    const change = added.get(key)
    if (change) return change
    const index = base.find(key)
    return index >= 0 && !gone.has(index) ? base.at(index) : undefined
  }

  /** Sorts all points again; changes meanwhile are applied to both. */
  async function sortAgain() {
    const run = { changed: new Map<number, Point | undefined>() }
    sorting = run
    try {
      const points = [...all()]
      const fresh = await sortPoints(points, points.length)
      base = fresh
      gone = new Set()
      added = new Map()
      for (const [key, point] of run.changed) apply(key, point)
    } finally {
      sorting = undefined
    }
  }

  /** The sorted points in a part of the curve, and the changes there. */
  function within([from, to]: [number, number]) {
    const [first, end] = [base.indexOf(from), base.indexOf(to)]
    const [fresh, removed]: [Change[], number[]] = [[], []]
    for (const change of added.values()) if (change.code >= from && change.code < to) fresh.push(change)
    for (const index of gone) if (index >= first && index < end) removed.push(index)
    return { first, end, fresh, removed }
  }

  return {
    get,
    get count() {
      return base.count - gone.size + added.size
    },
    get bytes() {
      return base.count * BYTES_A_POINT
    },

    /** Adds, moves or, without a point, removes. @returns the former place */
    put(key: number, point: Point | undefined): Point | undefined {
      const before = get(key)
      apply(key, point)
      sorting?.changed.set(key, point)
      if (!sorting && gone.size + added.size > Math.max(MIN_CHANGES, base.count / SHARE_OF_CHANGES)) void sortAgain()
      return before
    },

    /** The points of a tile, at most `limit`; undefined if there are more. */
    pointsIn(tile: TileAt, limit: number): Point[] | undefined {
      const { first, end, fresh, removed } = within(codesIn(tile))
      if (end - first - removed.length + fresh.length > limit) return undefined
      const points: Point[] = fresh.map(({ key, x, y }) => ({ key, x, y }))
      for (let index = first; index < end; index++) if (!gone.has(index)) points.push(base.at(index))
      return points
    },

    /** The cells of a tile that have points, in the order of the curve. The tile has `2^levels` cells along each side. */
    cellsIn(tile: TileAt, levels: number): Cell[] {
      const [from, to] = codesIn(tile)
      const { fresh, removed } = within([from, to])
      const size = (to - from) / 4 ** levels
      const changes = Array.from({ length: 4 ** levels }, () => ({ removed: 0, fresh: [] as Change[] }))
      const changesAt = (code: number) => changes[Math.floor((code - from) / size)]!
      for (const index of removed) changesAt(base.code(index)).removed++
      for (const change of fresh) changesAt(change.code).fresh.push(change)
      return changes.flatMap((change, i) => {
        const [first, end] = [base.indexOf(from + i * size), base.indexOf(from + (i + 1) * size)]
        const count = end - first - change.removed + change.fresh.length
        return count > 0 ? [{ count, middle: middleOf(first, end, change.fresh) }] : []
      })
    },
  }

  /** A point of a cell: the one in its middle that is still there. */
  function middleOf(first: number, end: number, fresh: Change[]): Point {
    const middle = (first + end) >>> 1
    for (let index = middle; index < end; index++) if (!gone.has(index)) return base.at(index)
    for (let index = middle - 1; index >= first; index--) if (!gone.has(index)) return base.at(index)
    return fresh[fresh.length >>> 1]!
  }
}
