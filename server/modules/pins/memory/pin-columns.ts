import { isPlain } from '../search/pin-conditions.ts'
import type { PinQuery } from '../search/query.ts'
import { growArray } from './grow-array.ts'
import { idTable } from './id-table.ts'
import { spatialIndex } from './spatial-index.ts'

/** The part of a pin that the index holds. */
export type IndexedPin = {
  id: number
  /** Earth-centred, in metres, as stored in the database. */
  x: number
  y: number
  z: number
  latitude: number
  longitude: number
  /** Metres above the ellipsoid; NaN without a pose. */
  h: number
  contentType: string
  zoneId: number | null
  /** The only user who finds it; null: everyone finds it. */
  ownerId: string | null
}
/** The filters of a search, without its location. */
type Filter = Omit<PinQuery, 'latitude' | 'longitude' | 'radius' | 'nearest'> & { viewerId: string | undefined }

export type PinColumns = ReturnType<typeof pinColumns>

/**
 * Pins in arrays of numbers, one element per slot: about a hundred bytes per pin. The slot of a removed pin is reused.
 */
export function pinColumns() {
  const tree = spatialIndex()
  const types = numbering()
  /** Numbers from 1; 0: everyone. */
  const owners = numbering()
  let ids = new Float64Array(64)
  let degrees = new Float64Array(2 * 64)
  let heights = new Float64Array(64)
  let zones = new Float64Array(64)
  let kinds = new Uint16Array(64)
  const table = idTable((slot) => ids[slot]!)
  const freeSlots: number[] = []
  let used = 0

  function reserve(slots: number) {
    ids = growArray(ids, slots)
    degrees = growArray(degrees, 2 * slots)
    heights = growArray(heights, slots)
    zones = growArray(zones, slots)
    kinds = growArray(kinds, slots)
  }

  function remove(id: number) {
    const slot = table.get(id)
    if (slot < 0) return
    tree.remove(slot)
    table.remove(id)
    ids[slot] = 0
    freeSlots.push(slot)
  }

  return {
    tree,
    /** The number of pins. */
    get size() {
      return table.size
    },
    get bytes() {
      const arrays = [ids, degrees, heights, zones, kinds].reduce((sum, { byteLength }) => sum + byteLength, 0)
      return arrays + table.bytes + tree.bytes
    },
    /** The highest slot ever used, plus 1. */
    get slots() {
      return used
    },
    /** The pin's ID; 0 for an empty slot. */
    id: (slot: number) => ids[slot] ?? 0,
    /** The slot of a pin; -1 if it is not indexed. */
    slotOf: (id: number) => table.get(id),
    latitude: (slot: number) => degrees[2 * slot]!,
    longitude: (slot: number) => degrees[2 * slot + 1]!,
    remove,

    /** Adds or replaces a pin. */
    put(pin: IndexedPin) {
      remove(pin.id)
      const slot = freeSlots.pop() ?? used++
      reserve(slot + 1)
      ids[slot] = pin.id
      degrees[2 * slot] = pin.latitude
      degrees[2 * slot + 1] = pin.longitude
      heights[slot] = pin.h
      zones[slot] = pin.zoneId ?? 0
      kinds[slot] = types.numberOf(pin.contentType)
      table.add(pin.id, slot)
      tree.add(slot, pin.x, pin.y, pin.z, pin.ownerId === null ? 0 : owners.numberOf(pin.ownerId))
    },

    /** Whether a slot holds exactly this pin. */
    holds: (slot: number, pin: IndexedPin): boolean =>
      ids[slot] === pin.id &&
      tree.x(slot) === pin.x &&
      tree.y(slot) === pin.y &&
      tree.z(slot) === pin.z &&
      degrees[2 * slot] === pin.latitude &&
      degrees[2 * slot + 1] === pin.longitude &&
      Object.is(heights[slot], pin.h) &&
      zones[slot] === (pin.zoneId ?? 0) &&
      kinds[slot] === types.known(pin.contentType) &&
      tree.mark(slot) === (pin.ownerId === null ? 0 : owners.known(pin.ownerId)),

    /** Compiles filters. @returns whether the pin in a slot passes them */
    filter(filters: Filter): (slot: number) => boolean {
      const { viewerId, bbox, minH, maxH, contentType, zoneId } = filters
      const viewer = viewerId === undefined ? 0 : (owners.known(viewerId) ?? 0)
      const isOpen = (slot: number) => {
        const mark = tree.mark(slot)
        return mark === 0 || mark === viewer
      }
      if (isPlain(filters)) return isOpen
      const kind = contentType === undefined ? 0 : (types.known(contentType) ?? -1)
      return (slot) =>
        isOpen(slot) &&
        (kind === 0 || kinds[slot] === kind) &&
        (zoneId === undefined || zones[slot] === zoneId) &&
        (minH === undefined || heights[slot]! >= minH) &&
        (maxH === undefined || heights[slot]! <= maxH) &&
        (!bbox || isInside(bbox, degrees[2 * slot]!, degrees[2 * slot + 1]!))
    },
  }
}

/** Inside a box in degrees or on its edge; 180 and −180 are the same edge. */
function isInside([west, south, east, north]: NonNullable<PinQuery['bbox']>, latitude: number, longitude: number) {
  if (latitude < south || latitude > north) return false
  if (west > east) return longitude >= west || longitude <= east
  return (
    (longitude >= west && longitude <= east) ||
    (east === 180 && longitude === -180) ||
    (west === -180 && longitude === 180)
  )
}

/** Numbers a small set of strings from 1. */
function numbering() {
  const numbers = new Map<string, number>()
  return {
    known: (text: string) => numbers.get(text),
    numberOf(text: string): number {
      const number = numbers.get(text) ?? numbers.size + 1
      numbers.set(text, number)
      return number
    },
  }
}
