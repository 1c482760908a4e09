import { geoJSONToTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { pmtilesOf, type TileBytes } from './pmtiles-writer.ts'

type Position = [east: number, north: number]
type Feature = { layer: string; properties: Record<string, string | number>; geometry: Geometry }
type Geometry = { type: 'Point' | 'LineString' | 'Polygon'; at: Position[] }

/** Half the sides of the town, in metres. */
const HALF = 600
const STREET_EVERY = 120
const MAX_ZOOM = 14
const NAMES = ['Cairn Row', 'Plumb Lane', 'Datum Street', 'Theodolite Way', 'Chain Alley', 'Level Road', 'Staff Walk']

/** A PMTiles archive of an invented town around a place: a river, a park, streets with names, and houses, in the Protomaps schema. The same on every run. */
export function townArchive(middle: { lat: number; lon: number }, header: Record<number, number> = {}): Buffer {
  const toDegrees = ([east, north]: Position): [number, number] => [
    middle.lon + east / (111_320 * Math.cos((middle.lat * Math.PI) / 180)),
    middle.lat + north / 111_320,
  ]
  const layers = Map.groupBy(townFeatures(), ({ layer }) => layer)
  const tiles: TileBytes[] = []
  const [west, south] = toDegrees([-HALF, -HALF])
  const [east, north] = toDegrees([HALF, HALF])
  for (let z = 0; z <= MAX_ZOOM; z++)
    for (let x = columnOf(west, z); x <= columnOf(east, z); x++)
      for (let y = rowOf(north, z); y <= rowOf(south, z); y++) {
        const parts = [...layers].map(([name, features]) => {
          const data = {
            type: 'FeatureCollection' as const,
            features: features.map((one) => geojsonOf(one, toDegrees)),
          }
          return [name, geoJSONToTile(data, z, x, y, { clip: true, tolerance: 0 })] as const
        })
        const drawn = parts.filter(([, tile]) => tile.features.length > 0)
        tiles.push({ z, x, y, bytes: fromGeojsonVt(Object.fromEntries(drawn), { version: 2, extent: 4096 }) })
      }
  const metadata = {
    name: 'An invented town',
    attribution: 'An invented town',
    version: '4.0.0',
    vector_layers: [...layers.keys()].map((id) => ({ id, fields: { kind: 'String' } })),
  }
  return pmtilesOf(tiles, { metadata, bounds: [west, south, east, north], header })
}

function townFeatures(): Feature[] {
  const box = ([west, south]: Position, [east, north]: Position): Geometry => ({
    type: 'Polygon',
    at: [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  })
  const features: Feature[] = [
    { layer: 'earth', properties: { kind: 'earth' }, geometry: box([-HALF, -HALF], [HALF, HALF]) },
    { layer: 'landuse', properties: { kind: 'park' }, geometry: box([60, 60], [300, 300]) },
    { layer: 'water', properties: { kind: 'river' }, geometry: box([-HALF, -200], [HALF, -130]) },
    {
      layer: 'places',
      properties: { kind: 'locality', kind_detail: 'town', name: 'Cairnby', min_zoom: 0, population_rank: 9 },
      geometry: { type: 'Point', at: [[0, 0]] },
    },
  ]
  for (let at = -HALF + STREET_EVERY, i = 0; at < HALF; at += STREET_EVERY, i++) {
    const kind = i % 3 === 0 ? 'major_road' : 'minor_road'
    const properties = { kind, kind_detail: kind === 'major_road' ? 'primary' : 'residential', min_zoom: 6 }
    const name = NAMES[i % NAMES.length]!
    const street = (geometry: Geometry, more: string): Feature => ({
      layer: 'roads',
      properties: { ...properties, name: `${name} ${more}` },
      geometry,
    })
    features.push(
      street(
        {
          type: 'LineString',
          at: [
            [-HALF, at],
            [HALF, at],
          ],
        },
        'East',
      ),
      street(
        {
          type: 'LineString',
          at: [
            [at, -HALF],
            [at, HALF],
          ],
        },
        'North',
      ),
    )
    for (let house = -HALF + 20; house < HALF; house += 60)
      features.push({
        layer: 'buildings',
        properties: { kind: 'building', height: 8, min_zoom: 13 },
        geometry: box([house, at + 12], [house + 30, at + 34]),
      })
  }
  return features
}

function geojsonOf({ properties, geometry }: Feature, toDegrees: (at: Position) => [number, number]): GeoJSON.Feature {
  const at = geometry.at.map(toDegrees)
  const shape: GeoJSON.Geometry =
    geometry.type === 'Point'
      ? { type: 'Point', coordinates: at[0]! }
      : geometry.type === 'LineString'
        ? { type: 'LineString', coordinates: at }
        : { type: 'Polygon', coordinates: [at] }
  return { type: 'Feature', properties, geometry: shape }
}

const columnOf = (longitude: number, z: number) => Math.floor(((longitude + 180) / 360) * 2 ** z)
function rowOf(latitude: number, z: number): number {
  const radians = (latitude * Math.PI) / 180
  return Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * 2 ** z)
}
