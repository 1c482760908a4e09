import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'

/** A feature of a decoded tile, in units of the tile. */
export type Decoded = {
  id: number | undefined
  properties: Record<string, unknown>
  /** Rings or points. */
  geometry: { x: number; y: number }[][]
}
export type ReadTile = { status: number; etag: string | null; bytes: number; features: Decoded[] }

/** Reads a tile of a collection, and decodes it with the library of Mapbox. */
export async function readTile(
  url: string,
  collection: string,
  { z, x, y }: { z: number; x: number; y: number },
  headers: Record<string, string> = {},
): Promise<ReadTile> {
  const response = await fetch(`${url}/ogc/collections/${collection}/tiles/WebMercatorQuad/${z}/${y}/${x}`, { headers })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const layers = response.status === 200 ? new VectorTile(new PbfReader(bytes)).layers : {}
  const names = Object.keys(layers)
  if (names.length > 1 || names.some((name) => name !== collection)) throw new Error(`the tile has the layers ${names}`)
  const layer = layers[collection]
  const features = Array.from({ length: layer?.length ?? 0 }, (_, i): Decoded => {
    const feature = layer!.feature(i)
    return { id: feature.id, properties: feature.properties, geometry: feature.loadGeometry() }
  })
  return { status: response.status, etag: response.headers.get('etag'), bytes: bytes.length, features }
}

/** The place of degrees in units of a tile, by the formula of Web Mercator. */
export function unitsIn({ z, x, y }: { z: number; x: number; y: number }, [longitude, latitude]: [number, number]) {
  const radians = (latitude * Math.PI) / 180
  const row = (2 ** z * (1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI)) / 2
  return { x: (((longitude + 180) / 360) * 2 ** z - x) * 4096, y: (row - y) * 4096 }
}

/** The tile of degrees; the edges in the east and the south belong to the last tiles. */
export function tileAt(z: number, [longitude, latitude]: [number, number]) {
  const { x, y } = unitsIn({ z, x: 0, y: 0 }, [longitude, latitude])
  const last = 2 ** z - 1
  return { z, x: Math.min(last, Math.floor(x / 4096)), y: Math.min(last, Math.floor(y / 4096)) }
}
