import { greatestChord, minChord } from '../../places/chords.ts'
import { CHORD_MARGIN_METRES, toEcef } from '../../places/geodesy.ts'
import { metresBetween } from '../../places/metres-between.ts'
import type { SearchRequest } from '../search/pin-conditions.ts'
import { nearestHeap } from './nearest-heap.ts'
import type { PinColumns } from './pin-columns.ts'

/** A pin found by the index. */
export type IndexedResult = { slot: number; id: number; metres: number }

/** Maximum number of pins that one search examines: it blocks the event loop for some milliseconds. */
const MAX_WORK = 100_000
/** In metres: longer than any chord of the earth. */
const EVERYWHERE = 1.3e7

/**
 * Searches the pins in memory. Finds the same pins as pin-search.ts, in the same order and with the same distances.
 * @returns undefined if it would have to examine too many
 */
export function searchInMemory(pins: PinColumns, wanted: SearchRequest): IndexedResult[] | undefined {
  const { tree } = pins
  const { radius, limit, after } = wanted
  const from = toEcef(wanted.latitude, wanted.longitude)
  const isWanted = pins.filter(wanted)
  const farthest = radius === undefined ? EVERYWHERE : radius + CHORD_MARGIN_METRES

  /** The wanted pins between two chords, with distances, that are within the radius and after the previous page. @returns undefined for more than `most` */
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
  // The first `limit` pins by chord, of those certainly after the previous page. The nearest `limit` pins are no farther than
  // the farthest of these.
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
