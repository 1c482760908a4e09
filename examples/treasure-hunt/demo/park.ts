import { createCairn } from '@cairn/sdk'

type Place = [lon: number, lat: number]

/** Greenwich Park, drawn by hand. */
const BOUNDARY: Place[] = [
  [-0.0057, 51.4801],
  [0.0007, 51.4815],
  [0.0053, 51.4797],
  [0.0078, 51.4771],
  [0.0061, 51.4739],
  [0.0012, 51.4724],
  [-0.0046, 51.4741],
  [-0.0073, 51.477],
]

const TREASURES: [title: string, where: Place][] = [
  ['The Astronomer’s Button', [-0.0014, 51.4778]],
  ['A Captain’s Compass', [-0.0031, 51.4793]],
  ['The Queen’s Acorn', [0.0012, 51.4785]],
  ['Nine Silver Deer', [0.0046, 51.4761]],
  ['The Gardener’s Key', [0.0016, 51.4743]],
  ['A Bandmaster’s Whistle', [-0.0022, 51.4762]],
  ['The Meridian Thread', [0.00003, 51.4796]],
  ['A Rose under Glass', [-0.0044, 51.4766]],
]

/** Creates what the hunt needs, as its host would in the console: an app with a server key and a client key, a zone, and a pin for each treasure. */
export async function layOutPark({ baseUrl, session }: { baseUrl: string; session: string }) {
  const host = createCairn({ baseUrl, session })
  const app = await host.apps.create({ name: 'Treasure hunt', description: 'Walk, dig, and be the first' })
  const zone = await host.zones.create({
    title: 'Greenwich Park',
    boundary: { type: 'Polygon', coordinates: [[...BOUNDARY, BOUNDARY[0]!]] },
  })
  for (const [title, [longitude, latitude]] of TREASURES)
    await host.pins.create({ title, latitude, longitude, contentType: 'TEXT', zoneId: zone.id })
  const { apiKey: clientKey } = await host.apps.createKey(app.id, { kind: 'client', name: 'Page' })
  return { serverKey: app.apiKey, clientKey, zoneId: zone.id }
}
