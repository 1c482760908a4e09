import type { Caller } from '../service.ts'

export const LAYERS = ['pins', 'gcps', 'zones'] as const
export type Layer = (typeof LAYERS)[number]

/** A square of half a degree, as the boundary of a zone. */
const square = (west: number, south: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + 0.5, south],
      [west + 0.5, south + 0.5],
      [west, south + 0.5],
      [west, south],
    ],
  ],
})
const point = (...coordinates: number[]) => ({ type: 'Point', coordinates })

/** Features in the Netherlands and in Germany, with and without heights; one control point and one zone without a place. */
const FEATURES: Record<Layer, [geometry: object | null, properties: object][]> = {
  pins: [
    [point(5.1, 52.1, 12.5), { title: 'Amersfoort', contentType: 'GLB', yaw: 10 }],
    [point(13.4, 52.5), { title: 'Berlin', contentType: 'USDZ' }],
    [point(10.1, 54.3), { title: "Kiel's harbour", contentType: 'GLB' }],
  ],
  gcps: [
    [point(5.2, 52.2, 40), { title: 'A', gcpType: 'SINGLE', aprilTagId: 1, altitude: 3.14 }],
    [point(13.5, 52.6, 41), { title: 'B', gcpType: 'MULTI', description: 'Wall' }],
    [null, { title: 'C', gcpType: 'SINGLE' }],
  ],
  zones: [
    [square(5, 52), { title: 'West' }],
    [square(13, 52.25), { title: 'East', description: 'Town' }],
    [null, { title: 'Nowhere' }],
  ],
}

/** Creates the features, as part 4 has it. @returns the IDs of each layer in their order, with the pins of control points */
export async function createLayers(user: Caller): Promise<Record<Layer, number[]>> {
  const ids: Record<Layer, number[]> = { pins: [], gcps: [], zones: [] }
  for (const layer of LAYERS)
    for (const [geometry, properties] of FEATURES[layer]) {
      const { status, body } = await user.post(`/ogc/collections/${layer}/items`, {
        type: 'Feature',
        geometry,
        properties,
      })
      if (status !== 201) throw new Error(JSON.stringify(body))
      ids[layer].push(body.id)
    }
  const { body } = await user.get('/ogc/collections/pins/items')
  return { ...ids, pins: body.features.map(({ id }: { id: number }) => id) }
}

/** The geometries of a layer in the order of its IDs. */
export function geometriesOf(layer: Layer): (object | null)[] {
  const of = (name: Layer) => FEATURES[name].map(([geometry]) => geometry)
  return layer === 'pins' ? [...of('pins'), ...of('gcps').filter((geometry) => geometry)] : of(layer)
}
