import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App, Builders } from '../../test/builders.ts'
import { type Alerting, startAlerting } from '../../test/network/alerting.ts'
import { headerOf } from '../../test/network/mail-server.ts'
import { type Receiver, startReceiver } from '../../test/network/receiver.ts'

let receiver: Receiver
let alerting: Alerting
let mails: Alerting['mails']
let service: Alerting['service']
let given: Builders
let sql: Alerting['sql']
let looks: Alerting['looks']

beforeAll(async () => {
  receiver = await startReceiver()
  alerting = await startAlerting({
    CAIRN_ALERT_URL: receiver.url,
    CAIRN_ALERT_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    CAIRN_WEBHOOK_HOSTS: receiver.host,
  })
  ;({ mails, service, given, sql, looks } = alerting)
})
afterAll(async () => {
  await alerting.stop()
  await receiver.stop()
})

/** Waits up to 30 s until nothing is left to send. */
const allSent = async () => {
  const left = async () =>
    (
      await sql<{ count: number }>(`
      select count(*)::int from pgboss.job where name = 'send-alert' and state in ('created', 'retry', 'active')`)
    )[0]!.count
  for (let i = 0; (await left()) > 0; i++) {
    if (i === 600) throw new Error('Alerts are still to be sent')
    await sleep(50)
  }
}
const own = async () => {
  const owner = await given.user()
  const app = await given.app({ owner, name: 'Trail' })
  return { owner, app, url: `/api/v1/apps/${app.id}` }
}
const address = (app: { id: string }) => `team-${app.id.slice(-8)}@team.example`
const mailed = (app: { id: string }) =>
  mails.mails.filter(({ to }) => to.includes(address(app))).map((mail) => headerOf(mail, 'subject'))
const fails = (app: { id: string }, isFailing: boolean) => alerting.fails(app.id, isFailing)
const withWebhook = async (
  owner: Awaited<ReturnType<Builders['user']>>,
  url: string,
  eventTypes = ['player.created'],
) => {
  const { status, body } = await owner.post(`${url}/webhooks`, { url: receiver.url, eventTypes })
  expect(status).toBe(201)
  return body
}
const saved = async (owner: Awaited<ReturnType<Builders['user']>>, app: App, kinds = ['webhook_failing']) =>
  expect((await owner.put(`/api/v1/apps/${app.id}/alert-settings`, { addresses: [address(app)], kinds })).status).toBe(
    200,
  )

describe('an alert', () => {
  test('opens after two minutes and ends after ten, each with one mail, and never again', async () => {
    const { owner, app, url } = await own()
    await withWebhook(owner, url)
    await saved(owner, app)
    await fails(app, true)
    const list = async () => (await owner.get(`${url}/alerts`)).body.alerts
    await looks(0, 1)
    expect(await list()).toEqual([])
    await looks(1, 1)
    expect(await list()).toEqual([
      {
        id: expect.any(String),
        kind: 'webhook_failing',
        subject: null,
        summary: 'Deliveries to 1 webhook fail',
        openedAt: expect.stringMatching(/Z$/),
        endedAt: null,
      },
    ])
    await mails.next(({ to }) => to.includes(address(app)))
    await fails(app, false)
    await looks(1, 9)
    expect((await list())[0].endedAt).toBeNull()
    await looks(1, 1)
    expect((await list())[0].endedAt).toMatch(/Z$/)
    const ended = await mails.next(
      (mail) => headerOf(mail, 'subject')!.startsWith('[Cairn] Ended') && mail.to.includes(address(app)),
    )
    expect(ended!.text).toContain(`${service.url}/console/apps/${app.id}`)
    expect(mailed(app)).toEqual([
      '[Cairn] Deliveries to 1 webhook fail – Trail',
      '[Cairn] Ended: Deliveries to 1 webhook fail – Trail',
    ])
  })

  test('does not open for a condition that lasts less than two minutes', async () => {
    const { owner, app, url } = await own()
    await withWebhook(owner, url)
    await saved(owner, app)
    for (let i = 0; i < 3; i++) {
      await fails(app, true)
      await looks(1, 1)
      await fails(app, false)
      await looks(1)
    }
    expect((await owner.get(`${url}/alerts`)).body.alerts).toEqual([])
  })

  test('stays one alert while its condition comes and goes within ten minutes', async () => {
    const { owner, app, url } = await own()
    await withWebhook(owner, url)
    await saved(owner, app)
    for (let i = 0; i < 3; i++) {
      await fails(app, true)
      await looks(1, 2)
      await fails(app, false)
      await looks(1, 8)
    }
    const { alerts } = (await owner.get(`${url}/alerts`)).body
    expect(alerts).toEqual([expect.objectContaining({ endedAt: null })])
  })

  test('is opened once by processes that look at the same time', async () => {
    const { owner, app, url } = await own()
    await withWebhook(owner, url)
    await saved(owner, app)
    await fails(app, true)
    await looks(1)
    alerting.pass(5)
    await Promise.all(Array.from({ length: 5 }, () => service.app.lookForAlerts()))
    expect((await owner.get(`${url}/alerts`)).body.alerts).toHaveLength(1)
    await allSent()
    expect(mailed(app)).toHaveLength(1)
  })

  test('reaches the webhooks of its app, opened before ended, as its list has it', async () => {
    const { owner, app, url } = await own()
    const webhook = await withWebhook(owner, url, ['alert.opened', 'alert.ended'])
    await sql(
      `update webhook_endpoints set disabled_reason = 'x', enabled = false, disabled_at = now() where id = $1`,
      [(await withWebhook(owner, url)).id],
    )
    await looks(1, 2)
    const [opened] = (await owner.get(`${url}/alerts`)).body.alerts
    expect(opened).toMatchObject({ kind: 'webhook_disabled', summary: 'Cairn disabled 1 webhook' })
    const got = await receiver.next(({ type, data }) => type === 'alert.opened' && data.id === opened.id)
    expect(got!.data).toEqual(opened)
    await sql('update webhook_endpoints set disabled_reason = null where app_id = $1 and id <> $2', [
      app.id,
      webhook.id,
    ])
    await looks(1, 10)
    const [ended] = (await owner.get(`${url}/alerts`)).body.alerts
    expect((await receiver.next(({ type, data }) => type === 'alert.ended' && data.id === opened.id))!.data).toEqual(
      ended,
    )
  })

  test('is not mailed if its kind is not chosen, nor to an address that was removed meanwhile', async () => {
    const { owner, app, url } = await own()
    await withWebhook(owner, url)
    await saved(owner, app, ['reviews_waiting'])
    await fails(app, true)
    await looks(1, 2)
    expect((await owner.get(`${url}/alerts`)).body.alerts).toHaveLength(1)
    await allSent()
    expect(mailed(app)).toEqual([])
    await saved(owner, app)
    const refused = new Promise<void>((resolve) => {
      mails.refuses = (to) => {
        if (to === address(app)) resolve()
        return 451
      }
    })
    await fails(app, false)
    await looks(1, 10)
    await refused
    await owner.put(`${url}/alert-settings`, { addresses: [], kinds: [] })
    mails.refuses = () => undefined
    await allSent()
    expect(mailed(app)).toEqual([])
  })

  test('of an owner is mailed up to 50 times a day, over all of the apps', async () => {
    const { owner, app } = await own()
    const second = await given.app({ owner, name: 'Second' })
    const url = `/api/v1/apps/${second.id}`
    await sql(
      `insert into alerts (id, app_id, kind, subject, summary, seen_at, opened_at, gone_at, ended_at)
       select gen_random_uuid(), $1, 'webhook_failing', '', 'x', now(), now(), now(), now() from generate_series(1, 50)`,
      [app.id],
    )
    await withWebhook(owner, url)
    await saved(owner, second)
    await fails(second, true)
    await looks(1, 2)
    await allSent()
    expect((await owner.get(`${url}/alerts`)).body.alerts).toHaveLength(1)
    expect(mailed(second)).toEqual([])
  })

  test('is mailed once the mail server accepts it again, and not again to an address that it refuses permanently', async () => {
    const { owner, app, url } = await own()
    await withWebhook(owner, url)
    const other = `no-${address(app)}`
    await owner.put(`${url}/alert-settings`, { addresses: [address(app), other], kinds: ['webhook_failing'] })
    const asked: string[] = []
    mails.refuses = (to) => {
      asked.push(to)
      if (to === other) return 550
      return asked.filter((one) => one === to).length < 2 ? 421 : undefined
    }
    await fails(app, true)
    await looks(1, 2)
    await mails.next(({ to }) => to.includes(address(app)))
    await allSent()
    mails.refuses = () => undefined
    expect(mailed(app)).toEqual(['[Cairn] Deliveries to 1 webhook fail – Trail'])
    expect(asked.filter((one) => one === other)).toHaveLength(1)
  })

  test('of a quota opens at the share at which the console warns', async () => {
    const { owner, app, url } = await own()
    await saved(owner, app, ['quota_near'])
    for (let i = 0; i < 15; i++)
      expect((await owner.post(`${url}/api-keys`, { kind: 'client', name: `K${i}` })).status).toBe(201)
    const near = (await owner.get(`${url}/overview`)).body.quotas.filter(
      (quota: { isNearlyUsed: boolean }) => quota.isNearlyUsed,
    )
    expect(near).toMatchObject([{ name: 'keys', used: 16, most: 20 }])
    await looks(1, 2)
    expect((await owner.get(`${url}/alerts`)).body.alerts).toMatchObject([
      { kind: 'quota_near', subject: 'keys', summary: '16 of 20 API keys are used' },
    ])
  })
})

describe('an alert of the installation', () => {
  test('goes to the addresses and the URL of the operator, signed, and to no app', async () => {
    await sql(
      `insert into pgboss.job (name, state, data, retry_limit) select 'purge-app', 'failed', '{"appId":"x"}', 0`,
    )
    const { owner, url } = await own()
    await withWebhook(owner, url, ['alert.opened'])
    await looks(1, 2)
    const mail = await mails.next(({ to }) => to.includes('ops@box.example'))
    expect(headerOf(mail!, 'subject')).toBe('[Cairn] 1 job of the queue "purge-app" failed')
    expect(mail!.text).toContain(`${service.url}/console/health`)
    const isOfBox = ({ data }: { data: { kind: string } }) => data.kind === 'jobs_failed'
    const event = await receiver.next(isOfBox)
    expect(event).toMatchObject({ type: 'alert.opened', data: { subject: 'purge-app', endedAt: null } })
    expect(event!.headers['webhook-signature']).toMatch(/^v1,/)
    await allSent()
    expect(receiver.received.filter(isOfBox)).toHaveLength(1)

    const { token } = await service.app.identity.openFor(await service.app.localUser('alert-reader', ['ops']))
    const listed = await service.as({ authorization: `Bearer ${token}` }).get('/api/v1/box/alerts')
    expect(listed.body.alerts).toMatchObject([{ kind: 'jobs_failed', subject: 'purge-app', endedAt: null }])
    expect((await owner.get('/api/v1/box/alerts')).status).toBe(403)
    await sql(`delete from pgboss.job where name = 'purge-app'`)
  })
})
