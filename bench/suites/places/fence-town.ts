import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { type FenceSet, fenceSet } from '../../../server/modules/fences/matching/fence-set.ts'
import { eachOnce } from '../../load/closed-loop.ts'
import { ask } from '../../load/http-client.ts'
import type { BoardService } from '../../processes/board-service.ts'

/** The side of the town, in degrees: some 11 km. */
const TOWN = 0.1
/** Steps of a walk, in degrees: up to 15 metres. */
const STEP = 2.7e-4
const CLIENTS = 32

type Place = { lat: number; lon: number; radius: number }
type TownFix = { lat: number; lon: number; accuracy: number; at: string }
/** Returns the next fixes of a walk. */
export type Walk = (fixes: number) => TownFix[]
export type Walker = { walk: Walk; headers: Record<string, string> }

/** Places of a radius of 10 to 50 metres, anywhere in the town. */
export const townPlaces = (count: number): Place[] =>
  Array.from({ length: count }, () => ({ ...somewhere(), radius: 10 + Math.random() * 40 }))

/** Makes each place a fence of the app. */
export async function seedFences(client: pg.Client, app: string, places: Place[]): Promise<void> {
  await client.query(
    `with place as materialized (
       select gen_random_uuid() as title, * from unnest($2::float8[], $3::float8[], $4::float8[]) p(lat, lon, radius)),
     made as (
       insert into pins (title, latitude, longitude, content_type)
       select title, lat, lon, 'GLB' from place returning id, title)
     insert into fences (app_id, id, name, pin_id, radius, max_accuracy, listed)
     select $1, gen_random_uuid(), 'Place', id, radius, 100, false from made join place on made.title = place.title::text`,
    [app, ...(['lat', 'lon', 'radius'] as const).map((member) => places.map((place) => place[member]))],
  )
}

/** The same fences in the memory of this process. */
export const fencesAt = (places: Place[]): FenceSet =>
  fenceSet(
    1,
    places.map(({ lat, lon, radius }) => ({
      ...{
        id: randomUUID(),
        name: 'Place',
        zoneId: null,
        pinId: 1,
        maxAccuracy: 100,
        dwellSeconds: null,
        checkIn: null,
      },
      ...{ latitude: lat, longitude: lon, radius },
    })),
    new Map(),
  )

/** Players of the app with their tokens, who walk about the town. */
export async function walkers(client: pg.Client, { service, app }: BoardService, count: number): Promise<Walker[]> {
  const { rows } = await client.query<{ id: string }>(
    `insert into players (app_id, id, display_name, name_key)
       select $1, gen_random_uuid(), 'Walker ' || n, 'walker ' || n from generate_series(1, $2::int) n returning id`,
    [app.id, count],
  )
  const headers = { 'content-type': 'application/json', 'x-app-api-key': app.apiKey }
  const players: Walker[] = []
  await eachOnce(CLIENTS, rows, async ({ id: playerId }) => {
    const body = JSON.stringify({ playerId, lifetimeSeconds: 86_400 })
    const { playerToken } = JSON.parse(await ask(`${service.url}/auth/player-token`, { method: 'POST', headers, body }))
    players.push({ walk: newWalk(), headers: { ...headers, authorization: `Bearer ${playerToken}` } })
  })
  return players
}

const somewhere = () => ({ lat: 48 + Math.random() * TOWN, lon: 11 + Math.random() * TOWN })

/** A walk that begins somewhere in the town. */
export function newWalk(): Walk {
  let { lat, lon } = somewhere()
  return (count) => {
    const now = Date.now()
    return Array.from({ length: count }, (_, i) => {
      lat += (Math.random() - 0.5) * STEP
      lon += (Math.random() - 0.5) * STEP
      return { lat, lon, accuracy: 8, at: new Date(now - (count - 1 - i)).toISOString() }
    })
  }
}
