import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { webhooksOn } from '../../../test/network/webhooks.ts'
import { type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

let receiver: Receiver
let service: Service
beforeAll(async () => {
  receiver = await startReceiver()
})
afterEach(() => service.stop())
afterAll(() => receiver.stop())

const EVENTS = ['player.created']

/** A service with these bounds, and an app with a webhook that nothing arrives at. */
async function bounded(settings: Record<string, string>) {
  receiver.answer = (response) => {
    response.writeHead(500).end()
    return false
  }
  const hosts = { CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_WEBHOOK_RETRY_SECONDS: '3600' }
  service = await startService({ ...hosts, ...settings })
  const given = buildersOn(service)
  const owner = await given.user()
  const { subscribed } = webhooksOn(service, owner, receiver)
  const webhook = await subscribed(EVENTS)
  const get = async (at: string) => (await owner.get(at)).body
  return { ...webhook, given, owner, subscribed, get, sql: sqlOn(service) }
}

/** The service looks once a second. */
const soon = { interval: 100 }

test('a webhook for which more waits than may is disabled, and its owner sees why and how much was removed', {
  tags: ['long'],
}, async () => {
  const { app, at, given, get, sql, owner } = await bounded({ CAIRN_WEBHOOK_PENDING: '3' })
  for (let i = 0; i < 3; i++) await given.player(app)
  expect((await get(at)).enabled).toBe(true)
  for (let i = 0; i < 4; i++) await given.player(app)
  await expect.poll(async () => (await get(at)).enabled, soon).toBe(false)
  const webhook = await get(at)
  expect(webhook.disabledReason).toMatch(/^[4-7] deliveries waited, of 3 that may: they were removed$/)
  expect(webhook.disabledAt).not.toBeNull()
  await expect.poll(async () => (await get(`${at}/deliveries?status=PENDING`)).deliveries.length, soon).toBeLessThan(4)
  const id = at.split('/').at(-1)!
  expect(await sql(`select actor from audit_log where action = 'webhook.disabled' and subject = $1`, [id])).toEqual([
    { actor: 'service' },
  ])
  const { body: metrics } = await service.anonymous.get('/metrics')
  expect(metrics).toContain('cairn_webhooks_disabled_total{cause="backlog"} 1')

  // While disabled it gets no deliveries; enabled again, it gets new ones.
  const before = (await get(`${at}/deliveries`)).deliveries.length
  await given.player(app)
  expect((await get(`${at}/deliveries`)).deliveries).toHaveLength(before)
  expect((await owner.patch(at, { enabled: true })).body).toMatchObject({ enabled: true, disabledReason: null })
  await given.player(app)
  expect((await get(`${at}/deliveries`)).deliveries).toHaveLength(before + 1)
})

test('a webhook with more pending bytes than allowed is disabled', { tags: ['long'] }, async () => {
  const { app, at, given, get } = await bounded({ CAIRN_WEBHOOK_PENDING_BYTES: '500' })
  for (let i = 0; i < 5; i++) await given.player(app)
  await expect.poll(async () => (await get(at)).disabledReason, soon).toMatch(/bytes waited, of 500 that may/)
})

test('beyond the limit of an app, the webhook with most pending is disabled', { tags: ['long'] }, async () => {
  const { app, at, list, given, get, owner } = await bounded({ CAIRN_WEBHOOK_APP_PENDING: '6' })
  for (let i = 0; i < 4; i++) await given.player(app)
  const { body } = await owner.post(list, { url: receiver.url, eventTypes: EVENTS })
  for (let i = 0; i < 2; i++) await given.player(app)
  await expect
    .poll(async () => (await get(at)).disabledReason, soon)
    .toMatch(/^More waited for the webhooks of this app than may: the \d deliveries of this one were removed$/)
  expect((await get(`${list}/${body.id}`)).enabled).toBe(true)
})

test('beyond the limit of the whole service, the webhook with most pending is disabled, of any owner', {
  tags: ['long'],
}, async () => {
  const { app, at, given, get, subscribed } = await bounded({ CAIRN_WEBHOOK_ALL_PENDING: '6' })
  const other = await subscribed(EVENTS)
  for (let i = 0; i < 2; i++) await given.player(other.app)
  for (let i = 0; i < 6; i++) await given.player(app)
  await expect.poll(async () => (await get(at)).disabledReason, soon).toMatch(/^More waited for all webhooks/)
  expect((await get(other.at)).enabled).toBe(true)
  expect((await get(`${other.at}/deliveries`)).deliveries).toHaveLength(2)
})

test('beyond the limit of the whole service, the webhooks of the owner with most pending are disabled, even if one of another owner has more than each', {
  tags: ['long'],
}, async () => {
  const { app, at, given, get, subscribed } = await bounded({ CAIRN_WEBHOOK_ALL_PENDING: '8' })
  const second = await subscribed(EVENTS)
  const neighbour = await given.user()
  const own = await webhooksOn(service, neighbour, receiver).subscribed(EVENTS)
  for (let i = 0; i < 4; i++) await given.player(own.app)
  for (let i = 0; i < 3; i++) await given.player(app)
  for (let i = 0; i < 3; i++) await given.player(second.app)
  await expect.poll(async () => (await get(at)).enabled, soon).toBe(false)
  const kept = (await neighbour.get(own.at)).body
  expect([kept.enabled, kept.disabledReason]).toEqual([true, null])
})

test.each([
  ['an app', 'CAIRN_WEBHOOK_APP_PENDING_BYTES', /^More waited for the webhooks of this app than may/],
  ['the whole service', 'CAIRN_WEBHOOK_ALL_PENDING_BYTES', /^More waited for all webhooks/],
])('beyond the pending bytes allowed for %s, a webhook is disabled', { tags: ['long'] }, async (_, setting, reason) => {
  const { app, at, given, get } = await bounded({ [setting]: '500' })
  for (let i = 0; i < 5; i++) await given.player(app)
  await expect.poll(async () => (await get(at)).disabledReason, soon).toMatch(reason)
})

test('the log of deliveries keeps at most CAIRN_WEBHOOK_LOG_ROWS rows and deletes the oldest first', {
  tags: ['long'],
}, async () => {
  const { app, at, given, get, sql } = await bounded({ CAIRN_WEBHOOK_LOG_ROWS: '3' })
  receiver.answer = (response) => {
    response.end()
    return true
  }
  const players = []
  for (let i = 0; i < 6; i++) players.push((await given.player(app)).id)
  await expect
    .poll(async () => {
      // As the service does every ten seconds.
      await sql('select fold_row_counts(1000)')
      return (await get(`${at}/deliveries`)).deliveries.map(({ subject }: { subject: string }) => subject)
    }, soon)
    .toEqual(players.slice(3).reverse())
})
