import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { withTemporaryDatabase } from '../databases/temporary-database.ts'
import { cpuSecondsOf } from '../measure/process-cpu.ts'
import { startChild } from '../processes/child.ts'
import type { Comparison } from '../record/comparison.ts'

const EVENTS = 5000
/** Scores in one transaction under load. */
const GROUP = 64
const SCORES = 10_000
const ROUNDS = 5

/**
 * Measures the database CPU time of a score with and without a webhook, and the events per second delivered to a receiver
 * beside plain posts to the same receiver.
 */
export function benchWebhooks(url: string): Promise<Comparison[]> {
  return withTemporaryDatabase(url, async (databaseUrl) => {
    const game = await seed(databaseUrl)
    const publishing = await costOfPublishing(databaseUrl, game)
    return [...publishing, await throughput(databaseUrl)]
  })
}

type Game = { app: string; session: string }

/** Creates an app with a running session of many players. */
async function seed(url: string): Promise<Game> {
  const [user, app, session] = [randomUUID(), randomUUID(), randomUUID()]
  await withClient(url, async (client) => {
    await client.query(`insert into users (id, issuer, subject) values ($1, 'bench', 'bench')`, [user])
    await client.query(
      `insert into apps (id, owner_id, name, description, visibility) values ($1, $2, 'Bench', 'Bench', 'PRIVATE')`,
      [app, user],
    )
    await client.query(
      `insert into game_sessions (app_id, id, type_key) values ($1, $2, '00000000-0000-0000-0000-000000000000')`,
      [app, session],
    )
    await client.query(
      `insert into players (app_id, id, display_name, name_key) select $1, gen_random_uuid(), 'p' || i, 'p' || i from generate_series(1, ${SCORES}) i`,
      [app],
    )
    await client.query('select count(register_player($1, $2, p.id)) from players p where p.app_id = $1', [app, session])
    await client.query('analyze')
  })
  return { app, session }
}

/** Statements that write a score for each player, one by one or in groups. */
const writing = ({ app, session }: Game) => ({
  save_score: `do $$ declare p uuid; begin
    for p in select id from players where app_id = '${app}' loop
      perform save_score('${app}', '${session}', p, random() * 1e6);
    end loop; end $$`,
  save_scores_group: `do $$ declare p uuid[]; begin
    for p in select array_agg(id) from (select id, row_number() over () / ${GROUP} as part from players where app_id = '${app}') one group by part loop
      perform save_scores_group(array_fill('${app}'::uuid, array[cardinality(p)]), array_fill('${session}'::uuid, array[cardinality(p)]),
        p, array(select random() * 1e6 from unnest(p)));
    end loop; end $$`,
})

/** Returns the database CPU time of one score, in microseconds. */
async function scoreCost(client: pg.Client, statement: string): Promise<number> {
  await client.query('vacuum session_players, player_best')
  const { pid } = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!
  const before = await cpuSecondsOf(pid)
  await client.query(statement)
  return (((await cpuSecondsOf(pid)) - before) * 1e6) / SCORES
}

async function costOfPublishing(url: string, game: Game): Promise<Comparison[]> {
  return withClient(url, async (client) => {
    const endpoint = randomUUID()
    const setups = {
      none: 'select 1',
      one: `insert into webhook_endpoints (app_id, id, url, event_types, secret) values ('${game.app}', '${endpoint}', 'x', '{score.updated}', 'x')`,
    }
    const compared: Comparison[] = []
    for (const [name, statement] of Object.entries(writing(game))) {
      const costs: Record<keyof typeof setups, number[]> = { none: [], one: [] }
      await scoreCost(client, statement)
      for (let round = 0; round < ROUNDS; round++) {
        for (const [setup, change] of Object.entries(setups)) {
          await client.query(change)
          costs[setup as keyof typeof setups].push(await scoreCost(client, statement))
        }
        await client.query('delete from webhook_endpoints')
        await client.query('truncate webhook_deliveries, webhook_events')
      }
      const [none, one] = [Math.min(...costs.none), Math.min(...costs.one)]
      compared.push({
        name: `${name} with a webhook / without one`,
        ours: { microseconds: one },
        peer: { microseconds: none },
        ratio: one / none,
        target: 'none: what an event costs',
      })
    }
    return compared
  })
}

async function throughput(url: string): Promise<Comparison> {
  const receiver = await startReceiver()
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-webhooks-'))
  process.env.CAIRN_BENCH_SETTINGS = JSON.stringify({ CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_WEBHOOK_RATE: '10000' })
  const service = await startChild<{ url: string; token: string }>('service-process.ts', [url, folder])
  delete process.env.CAIRN_BENCH_SETTINGS
  try {
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
    const post = async (path: string, body: object) => {
      const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(await answer.text())
      return (await answer.json()) as { id: string }
    }
    const own = await post('/api/v1/apps', { name: 'Bench', description: 'Bench' })
    await post(`/api/v1/apps/${own.id}/webhooks`, { url: receiver.url, eventTypes: ['player.created'] })
    const startedAt = performance.now()
    const before = await service.cpu()
    await withClient(url, (client) =>
      client.query(
        `insert into players (app_id, id, display_name, name_key) select $1, gen_random_uuid(), 'q' || i, 'q' || i from generate_series(1, ${EVENTS}) i`,
        [own.id],
      ),
    )
    while (receiver.count() < EVENTS) await sleep(5)
    const seconds = (performance.now() - startedAt) / 1000
    const ours = { eventsPerSecond: EVENTS / seconds, cpuMicroseconds: ((await service.cpu()) - before) / EVENTS }
    const alone = performance.now()
    for (let i = 0; i < EVENTS; i += 10)
      await Promise.all(Array.from({ length: 10 }, () => fetch(receiver.url, { method: 'POST', body: '{}' })))
    const peer = { postsPerSecond: EVENTS / ((performance.now() - alone) / 1000) }
    const ratio = ours.eventsPerSecond / peer.postsPerSecond
    return { name: 'events delivered a second / posts of fetch to the same receiver', ours, peer, ratio, target: '0.3' }
  } finally {
    await service.stop()
    receiver.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startReceiver() {
  let count = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count++
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}/`, count: () => count, stop: () => void server.close() }
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
