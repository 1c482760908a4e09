import type { Zone } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Place } from '../../../map/geodesic.ts'
import { useSignedIn } from '../../../session/session.tsx'
import { labelPointOf } from '../layers/label-point.ts'
import { runBulk } from '../table/bulk/run-bulk.ts'
import type { Selection } from '../url-state.ts'

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

type Zones = { data: Zone[] | undefined; isError: boolean }

/** The most visited fences of an app, as the service counts them. @param appId undefined to load nothing @param zones those that failed to load have no place */
export function useVisits(appId: string | undefined, { data: zones, isError }: Zones) {
  const { cairn, inApp } = useSignedIn()
  const query = useQuery({
    queryKey: ['visits', appId],
    queryFn: async ({ signal }) => {
      const counts = await inApp(appId!).fences.countCheckIns({}, { signal })
      const pinIds = counts.fences.flatMap(({ pinId }) => pinId ?? [])
      const { done } = await runBulk(pinIds, (id) => cairn.pins.get(id, {}, { signal }), {
        atOnce: PINS_AT_ONCE,
        signal,
      })
      return { ...counts, pins: new Map(done.map((pin) => [pin.id, pin])) }
    },
    enabled: appId !== undefined,
    staleTime: 30_000,
  })
  const { data } = query
  const visited = useMemo((): Visited[] | undefined => {
    if (!data || (!zones && !isError)) return undefined
    const areas = new Map(zones?.map((zone) => [zone.id, zone]))
    return data.fences.map(({ fenceId, name, pinId, zoneId, checkIns: visits, players }) => {
      const pin = data.pins.get(pinId ?? 0)
      const boundary = areas.get(zoneId ?? 0)?.boundary
      const middle = boundary ? labelPointOf(boundary) : null
      const place =
        pin?.latitude != null
          ? { lat: pin.latitude, lon: pin.longitude! }
          : middle && { lon: middle[0]!, lat: middle[1]! }
      const selection: Selection =
        pinId === null ? { kind: 'zone', id: String(zoneId) } : { kind: 'pin', id: String(pinId) }
      return { fenceId, name, visits, players, selection, place }
    })
  }, [data, zones, isError])
  return { query, visited, total: data?.total ?? 0, fenceCount: data?.fenceCount ?? 0 }
}

export type Visits = ReturnType<typeof useVisits>
