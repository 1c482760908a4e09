import type { ChangeFeed } from '../../../platform/changes/feed.ts'
import type { SearchRequest } from '../search/pin-conditions.ts'
import type { PinSearch } from '../search/pin-search.ts'
import type { PinIndexStore } from './index-store.ts'
import type { PinIndex } from './pin-index.ts'

type Deps = {
  index: Pick<PinIndex, 'pins' | 'search' | 'version' | 'reload'>
  store: Pick<PinIndexStore, 'coordinatesAfter'>
  search: PinSearch
  changes: Pick<ChangeFeed, 'catchUp'>
  onMismatch: (wanted: SearchRequest) => void
}
type Found = { id: number; metres: number }

/** The two can differ in the last bit of a sine. */
const SLACK_METRES = 2e-6

/**
 * Compares a random search in the index with the same search in the database, and reloads the index if they differ. The
 * comparison counts only if no change arrived between the first search and the moment when the index has caught up with what
 * the second may have seen.
 */
export function indexCheck({ index, store, search, changes, onMismatch }: Deps) {
  const counters = { checks: 0, mismatches: 0 }

  async function randomPoint(): Promise<{ latitude: number; longitude: number } | undefined> {
    const { pins } = index
    if (!pins || pins.size === 0) return { latitude: Math.random() * 180 - 90, longitude: Math.random() * 360 - 180 }
    const slot = Math.floor(Math.random() * pins.slots)
    if (Math.random() < 0.5) return store.coordinatesAfter(Math.ceil(Math.random() * pins.id(slot)))
    return pins.id(slot) === 0 ? undefined : { latitude: pins.latitude(slot), longitude: pins.longitude(slot) }
  }

  return {
    counters,
    /** Compares one search. @returns whether the two agree; undefined if that is unknown */
    async check(): Promise<boolean | undefined> {
      const place = await randomPoint()
      if (!place) return undefined
      await changes.catchUp()
      const { version } = index
      const wanted: SearchRequest = { ...place, ...randomExtent(), ...unfiltered }
      const held = index.search(wanted)
      if (!held) return undefined
      const rows = await search(wanted)
      await changes.catchUp()
      if (index.version !== version) return undefined
      counters.checks++
      if (agree(held, rows, wanted)) return true
      counters.mismatches++
      onMismatch(wanted)
      index.reload()
      return false
    },
  }
}

const unfiltered = {
  viewerId: undefined,
  bbox: undefined,
  minH: undefined,
  maxH: undefined,
  contentType: undefined,
  zoneId: undefined,
}

function randomExtent(): Pick<SearchRequest, 'radius' | 'nearest' | 'limit'> {
  if (Math.random() < 0.5) return { radius: undefined, nearest: 20, limit: 20 }
  return { radius: 10 ** (4 * Math.random()), nearest: undefined, limit: 200 }
}

/** Whether the results agree. Pins at the edge of the search may be in only one of them. */
function agree(held: Found[], rows: Found[], { radius = Number.POSITIVE_INFINITY, limit }: SearchRequest): boolean {
  const ends = [held, rows].map((found) => (found.length < limit ? radius : found[limit - 1]!.metres))
  const edge = Math.min(radius, ...ends) - SLACK_METRES
  const known = new Map(rows.map(({ id, metres }) => [id, metres]))
  const inside = (found: Found[]) => found.filter(({ metres }) => metres < edge)
  const isKnown = ({ id, metres }: Found) => Math.abs((known.get(id) ?? Number.NaN) - metres) <= SLACK_METRES
  return inside(held).every(isKnown) && inside(rows).every(({ id }) => held.some((one) => one.id === id))
}
