import type { Export } from '../schema.ts'
import { type CheckedGcp, withChecks } from './photo-checks.ts'

/**
 * Points as GeoJSON: longitude first, ellipsoidal heights. A point without a position has no geometry. In WGS84 it follows
 * RFC 7946; in another system, easting first, it has the `crs` member of GeoJSON 2008, which GDAL and QGIS read.
 */
export async function* geojsonOf(source: Export): AsyncGenerator<string> {
  const { name, system, operations } = source
  const crs = system && { type: 'name', properties: { name: urnOf(system.name) } }
  const members = crs ? `"crs":${JSON.stringify(crs)},"transformations":${JSON.stringify(operations)},` : ''
  yield `{"type":"FeatureCollection","name":${JSON.stringify(name)},${members}"features":[`
  let separator = ''
  for await (const gcps of withChecks(source)) {
    yield separator + gcps.map((gcp) => JSON.stringify(feature(gcp))).join(',\n')
    separator = ',\n'
  }
  yield ']}\n'
}

function feature({ id, latitude, longitude, x, y, h, ...properties }: CheckedGcp) {
  const coordinates = h === null ? [x, y] : [x, y, h]
  return {
    type: 'Feature',
    id,
    geometry: x === null ? null : { type: 'Point', coordinates },
    properties: { ...properties, h },
  }
}

/** `EPSG:25833` as `urn:ogc:def:crs:EPSG::25833`. */
const urnOf = (code: string): string => `urn:ogc:def:crs:${code.replace(':', '::')}`
