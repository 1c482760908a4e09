import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { withTemporaryDatabase } from '../../databases/temporary-database.ts'
import { closedLoop } from '../../load/closed-loop.ts'
import { ask, send } from '../../load/http-client.ts'
import { startChild } from '../../processes/child.ts'
import type { Comparison } from '../../record/comparison.ts'

const FENCES = 10_000
const PLAYERS = 2000
const CLIENTS = 64
const MS = 8000
/** The side of the town, in degrees: some 11 km. */
const TOWN = 0.1
/** Fixes of a request. */
const BATCHES = [1, 10]

/** Returns a request with some fixes. */
type Walk = (fixes: number) => string
type Player = { walk: Walk; headers: Record<string, string> }

/**
 * Positions a second that one process judges at 10,000 fences, through HTTP, of players who walk about a town. Beside
 * it, what PostgreSQL alone can do for a request: an update of one row, in transactions of 32.
 */
export function benchFences(url: string): Promise<Comparison[]> {
  return withTemporaryDatabase(url, async (databaseUrl) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-fences-'))
    const service = await startChild<{ url: string; token: string }>('service-process.ts', [databaseUrl, folder])
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    try {
      const players = await seed(service, client)
      const compared: Comparison[] = []
      for (const fixes of BATCHES) {
        const report = async () => {
          const { headers, walk } = players[Math.floor(Math.random() * players.length)]!
          await send(`${service.url}/api/v1/apps/positions`, { method: 'POST', headers, body: walk(fixes) })
        }
        await closedLoop(CLIENTS, MS / 4, report)
        const before = await service.cpu()
        const { perSecond, seconds, p50Ms, p99Ms } = await closedLoop(CLIENTS, MS, report)
        const cpuMicroseconds = ((await service.cpu()) - before) / (perSecond * seconds)
        const megabytes = await service.memoryInUse()
        const peer = await updatesOf(client)
        compared.push({
          name: `positions at ${FENCES.toLocaleString('en')} fences, ${fixes} a request / updates of a row in PostgreSQL`,
          ours: {
            requestsPerSecond: perSecond,
            fixesPerSecond: perSecond * fixes,
            p50Ms,
            p99Ms,
            cpuMicroseconds,
            megabytes,
          },
          peer,
          ratio: perSecond / peer.perSecond,
          target: 'none: how far one process goes',
        })
      }
      return compared
    } finally {
      await client.end()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

async function seed(service: { url: string; token: string }, client: pg.Client): Promise<Player[]> {
  const json = { 'content-type': 'application/json' }
  const post = async (path: string, headers: Record<string, string>, body: object) =>
    JSON.parse(
      await ask(service.url + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) }),
    )
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const app = await post('/api/v1/apps', bearer(service.token), { name: 'Town', description: 'A town' })
  const key = { 'x-app-api-key': app.apiKey }
  await client.query(
    `with made as (
       insert into pins (title, latitude, longitude, content_type)
       select 'Place', 48 + random() * ${TOWN}, 11 + random() * ${TOWN}, 'GLB' from generate_series(1, ${FENCES}) returning id)
     insert into fences (app_id, id, name, pin_id, radius, max_accuracy, listed)
     select $1, gen_random_uuid(), 'Place', id, 10 + random() * 40, 100, false from made`,
    [app.id],
  )
  const players: Player[] = []
  for (let i = 0; i < PLAYERS; i++) {
    const { id } = await post('/api/v1/apps/players', key, { displayName: `Walker ${i}` })
    const { playerToken } = await post('/auth/player-token', key, { playerId: id })
    players.push({ walk: walk(), headers: { ...json, ...key, ...bearer(playerToken) } })
  }
  return players
}

/** A walk in steps of up to 15 metres, a second each. Each call returns the request of the next ones. */
function walk(): Walk {
  let [lat, lon] = [48 + Math.random() * TOWN, 11 + Math.random() * TOWN]
  return (count) => {
    const now = Date.now()
    const fixes = Array.from({ length: count }, (_, i) => {
      lat += (Math.random() - 0.5) * 2.7e-4
      lon += (Math.random() - 0.5) * 2.7e-4
      return { lat, lon, accuracy: 8, at: new Date(now - (count - 1 - i)).toISOString() }
    })
    return JSON.stringify({ fixes })
  }
}

/** Updates of random rows of that table by two connections, in transactions of 32. */
async function updatesOf(client: pg.Client): Promise<{ perSecond: number }> {
  const { rows } = await client.query<{ id: string }>('select player_id as id from player_positions')
  const group = 32
  const loop = await closedLoop(2, MS / 2, () =>
    client.query({
      name: 'update',
      text: 'update player_positions set version = version + 1 where player_id = any($1)',
      values: [Array.from({ length: group }, () => rows[Math.floor(Math.random() * rows.length)]!.id)],
    }),
  )
  return { perSecond: loop.perSecond * group }
}
