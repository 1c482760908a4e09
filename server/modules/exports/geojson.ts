import type { ExportedGcp } from './schema.ts'

/** Points as GeoJSON (RFC 7946): WGS84, longitude first, heights above the ellipsoid. One without a place has no geometry. */
export async function* geojsonOf(name: string, batches: AsyncIterable<ExportedGcp[]>): AsyncGenerator<string> {
  yield `{"type":"FeatureCollection","name":${JSON.stringify(name)},"features":[`
  let separator = ''
  for await (const gcps of batches) {
    yield separator + gcps.map((gcp) => JSON.stringify(feature(gcp))).join(',\n')
    separator = ',\n'
  }
  yield ']}\n'
}

function feature({ id, latitude, longitude, h, ...properties }: ExportedGcp) {
  const coordinates = h === null ? [longitude, latitude] : [longitude, latitude, h]
  return {
    type: 'Feature',
    id,
    geometry: latitude === null ? null : { type: 'Point', coordinates },
    properties: { ...properties, h },
  }
}
