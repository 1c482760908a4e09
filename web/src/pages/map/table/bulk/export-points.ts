import { saveCsv } from '../../../../components/copy/csv.ts'
import { saveFile } from '../../../../components/copy/save-file.ts'
import type { Point } from '../points.ts'

const NAME = 'points'
const HEAD = [
  ...['kind', 'id', 'title', 'contentType', 'aprilTagId', 'zoneId', 'zone', 'userId', 'visibility'],
  ...['latitude', 'longitude', 'height', 'accuracyH', 'updatedAt'],
]

/** Saves points as CSV, a row each, with the names of the API. Heights are in metres above the ellipsoid. */
export function savePointsAsCsv(points: Point[]): void {
  const rows = points.map((point) => [
    ...[point.kind, point.id, point.title, point.content, point.tag, point.zone?.id, point.zone?.title],
    ...[point.ownerId, point.visibility, point.lat, point.lon, point.height, point.accuracy, point.updatedAt],
  ])
  saveCsv([HEAD, ...rows.map((row) => row.map((value) => (value == null ? '' : String(value))))], `${NAME}.csv`)
}

/** Saves points as GeoJSON (RFC 7946). */
export function savePointsAsGeoJson(points: Point[]): void {
  const features = points.map((point) => ({
    type: 'Feature',
    id: `${point.kind}:${point.id}`,
    geometry: {
      type: 'Point',
      coordinates: [point.lon, point.lat, ...(point.height === null ? [] : [point.height])],
    },
    properties: {
      ...{ title: point.title, contentType: point.content, aprilTagId: point.tag, zoneId: point.zone?.id ?? null },
      ...{ userId: point.ownerId, visibility: point.visibility, accuracyH: point.accuracy, updatedAt: point.updatedAt },
    },
  }))
  const text = JSON.stringify({ type: 'FeatureCollection', features })
  saveFile(new Blob([text], { type: 'application/geo+json' }), `${NAME}.geojson`)
}
