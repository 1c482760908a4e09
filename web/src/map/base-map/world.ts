import type { FeatureCollection, GeoJSON, MultiPolygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import atlasUrl from 'world-atlas/countries-50m.json?url'
import placesUrl from '../places.json?url'

type World = { land: GeoJSON; borders: GeoJSON; places: FeatureCollection }

let loading: Promise<World> | undefined

/** Land, borders and names of large places, bundled with the service. Loaded once. @throws if the service does not answer */
export function loadWorld(): Promise<World> {
  loading ??= read()
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

async function read(): Promise<World> {
  const [atlas, places] = await Promise.all([json<Parameters<typeof feature>[0]>(atlasUrl), json<Place[]>(placesUrl)])
  const borders = mesh(atlas, atlas.objects.countries, (a, b) => a !== b)
  return {
    land: onSea(uncut(feature(atlas, atlas.objects.land) as FeatureCollection<MultiPolygon>)),
    borders: { ...borders, coordinates: borders.coordinates.map(unwrapped) },
    places: { type: 'FeatureCollection', features: places.map(featureOf) },
  }
}

/** The land with the sea around it, which is drawn first. One source has both, so that neither appears without the other. */
const onSea = (land: FeatureCollection): FeatureCollection => ({
  ...land,
  features: [
    {
      type: 'Feature',
      properties: { part: 'sea' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-180, -90],
            [180, -90],
            [180, 90],
            [-180, 90],
            [-180, -90],
          ],
        ],
      },
    },
    ...land.features,
  ],
})

/** Rings in the atlas jump across 180°. This unwraps their longitudes, and closes rings around a pole along it. */
const uncut = (land: FeatureCollection<MultiPolygon>): FeatureCollection => ({
  ...land,
  features: land.features.map(({ geometry, ...rest }) => ({
    ...rest,
    geometry: {
      ...geometry,
      coordinates: geometry.coordinates.map((rings) => rings.map((ring) => closed(unwrapped(ring)))),
    },
  })),
})

function unwrapped(line: Position[]): Position[] {
  let turns = 0
  return line.map(([longitude, latitude], i) => {
    const before = line[i - 1]?.[0] ?? longitude!
    if (longitude! - before > 180) turns -= 360
    else if (longitude! - before < -180) turns += 360
    return [longitude! + turns, latitude!]
  })
}

function closed(ring: Position[]): Position[] {
  const [from, to] = [ring[0]!, ring.at(-1)!]
  if (Math.abs(from[0]! - to[0]!) < 180) return ring
  const pole = from[1]! < 0 ? -90 : 90
  return [...ring, [to[0]!, pole], [from[0]!, pole], from]
}

type Place = [name: string, longitude: number, latitude: number]

const featureOf = ([name, longitude, latitude]: Place, rank: number): FeatureCollection['features'][number] => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  properties: { name, rank },
})

async function json<Content>(url: string): Promise<Content> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${response.status} for ${url}`)
  return (await response.json()) as Content
}
