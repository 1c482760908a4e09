import type { Gcp, Scan, Zone } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Place } from '../../../map/geodesic.ts'
import { useCairn } from '../../../session/session.tsx'
import { placeOfGcp } from '../layers/spots.ts'
import type { Selection } from '../url-state.ts'
import { boxOf, boxOfZone } from '../use-viewport.ts'

const CHECKING_MS = 2000
const isChecking = (gcp: Gcp | undefined) => gcp?.uploadedFiles.some(({ tagCheck }) => tagCheck === 'pending')

/** The selected item and its location. */
export function useSelection(selection: Selection | null) {
  const cairn = useCairn()
  const { kind, id } = selection ?? {}
  const query = useQuery({
    queryKey: ['map', 'chosen', kind, id],
    queryFn: async ({ signal }) => {
      if (kind === 'pin') return { pin: await cairn.pins.get(Number(id), {}, { signal }) }
      if (kind === 'gcp') return { gcp: await cairn.gcps.get(Number(id), {}, { signal }) }
      if (kind === 'zone') return { zone: await cairn.zones.get(Number(id), { signal }) }
      return { scan: await cairn.scans.get(id!, { signal }) }
    },
    enabled: selection !== null,
    // A new photo is checked within seconds.
    refetchInterval: ({ state: { data } }) => (data && 'gcp' in data && isChecking(data.gcp) ? CHECKING_MS : false),
  })
  const { pin, gcp, zone, scan } = (query.data ?? {}) as Partial<{
    pin: Awaited<ReturnType<typeof cairn.pins.get>>
    gcp: Awaited<ReturnType<typeof cairn.gcps.get>>
    zone: Zone
    scan: Scan
  }>
  // Loaded data stays visible when a refetch fails.
  const error = query.data ? null : query.error
  return useMemo(() => {
    const place: Place | null =
      pin?.latitude != null && pin.longitude != null
        ? { lat: pin.latitude, lon: pin.longitude }
        : gcp
          ? placeOfGcp(gcp)
          : scan?.lat != null && scan.long != null
            ? { lat: scan.lat, lon: scan.long }
            : null
    const { angles } = (pin ?? gcp?.pin)?.geoPose ?? {}
    // Control points always have a pose. Only a rotated one has an orientation.
    const hasDirection = angles && (pin || angles.yaw !== 0 || angles.pitch !== 0 || angles.roll !== 0)
    const yaw = hasDirection ? angles.yaw : null
    const box = place ? boxOf([[place.lon, place.lat]]) : zone?.boundary ? boxOfZone(zone.boundary) : null
    return { pin, gcp, zone, scan, error, place, box, yaw }
  }, [pin, gcp, zone, scan, error])
}

export type Selected = ReturnType<typeof useSelection>
