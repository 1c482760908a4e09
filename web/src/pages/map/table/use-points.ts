import type { Feature, LocatedPin } from '@cairn/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useCairn } from '../../../session/session.tsx'
import { usePendingDeletions } from '../pending-deletions.ts'
import { keyOf } from '../url-state.ts'
import { boxAround, type MapData } from '../use-map-data.ts'
import type { UrlState } from '../use-url-state.ts'
import { toBbox, type Viewport } from '../use-viewport.ts'
import { type Point, pointsFrom } from './points.ts'

/** The nearest ones are listed if there are more. */
export const MOST_POINTS = 20_000
const GCP_PROPERTIES = 'title,aprilTagId,zoneId,accuracyH,updatedAt'

/** All points of the visible layers within the radius or in view, nearest first, without pending deletions. */
export function usePoints({ point, radius, layers }: UrlState, view: Viewport | null, zones: MapData['zones']['data']) {
  const cairn = useCairn()
  const hidden = usePendingDeletions()
  const [loaded, setLoaded] = useState(0)
  const middle = point ?? view?.middle
  const box = point ? toBbox(boxAround(point, radius)) : view && toBbox(view.box)
  const around = point ? { radius } : box ? { bbox: box } : {}
  const query = useQuery({
    queryKey: ['map', 'table', middle, around],
    queryFn: async ({ signal }) => {
      const gcps: Promise<Feature[]> = cairn.gcps
        .features({ bbox: box!, properties: GCP_PROPERTIES }, { signal })
        .all({ atMost: MOST_POINTS })
      // It is awaited below; where the pins fail first, nobody does.
      gcps.catch(() => {})
      const pins: LocatedPin[] = []
      let isPart = false
      setLoaded(0)
      for await (const { items, next } of cairn.pins.near(middle!.lat, middle!.lon, around, { signal }).pages()) {
        pins.push(...items)
        setLoaded(pins.length)
        isPart = next !== null && pins.length >= MOST_POINTS
        if (isPart) break
      }
      const found = await gcps
      return { pins, gcps: found, isPart: isPart || found.length >= MOST_POINTS }
    },
    enabled: middle !== undefined && box !== null,
    staleTime: 30_000,
    // Thousands of points: those of another view are not kept.
    gcTime: 10_000,
    placeholderData: keepPreviousData,
  })
  const { data } = query
  const all = useMemo(() => data && pointsFrom(data.pins, data.gcps, zones ?? []), [data, zones])
  const points = useMemo((): Point[] | undefined => {
    const isShown = (one: Point) => layers.includes(one.kind === 'pin' ? 'pins' : 'gcps') && !hidden.has(keyOf(one))
    return all?.filter(isShown)
  }, [all, layers, hidden])
  return { points, isPart: data?.isPart ?? false, loaded, query }
}
