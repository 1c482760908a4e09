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

const TREASURES: [title: string, where: Place, points: number][] = [
  ['The Astronomer’s Button', [-0.0014, 51.4778], 100],
  ['A Captain’s Compass', [-0.0031, 51.4793], 40],
  ['The Queen’s Acorn', [0.0012, 51.4785], 60],
  ['Nine Silver Deer', [0.0046, 51.4761], 90],
  ['The Gardener’s Key', [0.0016, 51.4743], 70],
  ['A Bandmaster’s Whistle', [-0.0022, 51.4762], 50],
  ['The Meridian Thread', [0.00003, 51.4796], 80],
  ['A Rose under Glass', [-0.0044, 51.4766], 60],
]

/** How close, in metres, a player must be to dig for a treasure. */
const REACH = 25

type Host = {
  baseUrl: string
  /** The session of who hosts the hunt. */
  session: string
  /** The sessions of who plays it. */
  players: string[]
}

/** Creates what the hunt needs, as its host would in the console: an app with a client key, a zone, a pin with a fence for each treasure, and the players. */
export async function layOutPark({ baseUrl, session, players }: Host) {
  const host = createCairn({ baseUrl, session })
  const app = await host.apps.create({ name: 'Treasure hunt', description: 'Walk, dig, and climb the board' })
  const zone = await host.zones.create({
    title: 'Greenwich Park',
    boundary: { type: 'Polygon', coordinates: [[...BOUNDARY, BOUNDARY[0]!]] },
  })
  // The server key is used here alone: the hunt itself runs without one.
  const game = createCairn({ baseUrl, appKey: app.apiKey })
  for (const [name, [longitude, latitude], points] of TREASURES) {
    const pin = await host.pins.create({ title: name, latitude, longitude, contentType: 'TEXT', zoneId: zone.id })
    const checkIn = { once: 'ever' as const, award: { points } }
    await game.fences.create({ name, pinId: pin.id, radius: REACH, listed: true, checkIn })
  }
  for (const [i, player] of players.entries()) {
    const { id: userId } = await createCairn({ baseUrl, session: player }).user.get()
    await game.players.create({ displayName: `Hunter ${i + 1}`, userId })
  }
  const { apiKey: clientKey } = await host.apps.createKey(app.id, { kind: 'client', name: 'Page' })
  return { clientKey, zoneId: zone.id }
}
