import type { AprilTagConflictPair, Zone } from '@cairn/sdk'
import type { Feature } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo } from 'react'
import { formatMetres } from '../../../components/data/format.ts'
import { type Place, placeFrom } from '../../../map/geodesic.ts'
import { useFeatures, useSource } from '../../../map/use-source.ts'
import { messages } from '../../../messages/index.ts'
import { labelPointOf } from './label-point.ts'
import type { Part, Spot } from './spot.ts'
import { featureCollection, featureFromSpot, isWithin, placeOfGcp } from './spots.ts'

const CIRCLE_CORNERS = 96
const WHOLE_WORLD = [
  [-180, -86],
  [180, -86],
  [180, 86],
  [-180, 86],
  [-180, -86],
]

type Spots = { pins: Spot[]; gcps: Spot[]; scans: Spot[] }
type Drawn = { part: Part; spot: Spot }

/** All places, in one source, so that a cluster counts all kinds. Without a search point all pins are inside the radius. Each list must be referentially stable. */
export function useSpotSource(map: MapLibre | null, { pins, gcps, scans }: Spots, point: Place | null, radius: number) {
  const drawn = useMemo((): Drawn[] => {
    const isInside = (pin: Spot) => point === null || isWithin(pin, point, radius)
    return [
      ...pins.map((spot): Drawn => ({ part: isInside(spot) ? 'inside' : 'outside', spot })),
      ...gcps.map((spot): Drawn => ({ part: 'gcps', spot })),
      ...scans.map((spot): Drawn => ({ part: 'scans', spot })),
    ]
  }, [pins, gcps, scans, point, radius])
  useFeatures(map, 'spots', drawn, featureOfDrawn)
}

const featureOfDrawn = ({ part, spot }: Drawn): Feature => featureFromSpot(part, spot)

/** The corners of a circle, longitude first. The last is the first. */
export const ringAround = (point: Place, metres: number) =>
  Array.from({ length: CIRCLE_CORNERS + 1 }, (_, i): [longitude: number, latitude: number] => {
    const { lat, lon } = placeFrom(point, (i * 360) / CIRCLE_CORNERS, metres)
    return [lon, lat]
  })

/** The search circle, its centre, a line to its edge, and a mask over the rest. */
export function useRadiusSources(map: MapLibre | null, point: Place | null, radius: number) {
  const [circle, mask] = useMemo(() => {
    if (!point) return [featureCollection([]), featureCollection([])]
    const ring = ringAround(point, radius)
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

/** The areas of zones, and a point in each zone for its name. */
export function useZoneSource(map: MapLibre | null, zones: Zone[], selectedId: string | null) {
  const [areas, names] = useMemo(() => {
    const features = zones.flatMap(({ id, title, boundary }): Feature[] => {
      if (!boundary) return []
      const isSelected = String(id) === selectedId
      return [{ type: 'Feature', geometry: boundary, properties: { kind: 'zone', id: String(id), title, isSelected } }]
    })
    const points = features.map((area): Feature => {
      const coordinates = labelPointOf(area.geometry as NonNullable<Zone['boundary']>)
      return { ...area, geometry: { type: 'Point', coordinates } }
    })
    return [featureCollection(features), featureCollection(points)]
  }, [zones, selectedId])
  useSource(map, 'zones', areas)
  useSource(map, 'zone-names', names)
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
