import { createHash } from 'node:crypto'
import type { GeoJSONVTFeature } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { EXTENT } from './points/mercator.ts'

/** A feature in units of its tile. */
export type TileFeature = GeoJSONVTFeature
/** An encoded tile. `tag` changes with its bytes. */
export type Tile = { bytes: Buffer; tag: string }

/** A vector tile (Mapbox Vector Tile 2.1) with one layer; without features it has no bytes. */
export function encodeTile(layer: string, features: TileFeature[]): Tile {
  const content = { features } as Parameters<typeof fromGeojsonVt>[0][string]
  const bytes =
    features.length === 0
      ? Buffer.alloc(0)
      : Buffer.from(fromGeojsonVt({ [layer]: content }, { version: 2, extent: EXTENT }))
  return { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) }
}
