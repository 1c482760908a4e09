import geodesic from 'geographiclib-geodesic'
import { buildersOn } from '../builders.ts'
import type { Answer, Caller, Service } from '../service.ts'

const { WGS84 } = geodesic.Geodesic

let count = 0

/** A place, in degrees. */
export type Place = { lat: number; lon: number }

/** The place that is some metres away in a direction, in degrees clockwise from north. */
export function away({ lat, lon }: Place, metres: number, azimuth = 90): Place {
  const { lat2, lon2 } = WGS84.Direct(lat, lon, azimuth, metres) as { lat2: number; lon2: number }
  return { lat: lat2, lon: lon2 }
}

/** A fix at a place, measured some seconds ago. */
export const fixAt = (
  place: Place,
  { ago = 0, accuracy = 5, ...others }: { ago?: number; accuracy?: number; mocked?: boolean } = {},
) => ({
  ...place,
  accuracy,
  at: new Date(Date.now() - ago * 1000).toISOString(),
  ...others,
})

export type FenceWorld = Awaited<ReturnType<typeof fenceWorldOn>>

/** An app with a client key, whose players report positions. */
export async function fenceWorldOn(service: Service) {
  const given = buildersOn(service)
  const owner = await given.user()
  const app = await given.app({ owner })
  const { body: key } = await owner.post(`/api/v1/apps/${app.id}/api-keys`, { kind: 'client', name: 'Game' })
  const made = ({ status, body }: Answer) => {
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body
  }

  return {
    owner,
    app,
    /** The game without a player. */
    game: service.as({ 'x-app-api-key': key.apiKey }),

    /** A player with the game: a caller with a player token. */
    async player(userId?: string): Promise<Caller & { id: string }> {
      const player = { displayName: `Walker ${++count}`, ...(userId && { userId }) }
      const { id } = made(await app.post('/api/v1/apps/players', player))
      const { playerToken } = made(await app.post('/auth/player-token', { playerId: id }))
      return { ...service.as({ 'x-app-api-key': key.apiKey, authorization: `Bearer ${playerToken}` }), id }
    },

    /** A fence around a new pin. */
    async circle({ lat, lon }: Place, radius: number, fence: object = {}): Promise<{ id: string; pinId: number }> {
      const pin = made(
        await owner.post('/api/location/pins', { title: 'Well', contentType: 'GLB', latitude: lat, longitude: lon }),
      )
      return made(await app.post('/api/v1/apps/fences', { name: 'Well', pinId: pin.id, radius, ...fence }))
    },

    /** A fence of a new zone. @param ring longitude and latitude */
    async area(ring: [number, number][], fence: object = {}): Promise<{ id: string; zoneId: number }> {
      const boundary = { type: 'Polygon', coordinates: [ring] }
      const zone = made(await owner.post('/api/zones', { title: 'Park', boundary }))
      return made(await app.post('/api/v1/apps/fences', { name: 'Park', zoneId: zone.id, ...fence }))
    },
  }
}
