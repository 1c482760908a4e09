import type { Gcp, Zone } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCairn } from '../../../session/session.tsx'

/** Control points of a zone that its panel reads, the oldest first. */
const MOST_POINTS = 1000

/** The control points of a zone; undefined while they load. */
export function useZonePoints({ id }: Zone): Gcp[] | undefined {
  const cairn = useCairn()
  const { data } = useQuery({
    queryKey: ['map', 'points-of-zone', id],
    queryFn: ({ signal }) =>
      cairn.gcps.list({ zoneId: id, limit: MOST_POINTS }, { signal }).all({ atMost: MOST_POINTS }),
  })
  return data
}
