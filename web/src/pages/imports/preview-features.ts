import type { CsvUploadReport } from '@cairn/sdk'

export type Point = CsvUploadReport['points'][number]

/** Points on both sides of 180° are drawn beside each other. */
function shifted(points: readonly Point[]): Point[] {
  const longitudes = points.map(({ longitude }) => longitude)
  const isSplit = Math.max(...longitudes) - Math.min(...longitudes) > 180
  return isSplit
    ? points.map((point) => (point.longitude < 0 ? { ...point, longitude: point.longitude + 360 } : point))
    : [...points]
}

export const featuresOf = (points: readonly Point[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: shifted(points).map(({ row, title, latitude, longitude, status }) => ({
    type: 'Feature',
    properties: { row, title, status },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  })),
})

/** The box around some points, as west, south, east, north. */
export function boundsOf(points: readonly Point[]): [number, number, number, number] | undefined {
  if (points.length === 0) return undefined
  const all = shifted(points)
  const [east, north] = [all.map(({ longitude }) => longitude), all.map(({ latitude }) => latitude)]
  return [Math.min(...east), Math.min(...north), Math.max(...east), Math.max(...north)]
}
