import type { FeatureCollection, GeoJSON } from 'geojson'
import { feature, mesh } from 'topojson-client'
import atlasUrl from 'world-atlas/countries-50m.json?url'
import placesUrl from './places.json?url'

type World = { land: GeoJSON; borders: GeoJSON; places: FeatureCollection }

let loading: Promise<World> | undefined

/** Land, borders and the names of large places, which the service brings along. Loaded once. @throws when the service does not answer */
export function loadWorld(): Promise<World> {
  loading ??= read()
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

async function read(): Promise<World> {
  const [atlas, places] = await Promise.all([json<Parameters<typeof feature>[0]>(atlasUrl), json<Place[]>(placesUrl)])
  return {
    land: feature(atlas, atlas.objects.land) as GeoJSON,
    borders: mesh(atlas, atlas.objects.countries, (a, b) => a !== b),
    places: { type: 'FeatureCollection', features: places.map(featureOf) },
  }
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
