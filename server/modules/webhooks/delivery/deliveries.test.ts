import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Builders, buildersOn, type User } from '../../../test/builders.ts'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { webhooksOn } from '../../../test/network/webhooks.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let receiver: Receiver
let service: Service
let given: Builders
let sql: Sql
let user: User
let webhooks: ReturnType<typeof webhooksOn>
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_WEBHOOK_RETRY_SECONDS: '0.05' })
  given = buildersOn(service)
  sql = sqlOn(service)
  user = await given.user()
  webhooks = webhooksOn(service, user, receiver)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.answer = (response) => {
    response.end()
    return true
  }
})

test('what fails is tried again until it is taken, each attempt with what came of it', async () => {
  const { app, at } = await webhooks.subscribed()
  let failures = 0
  receiver.answer = (response) => {
    if (++failures > 2) return Boolean(response.end('thanks\0'))
    response.writeHead(500).end('x'.repeat(5000))
    return false
  }
  const player = await given.player(app)
  const delivery = await webhooks.deliveryOf(at, ({ status }) => status === 'DELIVERED')
  expect(delivery).toMatchObject({
    subject: player.id,
    eventType: 'player.created',
    attempts: 3,
    lastStatus: 200,
    nextAttemptAt: null,
  })
  expect(delivery.payload).toEqual({ type: 'player.created', timestamp: delivery.createdAt, data: player })
  expect(delivery.log.map(({ status }: { status: number }) => status)).toEqual([500, 500, 200])
  expect(delivery.log[0].answer).toBe('x'.repeat(1024))
  expect(delivery.log[2].answer).toBe('thanks\uFFFD')
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toEqual([delivery.id])
})

test('events of a subject wait for the one that goes first, and no others do', { tags: ['long'] }, async () => {
  const { app } = await webhooks.subscribed()
  const held = await given.player(app)
  await receiver.next(({ data }) => data.id === held.id)
  let failures = 0
  receiver.answer = (response, { data, type }) => {
    if (data.id === held.id && type === 'player.updated' && failures++ < 3) {
      response.writeHead(503).end()
      return false
    }
    response.end()
    return true
  }
  for (const displayName of ['One', 'Two']) await app.patch(`/api/v1/apps/players/${held.id}`, { displayName })
  await app.delete(`/api/v1/apps/players/${held.id}`)
  const other = await given.player(app)
  await receiver.next(({ type }) => type === 'player.deleted')
  const names = receiver.received
    .filter(({ data }) => data.id === held.id)
    .map(({ type, data }) => `${type} ${data.displayName}`)
  expect(names).toEqual([
    `player.created ${held.displayName}`,
    'player.updated One',
    'player.updated Two',
    'player.deleted Two',
  ])
  const order = receiver.received.map(({ data }) => data.id)
  expect(order.indexOf(other.id)).toBeLessThan(order.lastIndexOf(held.id))
})

test('410 disables the webhook at once; enabled again it sends what was pending', async () => {
  const { app, at } = await webhooks.subscribed()
  receiver.answer = (response) => {
    response.writeHead(410).end()
    return false
  }
  const player = await given.player(app)
  await webhooks.deliveryOf(at, ({ attempts }) => attempts === 1)
  const { body } = await user.get(at)
  expect(body).toMatchObject({ enabled: false, disabledReason: 'The receiver answered 410 Gone' })
  const noted = await sql(`select actor from audit_log where action = 'webhook.disabled' and subject = $1`, [body.id])
  expect(noted).toEqual([{ actor: 'service' }])
  await given.player(app)
  receiver.answer = (response) => Boolean(response.end())
  expect((await user.patch(at, { enabled: true })).body).toMatchObject({
    enabled: true,
    disabledReason: null,
    disabledAt: null,
  })
  await receiver.next(({ data }) => data.id === player.id)
  expect((await user.get(`${at}/deliveries`)).body.deliveries).toHaveLength(1)
})

test('after three days without a delivery the webhook is disabled and keeps pending ones; if others arrive, only the failing one is abandoned', async () => {
  const { app, at } = await webhooks.subscribed()
  receiver.answer = (response, { data }) => {
    response.writeHead(data.displayName === 'Poison' ? 500 : 200).end()
    return data.displayName !== 'Poison'
  }
  const poison = await given.player(app, 'Poison')
  await webhooks.deliveryOf(at, ({ attempts }) => attempts > 0)
  await app.patch(`/api/v1/apps/players/${poison.id}`, { displayName: 'Honey' })
  await sql(`update webhook_endpoints set failing_since = now() - interval '73 hours' where id = $1`, [
    at.split('/').at(-1),
  ])
  await sql(
    `update webhook_deliveries set tried_since = now() - interval '73 hours' where subject = $1 and tried_since is not null`,
    [poison.id],
  )
  await expect.poll(async () => (await user.get(at)).body.enabled).toBe(false)
  expect((await user.get(at)).body).toMatchObject({
    enabled: false,
    disabledReason: 'Nothing that was sent there arrived for 3 days',
  })
  const statuses = async () =>
    (await user.get(`${at}/deliveries`)).body.deliveries.map((one: { status: string }) => one.status)
  expect(await statuses()).toEqual(['PENDING', 'PENDING'])

  await user.patch(at, { enabled: true })
  const other = await given.player(app)
  await receiver.next(({ data }) => data.id === other.id)
  await sql(
    `update webhook_deliveries set tried_since = now() - interval '73 hours' where subject = $1 and tried_since is not null`,
    [poison.id],
  )
  await receiver.next(({ data }) => data.displayName === 'Honey')
  expect(await webhooks.deliveryOf(at, ({ status }) => status === 'FAILED')).toMatchObject({
    payload: { data: { displayName: 'Poison' } },
  })
  expect((await user.get(at)).body).toMatchObject({ enabled: true })
})

test('deliveries can be sent again: a delivered one, and all that failed since a time', async () => {
  const { app, at } = await webhooks.subscribed()
  const player = await given.player(app)
  const delivered = await webhooks.deliveryOf(at, ({ status }) => status === 'DELIVERED')
  expect((await user.post(`${at}/deliveries/${delivered.id}/redeliver`)).status).toBe(200)
  await receiver.count(2)
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([delivered.id, delivered.id])
  expect((await webhooks.deliveryOf(at, ({ attempts }) => attempts === 2)).log).toHaveLength(2)

  await sql(`update webhook_deliveries set status = 'FAILED', settled_at = now() where subject = $1`, [player.id])
  const since = (ms: number) => ({ since: new Date(new Date(delivered.createdAt).getTime() + ms).toISOString() })
  expect((await user.post(`${at}/redeliver-failed`, since(1000))).body).toEqual({ deliveries: 0 })
  expect((await user.post(`${at}/redeliver-failed`, since(0))).body).toEqual({ deliveries: 1 })
  expect(await receiver.count(3)).toBe(3)
  expect((await user.post(`${at}/redeliver-failed`, {})).status).toBe(400)
  expect((await user.post(`${at}/deliveries/${crypto.randomUUID()}/redeliver`)).status).toBe(404)
})

test('a test event is a ping to that webhook only, with any subscription', async () => {
  const { at } = await webhooks.subscribed(['scan.failed'])
  const { status, body } = await user.post(`${at}/test`)
  expect(status).toBe(201)
  expect(body).toMatchObject({ eventType: 'ping', payload: { type: 'ping' } })
  const ping = await receiver.next(({ type }) => type === 'ping')
  expect(ping!.headers['webhook-id']).toBe(body.id)
})

test('the list of deliveries is filtered and paged, newest first, each delivery once', async () => {
  const { app, at } = await webhooks.subscribed()
  const players = []
  for (let i = 0; i < 5; i++) players.push(await given.player(app))
  await app.delete(`/api/v1/apps/players/${players[0]!.id}`)
  await receiver.count(6)
  const subjects: string[] = []
  let path: string | undefined = `${at}/deliveries?limit=2&eventType=player.created`
  while (path) {
    const { body, headers }: { body: { deliveries: { subject: string }[] }; headers: Headers } = await user.get(path)
    expect(headers.get('x-total-count')).toBe('5')
    subjects.push(...body.deliveries.map(({ subject }) => subject))
    path = /<(.*)>/.exec(headers.get('link') ?? '')?.[1]
  }
  expect(subjects.sort()).toEqual(players.map(({ id }) => id).sort())
  const of = async (query: string) => (await user.get(`${at}/deliveries?${query}`)).body.deliveries.length
  expect(await of(`subject=${players[0]!.id}`)).toBe(2)
  expect(await of('status=FAILED')).toBe(0)
  expect(await of(`since=${encodeURIComponent('2100-01-01T00:00:00Z')}`)).toBe(0)
  expect((await user.get(`${at}/deliveries?cursor=abc`)).status).toBe(400)
  expect((await user.get(`${at}/deliveries?status=LOST`)).status).toBe(400)
})
