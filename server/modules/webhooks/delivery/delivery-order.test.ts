import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '../../../platform/logging/log.ts'
import { type Builders, buildersOn, type User } from '../../../test/builders.ts'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { startSecondService } from '../../../test/second-service.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'
import { createDeliverer } from './deliverer.ts'
import { type Claimed, outboxStore, type Settled } from './outbox-store.ts'

let receiver: Receiver
let settings: Record<string, string>
let service: Service
let another: Awaited<ReturnType<typeof startSecondService>>
let given: Builders
let sql: Sql
let owner: User
beforeAll(async () => {
  receiver = await startReceiver()
  settings = { CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_WEBHOOK_RETRY_SECONDS: '0.02' }
  service = await startService(settings)
  another = await startSecondService(service, settings)
  given = buildersOn(service)
  sql = sqlOn(service)
  owner = await given.user()
})
afterAll(async () => {
  await another.stop()
  await service.stop()
  await receiver.stop()
})

const PLAYERS = 12
const SCORES = 15
/** Written at most, until both have sent. */
const MAX_SCORES = 300
const ATTEMPT = { at: new Date(0).toISOString(), status: 200, durationMs: 1, answer: null, error: null }
const DONE = { outcome: 'DELIVERED', wait: 0, pause: 0, attempt: ATTEMPT } as const

test('two processes send at once: each event arrives, those of a player in order', { tags: ['long'] }, async () => {
  let count = 0
  receiver.answer = (response) => {
    const isTaken = count++ % 5 > 0
    response.writeHead(isTaken ? 200 : 500).end()
    return isTaken
  }
  const app = await given.app({ owner })
  await owner.post(`/api/v1/apps/${app.id}/webhooks`, { url: receiver.url, eventTypes: ['score.updated'] })
  const session = (await app.post('/api/v1/apps/game-sessions', {})).body.id
  const players: string[] = []
  for (let i = 0; i < PLAYERS; i++) players.push((await given.player(app)).id)
  await sql('select register_player($1, $2, p) from unnest($3::uuid[]) p', [app.id, session, players])
  const sentBy = async ({ url }: { url: string }) => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return Number(metrics.match(/^cairn_webhook_attempts_total\{outcome="delivered"\} (\d+)/m)?.[1] ?? 0)
  }
  const haveBothSent = async () => (await Promise.all([service, another].map(sentBy))).every((count) => count > 0)
  let score = 0
  // The first process is woken by its own responses and may take all of a few deliveries; the other one polls four times a second.
  while (score < SCORES || (score < MAX_SCORES && !(await haveBothSent()))) {
    await sql('select save_score($1, $2, p, $4) from unnest($3::uuid[]) p', [app.id, session, players, ++score])
    if (score > SCORES) await sleep(20)
  }

  await receiver.count(PLAYERS * score)
  for (const player of players) {
    const scores = receiver.received.filter(({ data }) => data.playerId === player).map(({ data }) => data.score)
    expect(scores).toEqual(Array.from({ length: score }, (_, i) => i + 1))
  }
  expect(await haveBothSent()).toBe(true)
})

test('a delivery queued behind another while that one arrives is sent', async () => {
  const pool = new pg.Pool({ connectionString: service.databaseUrl })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  try {
    // Of an app whose endpoint is enabled only during the transactions of this test: no other process sends there.
    const app = await given.app({ owner })
    const at = `/api/v1/apps/${app.id}/webhooks`
    const { id } = (await owner.post(at, { url: receiver.url, eventTypes: ['player.created'] })).body
    await owner.patch(`${at}/${id}`, { enabled: false })
    const [first, second] = await sql<{ seq: number }>(
      `insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, data, hold, due_at)
       select $1, $2, new_event_id(), 'player.created', 'one', '{}', h, clock_timestamp() + make_interval(secs => s)
         from (values (1, 'SENDING', 90), (2, null, 0)) v(n, h, s) order by n returning seq`,
      [app.id, id],
    )

    await client.connect()
    await client.query('begin')
    await client.query('update webhook_endpoints set enabled = true where id = $1', [id])
    await client.query('select claim_deliveries(0, $1::uuid[], $2::int[], 90)', [[id], [5]])
    await client.query('update webhook_endpoints set enabled = false where id = $1', [id])
    const settled = outboxStore(pool).settle([{ ...DONE, seq: first!.seq }], 3)
    await Promise.race([settled, sleep(300)])
    await client.query('commit')
    await settled
    const [left] = await sql<{ hold: string | null; isDue: boolean }>(
      'select hold, due_at <= clock_timestamp() as "isDue" from webhook_deliveries where seq = $1',
      [second!.seq],
    )
    expect(left).toEqual({ hold: null, isDue: true })
  } finally {
    await client.end()
    await pool.end()
  }
})

test('a claim looks at a bounded part of a long backlog, and later claims at the rest', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  try {
    const app = await given.app({ owner })
    const at = `/api/v1/apps/${app.id}/webhooks`
    for (let i = 0; i < 10; i++) {
      const { id } = (await owner.post(at, { url: receiver.url, eventTypes: ['player.created'] })).body
      await owner.patch(`${at}/${id}`, { enabled: false })
    }
    // All about one subject, so that only the first of each endpoint can be sent.
    await sql(
      `insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, data)
       select e.app_id, e.id, new_event_id(), 'player.created', 'one', '{}'
         from webhook_endpoints e, generate_series(1, 1000) n where e.app_id = $1 order by n`,
      [app.id],
    )
    await client.connect()
    const claim = async () => {
      const { rows } = await client.query(
        'with claimed as (select from claim_deliveries(5, $1, $2, 90)) select count(*)::int as many from claimed',
        [[], []],
      )
      return rows[0].many as number
    }
    const postponed = async () =>
      (
        await client.query(
          `select count(*)::int as many from webhook_deliveries where app_id = $1 and hold = 'BEHIND'`,
          [app.id],
        )
      ).rows[0].many as number
    // Enabled only in this transaction, so that nobody else sends there.
    await client.query('begin')
    await client.query('update webhook_endpoints set enabled = true where app_id = $1', [app.id])
    expect(await claim()).toBe(10)
    const first = await postponed()
    expect(first).toBeGreaterThan(500)
    expect(first).toBeLessThan(6000)
    for (let calls = 0; calls < 10; calls++) expect(await claim()).toBe(0)
    expect(await postponed()).toBe(9990)
  } finally {
    await client.end()
  }
})

test('a delivery whose lease has passed to another process is neither released nor postponed; its success is recorded', async () => {
  const start = performance.now()
  let now = start
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const outcomes: Settled['outcome'][] = ['FAILED', 'DELIVERED', 'RETURNED']
  const said: Settled[] = []
  const waiting: Claimed[] = outcomes.map((_, seq) => ({ seq, endpointId: String(seq) }) as Claimed)
  const deliverer = createDeliverer({
    store: {
      claim: async () => waiting.splice(0),
      settle: async (results) => {
        said.push(...results)
        return []
      },
      release: async () => {},
    },
    // A process that is stopped in the middle of them.
    send: async ({ seq }) => {
      await sleep(10)
      now = start + 100_000
      return { seq, outcome: outcomes[seq]!, wait: 60, pause: 0, attempt: null }
    },
    onDisabled: () => {},
    concurrency: 1,
    rate: 1000,
    log: createLog('silent'),
  })
  try {
    await deliverer.start({ isAlone: false })
    for (let i = 0; i < 500 && said.length === 0; i++) await sleep(10)
    await deliverer.stop()
    expect(said.map(({ outcome }) => outcome)).toEqual(['DELIVERED'])
  } finally {
    clock.mockRestore()
  }
})
