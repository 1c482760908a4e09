import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type Receiver, startReceiver } from '../../test/network/receiver.ts'
import { webhooksOn } from '../../test/network/webhooks.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let receiver: Receiver
let service: Service
let given: Builders
let sql: Sql
let owner: Caller
let webhooks: ReturnType<typeof webhooksOn>
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_WEBHOOK_RETRY_SECONDS: '3600' })
  given = buildersOn(service)
  sql = sqlOn(service)
  owner = await given.user()
  webhooks = webhooksOn(service, owner, receiver)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(() => {
  receiver.answer = (response) => {
    response.writeHead(500).end()
    return false
  }
})

const events = (subject: string) =>
  sql<{ id: string; data: object }>('select id, data from webhook_events where subject = $1', [subject])

/** An app with two webhooks for events of players. */
async function twoWebhooks() {
  const first = await webhooks.subscribed()
  const eventTypes = ['player.created']
  const { body } = await owner.post(first.list, { url: receiver.url, eventTypes })
  return { app: first.app, at: [first.at, `${first.list}/${body.id}`] as const }
}

test('the payload of an event is kept once, and shown with each of its deliveries', async () => {
  const { app, at } = await twoWebhooks()
  const player = await given.player(app)
  const [event, ...others] = await events(player.id)
  expect(others).toEqual([])
  expect(await sql('select data from webhook_deliveries where id = $1', [event!.id])).toEqual([
    { data: null },
    { data: null },
  ])
  for (const one of at) {
    const delivery = await webhooks.deliveryOf(one, () => true)
    expect(delivery).toMatchObject({ id: event!.id, payload: { type: 'player.created', data: { id: player.id } } })
  }
})

test('each score of a batch is an event of its own, kept once', async () => {
  const first = await webhooks.subscribed(['score.updated'])
  await owner.post(first.list, { url: receiver.url, eventTypes: ['score.updated'] })
  const apps = '/api/v1/apps'
  const { id } = (await first.app.post(`${apps}/game-sessions`, {})).body
  const players = [await given.player(first.app, 'Ada'), await given.player(first.app, 'Bob')]
  for (const player of players) await first.app.post(`${apps}/game-sessions/${id}/players`, { playerId: player.id })
  const scores = players.map((player, at) => ({ playerId: player.id, score: at + 1 }))
  expect((await first.app.post(`${apps}/game-sessions/${id}/scores`, { scores })).status).toBe(200)
  for (const { playerId, score } of scores) {
    expect(await events(playerId)).toMatchObject([{ data: { playerId, score, gameSessionId: id } }])
    const told = await sql('select app_id from webhook_deliveries where subject = $1', [playerId])
    expect(told).toEqual([{ app_id: first.app.id }, { app_id: first.app.id }])
  }
})

test('a delivery of the release before, which holds its payload, is shown and arrives', async () => {
  const { app, at } = await webhooks.subscribed()
  const id = at.split('/').at(-1)!
  receiver.answer = (response) => {
    response.end()
    return true
  }
  await sql(
    `insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, data)
     values ($1, $2, new_event_id(), 'player.created', 'before', '{"from": "before"}')`,
    [app.id, id],
  )
  expect(await receiver.next(({ data }) => data.from === 'before')).toBeDefined()
  expect((await webhooks.deliveryOf(at, ({ status }) => status === 'DELIVERED')).payload.data).toEqual({
    from: 'before',
  })
})

test('an event goes with the last of its deliveries', async () => {
  const { app, at } = await twoWebhooks()
  const player = await given.player(app)
  const remove = (webhook: string) =>
    sql('delete from webhook_deliveries where endpoint_id = $1', [webhook.split('/').at(-1)])
  await remove(at[0])
  expect(await events(player.id)).toHaveLength(1)
  await remove(at[1])
  expect(await events(player.id)).toEqual([])
})

test('an event goes also when its last deliveries are removed at the same time', async () => {
  const { app, at } = await twoWebhooks()
  const player = await given.player(app)
  const clients = await Promise.all(
    at.map(async () => {
      const client = new pg.Client({ connectionString: service.databaseUrl })
      await client.connect()
      return client
    }),
  )
  const removals: Promise<unknown>[] = []
  for (const [n, client] of clients.entries()) {
    await client.query('begin')
    const webhook = at[n]!.split('/').at(-1)
    removals.push(client.query('delete from webhook_deliveries where endpoint_id = $1', [webhook]))
    // The second waits for the first.
    await sleep(100)
  }
  for (const [n, client] of clients.entries()) {
    await removals[n]
    await client.query('commit')
    await client.end()
  }
  expect(await events(player.id)).toEqual([])
})
