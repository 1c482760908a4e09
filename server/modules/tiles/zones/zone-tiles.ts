import { setImmediate as breathe } from 'node:timers/promises'
import { geoJSONToTile } from '@maplibre/geojson-vt'
import { degreesOf, EXTENT, MAX_LATITUDE, placeOf, type TileAt } from '../points/mercator.ts'
import type { TileStore, ZoneNear } from '../store.ts'
import type { TileFeature } from '../vector-tile.ts'

/** The largest zones of a tile that are drawn. */
const MAX_ZONES = 1000
/** A tile reads zones, the largest first, until they have this many positions. */
const MAX_POSITIONS = 200_000
/** Zones read by one statement. */
const READ_AT_ONCE = 10
/** Units of a tile: half a pixel, if tiles are drawn with 512. */
const SMALL = 4
/** Beyond the edges, so that lines along them are not seen. */
const BUFFER = 64
const TOLERANCE = 3

type Deps = { store: Pick<TileStore, 'zonesIn' | 'boundaries'> }

/** The features of a tile of zones: boundaries, simplified to what can be seen, and boxes where they are too small to be seen. */
export const zoneTiles =
  ({ store }: Deps) =>
  async (tile: TileAt): Promise<TileFeature[]> => {
    const zones = await store.zonesIn(degreesAround(tile), MAX_ZONES)
    const features: TileFeature[] = []
    let positions = 0
    const read: ZoneNear[] = []
    for (const zone of zones) {
      if (sizeOf(zone, tile) < SMALL) features.push(...cut(zone, boxOf(zone), tile, 0))
      else if (positions + zone.positions <= MAX_POSITIONS || read.length === 0) {
        positions += zone.positions
        read.push(zone)
      }
    }
    for (let at = 0; at < read.length; at += READ_AT_ONCE) {
      const some = read.slice(at, at + READ_AT_ONCE)
      const boundaries = await store.boundaries(some.map(({ id }) => id))
      for (const zone of some) {
        const boundary = boundaries.get(zone.id)
        if (boundary) features.push(...cut(zone, JSON.parse(boundary), tile, TOLERANCE))
        await breathe()
      }
    }
    return features
  }

function cut({ id, title }: ZoneNear, geometry: GeoJSON.Geometry, { z, x, y }: TileAt, tolerance: number) {
  const feature: GeoJSON.Feature = { type: 'Feature', id, properties: { title }, geometry }
  const options = { clip: true, wrap: true, extent: EXTENT, buffer: BUFFER, tolerance, maxZoom: z }
  return geoJSONToTile(feature, z, x, y, options).features
}

const boxOf = ({ west, south, east, north }: ZoneNear): GeoJSON.Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
})

/** The longer side of a zone's extent, in units of a tile. */
function sizeOf({ west, south, east, north }: ZoneNear, { z }: TileAt): number {
  const within = (latitude: number) => Math.min(MAX_LATITUDE, Math.max(-MAX_LATITUDE, latitude))
  const [top, bottom] = [placeOf(within(north), west)!, placeOf(within(south), east)!]
  return Math.max(bottom.x - top.x, bottom.y - top.y) * 2 ** z * EXTENT
}

/** The box of a tile and its buffer, in degrees. */
function degreesAround({ z, x, y }: TileAt): [west: number, south: number, east: number, north: number] {
  const [margin, tiles] = [BUFFER / EXTENT, 2 ** z]
  const top = degreesOf({ x: (x - margin) / tiles, y: Math.max(0, (y - margin) / tiles) })
  const bottom = degreesOf({ x: (x + 1 + margin) / tiles, y: Math.min(1, (y + 1 + margin) / tiles) })
  const [south, north] = [y + 1 === tiles ? -90 : bottom.latitude, y === 0 ? 90 : top.latitude]
  return [top.longitude, south, bottom.longitude, north]
}
