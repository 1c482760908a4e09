import { greatestChord, minChord } from '../../places/chords.ts'
import { CHORD_MARGIN_METRES, toEcef } from '../../places/geodesy.ts'
import { metresBetween } from '../../places/metres-between.ts'
import type { SearchRequest } from '../search/pin-conditions.ts'
import { nearestHeap } from './nearest-heap.ts'
import type { PinColumns } from './pin-columns.ts'

/** A pin that was found, by its slot. */
export type IndexedResult = { slot: number; id: number; metres: number }

/** How many pins one search may look at: some milliseconds, in which nobody else is answered. */
const MAX_WORK = 100_000
/** More chord than the whole earth is wide. */
const EVERYWHERE = 1.3e7

/**
 * What pin-search.ts finds in SQL, found among pins that are held: the same pins in the same order with the same distances.
 * @returns undefined when it would have to look at too many
 */
export function searchInMemory(pins: PinColumns, wanted: SearchRequest): IndexedResult[] | undefined {
  const { tree } = pins
  const { radius, limit, after } = wanted
  const from = toEcef(wanted.latitude, wanted.longitude)
  const isWanted = pins.filter(wanted)
  const farthest = radius === undefined ? EVERYWHERE : radius + CHORD_MARGIN_METRES

  /** Those between two chords, measured, that are within the radius and behind the place that was reached. */
  function measured(low: number, high: number, most: number): IndexedResult[] | undefined {
    const found: IndexedResult[] = []
    let count = 0
    const isWhole = tree.within(from, low, { metres2: high * high }, MAX_WORK, (slot) => {
      if (!isWanted(slot)) return true
      if (++count > most) return false
      const metres = metresBetween(tree.x(slot), tree.y(slot), tree.z(slot), from)
      const id = pins.id(slot)
      if (radius !== undefined && metres > radius) return true
      if (after && (metres < after.metres || (metres === after.metres && id <= after.id))) return true
      found.push({ slot, id, metres })
      return true
    })
    return isWhole ? found.sort((a, b) => a.metres - b.metres || a.id - b.id) : undefined
  }

  if (radius !== undefined && !after) {
    const found = measured(0, farthest, 4 * limit + 100)
    if (found) return found.slice(0, limit)
  }
  // The first so many by chord, of those that are surely behind the place that was reached: the nearest are as near as the
  // farthest of them.
  const heap = nearestHeap(limit)
  const reached = after ? greatestChord(after.metres) : 0
  const reach = { metres2: farthest * farthest }
  const isWhole = tree.within(from, reached, reach, MAX_WORK, (slot, chord2) => {
    if (!isWanted(slot)) return true
    heap.add(chord2, slot)
    if (heap.isFull) reach.metres2 = heap.greatest
    return true
  })
  if (!isWhole) return undefined
  let high = farthest
  if (heap.isFull) {
    let metres = 0
    for (const slot of heap.values())
      metres = Math.max(metres, metresBetween(tree.x(slot), tree.y(slot), tree.z(slot), from))
    high = Math.min(farthest, greatestChord(metres))
  }
  return measured(after ? minChord(after.metres) : 0, high, Number.POSITIVE_INFINITY)?.slice(0, limit)
}
