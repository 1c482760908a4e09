import type { CheckIn, Fence, Zone } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Place } from '../../../map/geodesic.ts'
import { useSignedIn } from '../../../session/session.tsx'
import { labelPointOf } from '../layers/label-point.ts'
import { runBulk } from '../table/bulk/run-bulk.ts'
import type { Selection } from '../url-state.ts'

/** How many fences are drawn and listed: those with most visits. */
const MOST_FENCES = 300
const PINS_AT_ONCE = 6

/** What was visited: a fence with its accepted check-ins. */
export type Visited = {
  fenceId: string
  name: string
  visits: number
  players: number
  /** Its pin or zone. */
  selection: Selection
  /** Null if the pin cannot be read, or the zone has no boundary. */
  place: Place | null
}

/** The fences of an app with their latest accepted check-ins, most visited first. @param appId undefined to load nothing */
export function useVisits(appId: string | undefined, zones: Zone[] | undefined) {
  const { cairn, inApp } = useSignedIn()
  const query = useQuery({
    queryKey: ['visits', appId],
    queryFn: async ({ signal }) => {
      const { fences: api } = inApp(appId!)
      const [fences, { items, next }] = await Promise.all([
        api.list({}, { signal }).all(),
        api.checkIns({ state: 'accepted' }, { signal }).first(),
      ])
      const visited = countVisits(fences, items).slice(0, MOST_FENCES)
      const pinIds = visited.flatMap(({ fence }) => fence.pinId ?? [])
      const { done } = await runBulk(pinIds, (id) => cairn.pins.get(id, {}, { signal }), {
        atOnce: PINS_AT_ONCE,
        signal,
      })
      return { visited, pins: new Map(done.map((pin) => [pin.id, pin])), counted: items.length, isPart: next !== null }
    },
    enabled: appId !== undefined,
    staleTime: 30_000,
  })
  const { data } = query
  const visited = useMemo((): Visited[] | undefined => {
    if (!data || !zones) return undefined
    const areas = new Map(zones.map((zone) => [zone.id, zone]))
    return data.visited.map(({ fence, visits, players }) => {
      const pin = data.pins.get(fence.pinId ?? 0)
      const boundary = areas.get(fence.zoneId ?? 0)?.boundary
      const middle = boundary ? labelPointOf(boundary) : null
      const place =
        pin?.latitude != null
          ? { lat: pin.latitude, lon: pin.longitude! }
          : middle && { lon: middle[0]!, lat: middle[1]! }
      const selection: Selection =
        fence.pinId === null ? { kind: 'zone', id: String(fence.zoneId) } : { kind: 'pin', id: String(fence.pinId) }
      return { fenceId: fence.id, name: fence.name, visits, players, selection, place }
    })
  }, [data, zones])
  return { query, visited, counted: data?.counted ?? 0, isPart: data?.isPart ?? false }
}

export type Visits = ReturnType<typeof useVisits>

/** The fences with check-ins, the most visited first. */
function countVisits(fences: Fence[], checkIns: CheckIn[]) {
  const byFence = Map.groupBy(checkIns, ({ fenceId }) => fenceId)
  return fences
    .flatMap((fence) => {
      const own = byFence.get(fence.id)
      return own ? [{ fence, visits: own.length, players: new Set(own.map(({ playerId }) => playerId)).size }] : []
    })
    .sort((a, b) => b.visits - a.visits)
}
