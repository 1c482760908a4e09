import type { Feature, Pages } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { usePagedList } from '../../components/query/paged-list.tsx'
import { placeFrom } from '../../map/geodesic.ts'
import { useCairn } from '../../session/session.tsx'
import type { Spot } from './layers/spot.ts'
import { spotFromFeature, spotFromPin, spotFromScan } from './layers/spots.ts'
import type { UrlState } from './use-url-state.ts'
import { type Box, contains, snapToGrid, toBbox, union, type Viewport } from './use-viewport.ts'

const LIST_PAGE = 200
const MAX_SCANS = 1000
const KEEP = { staleTime: 30_000, placeholderData: <Data>(old: Data) => old }

/** Items in view and around the search point. */
export function useMapData({ point, radius, layers }: UrlState, view: Viewport | null) {
  const cairn = useCairn()
  const wanted = useMemo(
    () => view && snapToGrid(point ? union(view.box, boxAround(point, radius)) : view.box),
    [view, point, radius],
  )
  // If a larger box is completely loaded, use its data.
  const whole = useRef<Box>(null)
  const area = whole.current && wanted && contains(whole.current, wanted) ? whole.current : wanted
  const box = area && toBbox(area)
  const on = { enabled: box !== null }

  const pins = useQuery({
    queryKey: ['map', 'pins', box],
    queryFn: ({ signal }) =>
      spotsIn('pin', (limit) =>
        cairn.pins.features({ bbox: box!, properties: 'title,contentType,gcpId', ...limit }, { signal }),
      ),
    ...KEEP,
    ...on,
  })
  const gcps = useQuery({
    queryKey: ['map', 'gcps', box],
    queryFn: ({ signal }) =>
      spotsIn('gcp', (limit) =>
        cairn.gcps.features({ bbox: box!, properties: 'title,aprilTagId', ...limit }, { signal }),
      ),
    ...KEEP,
    ...on,
  })
  const isWhole = [pins, gcps].every(({ data, isPlaceholderData }) => data && !isPlaceholderData && !data.isPart)
  if (isWhole) whole.current = area

  const zones = useQuery({
    queryKey: ['map', 'zones'],
    queryFn: ({ signal }) => cairn.zones.list({}, { signal }).all(),
    ...KEEP,
  })
  const scans = useQuery({
    queryKey: ['map', 'scans'],
    queryFn: async ({ signal }) =>
      (await cairn.scans.list({ limit: 100 }, { signal }).all({ atMost: MAX_SCANS })).flatMap(spotFromScan),
    enabled: layers.includes('scans'),
    ...KEEP,
  })
  const conflicts = useQuery({
    queryKey: ['tag-conflicts', 'map'],
    queryFn: async ({ signal }) => (await cairn.gcps.tagConflicts({ limit: 100 }, { signal })).conflicts,
    ...KEEP,
  })

  // Where the features are that are too many to load: without a search point, the map shows all of them.
  const isPart = [pins, gcps].some(({ data }) => data?.isPart)
  const extent = useQuery({
    queryKey: ['map', 'extent'],
    queryFn: async ({ signal }) =>
      (await Promise.all(['pins', 'gcps'].map((id) => extentOf(id, signal)))).reduce(union),
    enabled: isPart && point === null,
    ...KEEP,
  })

  const middle = point ?? view?.middle
  const around = point ? { radius } : view ? { bbox: toBbox(view.box) } : {}
  const found = usePagedList(
    ['map', 'found', middle, around],
    () => cairn.pins.near(middle!.lat, middle!.lon, { ...around, limit: LIST_PAGE }),
    { enabled: middle !== undefined },
  )
  const tags = useMemo(() => new Map(gcps.data?.spots.map((spot) => [spot.id, spot])), [gcps.data])
  // Keeps the previous list while the next one loads.
  const last = useRef(found.items)
  if (found.items) last.current = found.items
  const items = last.current
  const nearest = useMemo(() => items?.map((pin) => spotFromPin(pin, tags)), [items, tags])
  return { pins, gcps, zones, scans, conflicts, extent, found, nearest }
}

export type MapData = ReturnType<typeof useMapData>

/** @returns `isPart` if there are too many to load, which the service does not count: they are drawn from tiles */
async function spotsIn(
  kind: 'pin' | 'gcp',
  features: (limit: { limit?: number }) => Pages<Feature>,
): Promise<{ spots: Spot[]; isPart: boolean }> {
  const { total } = await features({ limit: 1 }).first()
  if (total === null) return { spots: [], isPart: true }
  const spots: Spot[] = []
  for await (const feature of features({})) {
    // Control points are loaded separately, with their tags.
    if (kind === 'gcp' || feature.properties.gcpId === null) spots.push(...spotFromFeature(kind, feature))
  }
  return { spots, isPart: false }
}

/** The box around all features of a collection. */
async function extentOf(id: string, signal: AbortSignal): Promise<Box> {
  const response = await fetch(`/ogc/collections/${id}`, { signal })
  if (!response.ok) throw new Error(`${response.status}`)
  const { extent } = (await response.json()) as { extent: { spatial: { bbox: [[number, number, number, number]] } } }
  const [west, south, east, north] = extent.spatial.bbox[0]
  return { west, south, east, north }
}

export function boxAround(point: { lat: number; lon: number }, metres: number): Box {
  const [north, east, south, west] = [0, 90, 180, 270].map((bearing) => placeFrom(point, bearing, metres))
  return { west: west!.lon, south: south!.lat, east: east!.lon, north: north!.lat }
}
