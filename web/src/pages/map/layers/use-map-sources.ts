import type { AprilTagConflictPair, Zone } from '@cairn/sdk'
import type { Feature } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo } from 'react'
import { formatMetres } from '../../../components/data/format.ts'
import { type Place, placeFrom } from '../../../map/geodesic.ts'
import { useFeatures, useSource } from '../../../map/use-source.ts'
import { messages } from '../../../messages/index.ts'
import { featureCollection, featureFromSpot, isWithin, placeOfGcp, type Spot } from './spots.ts'

const CIRCLE_CORNERS = 96
const WHOLE_WORLD = [
  [-180, -86],
  [180, -86],
  [180, 86],
  [-180, 86],
  [-180, -86],
]

/** Pins inside and outside the radius, clustered separately. Without a search point all pins are inside. */
export function usePinSources(map: MapLibre | null, pins: Spot[], point: Place | null, radius: number) {
  const [inside, outside] = useMemo(() => {
    const parts: [Spot[], Spot[]] = [[], []]
    for (const pin of pins) parts[point === null || isWithin(pin, point, radius) ? 0 : 1].push(pin)
    return parts
  }, [pins, point, radius])
  useFeatures(map, 'inside', inside, featureFromSpot)
  useFeatures(map, 'outside', outside, featureFromSpot)
}

export const useSpotSource = (map: MapLibre | null, source: 'gcps' | 'scans', spots: Spot[]) =>
  useFeatures(map, source, spots, featureFromSpot)

/** The search circle, its centre, a line to its edge, and a mask over the rest. */
export function useRadiusSources(map: MapLibre | null, point: Place | null, radius: number) {
  const [circle, mask] = useMemo(() => {
    if (!point) return [featureCollection([]), featureCollection([])]
    const ring = Array.from({ length: CIRCLE_CORNERS + 1 }, (_, i) => {
      const { lat, lon } = placeFrom(point, (i * 360) / CIRCLE_CORNERS, radius)
      return [lon, lat]
    })
    const east = placeFrom(point, 90, radius)
    const middle = [point.lon, point.lat]
    return [
      featureCollection([
        feature('circle', { type: 'LineString', coordinates: ring }),
        feature('spoke', { type: 'LineString', coordinates: [middle, [east.lon, east.lat]] }),
        feature('centre', { type: 'Point', coordinates: middle }),
      ]),
      featureCollection([feature('mask', { type: 'Polygon', coordinates: [WHOLE_WORLD, ring] })]),
    ]
  }, [point, radius])
  useSource(map, 'radius', circle)
  useSource(map, 'mask', mask)
}

export function useZoneSource(map: MapLibre | null, zones: Zone[], selectedId: string | null) {
  const data = useMemo(
    () =>
      featureCollection(
        zones.flatMap(({ id, title, boundary }): Feature[] =>
          boundary
            ? [
                {
                  type: 'Feature',
                  geometry: boundary,
                  properties: { kind: 'zone', id: String(id), title, isSelected: String(id) === selectedId },
                },
              ]
            : [],
        ),
      ),
    [zones, selectedId],
  )
  useSource(map, 'zones', data)
}

/** Rings around the two control points of each conflict, a line between them, and their distance. */
export function useConflictSource(map: MapLibre | null, conflicts: AprilTagConflictPair[]) {
  const data = useMemo(
    () =>
      featureCollection(
        conflicts.flatMap(({ gcps, metres }) => {
          const places = gcps.flatMap((gcp) => placeOfGcp(gcp) ?? []).map(({ lat, lon }) => [lon, lat])
          const [a, b] = places
          if (!a || !b) return []
          const middle = [(a[0]! + b[0]!) / 2, (a[1]! + b[1]!) / 2]
          return [
            feature('line', { type: 'LineString', coordinates: [a, b] }),
            ...places.map((at) => feature('ring', { type: 'Point', coordinates: at })),
            feature(
              'middle',
              { type: 'Point', coordinates: middle },
              { label: messages.map.apart(formatMetres(metres)) },
            ),
          ]
        }),
      ),
    [conflicts],
  )
  useSource(map, 'conflicts', data)
}

const feature = (part: string, geometry: Feature['geometry'], more: object = {}): Feature => ({
  type: 'Feature',
  geometry,
  properties: { part, ...more },
})
