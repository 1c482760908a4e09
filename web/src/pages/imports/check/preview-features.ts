import type { CsvUploadReport } from '@cairn/sdk'
import { besideEachOther, boundsOf } from '../../../map/bounds.ts'

export type Point = CsvUploadReport['points'][number]

/** The points as features. Points on both sides of 180° are adjacent. */
export function featuresOf(points: readonly Point[]): GeoJSON.FeatureCollection {
  const longitudes = besideEachOther(points.map(({ longitude }) => longitude))
  return {
    type: 'FeatureCollection',
    features: points.map(({ row, title, latitude, status }, i) => ({
      type: 'Feature',
      properties: { row, title, status },
      geometry: { type: 'Point', coordinates: [longitudes[i]!, latitude] },
    })),
  }
}

export const boundsOfPoints = (points: readonly Point[]) =>
  boundsOf(points.map(({ longitude, latitude }) => [longitude, latitude]))
