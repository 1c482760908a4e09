import type { Feature as ApiFeature, Gcp, LocatedPin, Scan } from '@cairn/sdk'
import type { Feature, FeatureCollection } from 'geojson'
import { distanceOf, type Place, roughDistanceOf } from '../../../map/geodesic.ts'
import { keyOf } from '../url-state.ts'
import type { ListedSpot, Part, Spot } from './spot.ts'

/** @returns an empty array for features without a location */
export function spotFromFeature(kind: 'pin' | 'gcp', { id, geometry, properties }: ApiFeature): Spot[] {
  const at = (geometry as { coordinates?: [number, number] } | null)?.coordinates
  if (!at) return []
  const { title, contentType, aprilTagId } = properties as Record<string, unknown>
  return [
    {
      kind,
      id: String(id),
      title: String(title),
      lat: at[1],
      lon: at[0],
      content: typeof contentType === 'string' ? contentType : null,
      tag: typeof aprilTagId === 'number' ? aprilTagId : null,
    },
  ]
}

/** A pin of a control point is shown as the control point. @param tags control points by ID */
export function spotFromPin(pin: LocatedPin, gcps: Map<string, Spot>): ListedSpot {
  const { distance, latitude: lat, longitude: lon, title } = pin
  const isPrivate = pin.visibility !== 'public'
  if (pin.gcpId === null)
    return {
      kind: 'pin',
      id: String(pin.id),
      title,
      lat,
      lon,
      content: pin.contentType,
      tag: null,
      isPrivate,
      distance,
    }
  const id = String(pin.gcpId)
  const known = gcps.get(id)
  return {
    kind: 'gcp',
    id,
    title: known?.title ?? title,
    lat,
    lon,
    content: null,
    tag: known?.tag ?? null,
    distance,
  }
}

export function spotFromScan(scan: Scan): Spot[] {
  if (scan.lat === null || scan.long === null) return []
  const title = scan.title ?? scan.fileName
  return [{ kind: 'scan', id: scan.id, title, lat: scan.lat, lon: scan.long, content: scan.fileType, tag: null }]
}

export const placeOfGcp = ({ pin }: Gcp): Place | null =>
  pin?.latitude != null && pin.longitude != null ? { lat: pin.latitude, lon: pin.longitude } : null

/** Whether a spot lies within a radius. Only spots near the edge are measured exactly. */
export function isWithin(spot: Place, place: Place, metres: number): boolean {
  const rough = roughDistanceOf(place, spot)
  if (rough > metres * 1.01 || rough < metres * 0.99) return rough < metres
  return distanceOf(place, spot) <= metres
}

export const featureCollection = (features: Feature[]): FeatureCollection => ({ type: 'FeatureCollection', features })

/** A spot as a feature, with the properties that the layers use. @param part what counts it in clusters */
export const featureFromSpot = (part: Part, { kind, id, title, lat, lon, tag, count = 1 }: Spot): Feature => ({
  type: 'Feature',
  id: keyOf({ kind, id }),
  geometry: { type: 'Point', coordinates: [lon, lat] },
  properties: { kind, id, title, [part]: count, ...(kind === 'gcp' ? { tag: tag ?? 'none' } : {}) },
})
