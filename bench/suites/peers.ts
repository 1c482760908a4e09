import pg from 'pg'
import { RankIndex } from '../../server/modules/scoring/ranks/memory/rank-index.ts'
import { closedLoop, type Throughput } from '../load/closed-loop.ts'
import { send } from '../load/http-client.ts'
import { startPocketBase } from '../peers/pocketbase.ts'
import { startRedis } from '../peers/redis.ts'
import { withBoardService } from '../processes/board-service.ts'
import type { Comparison } from '../record/comparison.ts'

const CLIENTS = 16
const PIPELINE = 200

/**
 * Runs the same work on other software: write a score of a random player, then read that player's rank. Peers that cannot be
 * installed are skipped with a message.
 */
export async function benchPeers(url: string, ms = 4000): Promise<Comparison[]> {
  return [...(await besideRedis(url, 1_000_000, ms)), ...(await besidePocketBase(url, 100_000, ms))]
}

async function besideRedis(url: string, size: number, ms: number): Promise<Comparison[]> {
  const redis = await startRedis()
  if (!redis) return missing('Redis')
  try {
    const { client } = redis
    const members = Array.from({ length: size }, (_, n) => `player-${n}`)
    for (let from = 0; from < size; from += 1000)
      await client.zadd('board', ...members.slice(from, from + 1000).flatMap((one) => [Math.random() * 1e9, one]))
    const some = () => members[Math.floor(Math.random() * size)]!

    const scores = Float64Array.from({ length: size }, () => Math.random() * 1e9)
    const index = RankIndex.fromSorted(scores.toSorted())
    const times = 500_000
    const start = performance.now()
    for (let n = 0; n < times; n++) {
      const at = Math.floor(Math.random() * size)
      const score = Math.random() * 1e9
      index.move(scores[at]!, score)
      scores[at] = score
      index.above(score)
    }
    const inIndex = ((performance.now() - start) * 1000) / times

    const turns = Math.ceil(50_000 / PIPELINE)
    const startedAt = performance.now()
    for (let turn = 0; turn < turns; turn++) {
      const pipeline = client.pipeline()
      for (let n = 0; n < PIPELINE; n++) {
        const score = Math.random() * 1e9
        pipeline.zadd('board', score, some()).zcount('board', `(${score}`, '+inf')
      }
      await pipeline.exec()
    }
    const piped = ((performance.now() - startedAt) * 1000) / (turns * PIPELINE)

    const raw = await closedLoop(CLIENTS, ms, async () => {
      const score = Math.random() * 1e9
      await client.zadd('board', score, some())
      await client.zcount('board', `(${score}`, '+inf')
    })
    const ours = await cycles(url, size, ms)
    return [
      {
        name: `update and rank at ${size}: the index / Redis ZADD and ZCOUNT, ${PIPELINE} a pipeline`,
        ours: { µs: inIndex },
        peer: { µs: piped },
        ratio: inIndex / piped,
        target: '≤ 0.2',
      },
      {
        name: `score and rank at ${size}: HTTP, checked and durable / Redis in memory, ${CLIENTS} clients`,
        ours,
        peer: raw,
        ratio: ours.perSecond / raw.perSecond,
        target: 'none: raw Redis keeps nothing, checks nothing and speaks no HTTP',
      },
    ]
  } finally {
    await redis.stop()
  }
}

async function besidePocketBase(url: string, size: number, ms: number): Promise<Comparison[]> {
  const pocketBase = await startPocketBase(size)
  if (!pocketBase) return missing('PocketBase')
  try {
    const { ids } = pocketBase
    const records = `${pocketBase.url}/api/collections/scores/records`
    const cycle = async () => {
      const id = ids[Math.floor(Math.random() * size)]!
      const score = Math.random() * 1e9
      const headers = { 'content-type': 'application/json' }
      await send(`${records}/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ score }) })
      await send(`${records}?perPage=1&fields=id&filter=${encodeURIComponent(`score>${score}`)}`)
    }
    await closedLoop(CLIENTS, ms / 4, cycle)
    const peer = await closedLoop(CLIENTS, ms, cycle)
    const ours = await cycles(url, size, ms)
    return [
      {
        name: `score and rank at ${size} over HTTP / PocketBase 0.22, ${CLIENTS} clients`,
        ours,
        peer,
        ratio: ours.perSecond / peer.perSecond,
        target: '≥ 5',
      },
    ]
  } finally {
    await pocketBase.stop()
  }
}

/** Writes and ranks scores through the whole service, in its own process. */
function cycles(url: string, size: number, ms: number): Promise<Throughput> {
  return withBoardService(url, size, async ({ service, databaseUrl, app }) => {
    const players = await someOf(databaseUrl, app.id)
    const apps = `${service.url}/api/v1/apps`
    const headers = { 'x-app-api-key': app.apiKey, 'content-type': 'application/json' }
    const cycle = async () => {
      const id = players[Math.floor(Math.random() * players.length)]!
      const body = JSON.stringify({ score: Math.random() * 1e9 })
      await send(`${apps}/game-sessions/${app.id}/players/${id}`, { method: 'PATCH', headers, body })
      await send(`${apps}/players/${id}/global-ranking`, { headers })
    }
    await cycle()
    await new Promise((resolve) => setTimeout(resolve, 2000)) // the index of the board loads
    await closedLoop(CLIENTS, ms / 4, cycle)
    return await closedLoop(CLIENTS, ms, cycle)
  })
}

async function someOf(url: string, app: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from players where app_id = $1 limit 50000', [app])
  await client.end()
  return rows.map(({ id }) => id)
}

function missing(name: string): Comparison[] {
  console.error(`  ${name} could not be installed: its comparisons are skipped`)
  return []
}
