import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limitedSession } from '../../test/access/limited-session.ts'
import { type Builders, buildersOn, type User } from '../../test/builders.ts'
import { type Receiver, startReceiver } from '../../test/network/receiver.ts'
import { webhooksOn } from '../../test/network/webhooks.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

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

describe('signatures', () => {
  test('the official library takes what is sent, and refuses it under another secret or with another body', async () => {
    const { app, secret } = await webhooks.subscribed()
    const player = await given.player(app)
    const one = await receiver.next(({ data }) => data.id === player.id)
    const headers = one!.headers as Record<string, string>
    expect(new Webhook(secret).verify(one!.text, headers)).toEqual({
      type: 'player.created',
      timestamp: one!.timestamp,
      data: player,
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(() => new Webhook((secret as string).replace(/.....=$/, 'AAAAA=')).verify(one!.text, headers)).toThrow()
    expect(() => new Webhook(secret).verify(`${one!.text} `, headers)).toThrow()
  })

  test('after a rotation both secrets sign while the grace lasts, and then the new one alone', async () => {
    const { app, at, secret } = await webhooks.subscribed()
    const rotated = (await user.post(`${at}/rotate-secret`, { graceSeconds: 3600 })).body
    expect(rotated.secret).not.toBe(secret)
    expect(new Date(rotated.previousUntil).getTime()).toBeGreaterThan(Date.now())
    const during = await given.player(app)
    const both = await receiver.next(({ data }) => data.id === during.id)
    for (const one of [secret, rotated.secret]) new Webhook(one).verify(both!.text, both!.headers as never)

    await sql(`update webhook_endpoints set old_secret_until = now() - interval '1 second'`)
    const after = await given.player(app)
    const alone = await receiver.next(({ data }) => data.id === after.id)
    new Webhook(rotated.secret).verify(alone!.text, alone!.headers as never)
    expect(() => new Webhook(secret).verify(alone!.text, alone!.headers as never)).toThrow()
    expect((await user.get(`${at}/secret`)).body).toEqual({ secret: rotated.secret, previousUntil: null })
  })
})

describe('the webhooks of an app', () => {
  test('can be made, read, changed, disabled and deleted; the secret is shown at its making and at its own address alone', async () => {
    const { app, at, list, secret } = await webhooks.subscribed()
    const { body: webhook, headers } = await user.get(at)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(webhook).toMatchObject({ url: receiver.url, enabled: true, disabledReason: null, failingSince: null })
    expect(JSON.stringify(webhook)).not.toContain('whsec_')
    expect((await user.get(`${at}/secret`)).body).toEqual({ secret, previousUntil: null })
    const [view] = await sql(
      `select actor, subject from audit_log where action = 'webhook_secret.viewed' order by id desc limit 1`,
    )
    expect(view).toEqual({ actor: user.id, subject: webhook.id })

    const changed = await user.patch(at, { eventTypes: ['player.deleted'], description: 'Bye' })
    expect(changed.body).toMatchObject({ eventTypes: ['player.deleted'], description: 'Bye', url: receiver.url })
    await given.player(app)
    expect((await user.patch(at, { enabled: false })).body).toMatchObject({ enabled: false, disabledReason: null })
    expect((await user.get(`${at}/deliveries`)).body).toEqual({ deliveries: [] })
    expect((await user.post(`${at}/test`)).status).toBe(409)

    expect((await user.get(list)).body.webhooks).toHaveLength(1)
    expect((await user.delete(at)).status).toBe(204)
    for (const answer of [user.get(at), user.delete(at), user.patch(at, {}), user.get(`${at}/secret`)])
      expect((await answer).status).toBe(404)
    expect((await user.get(list)).body).toEqual({ webhooks: [] })
  })

  test('an address must be https on the public internet, or of a host that the operator named; types must be known', async () => {
    const app = await given.app({ owner: user })
    const make = async (url: string, eventTypes = ['score.updated']) =>
      (await user.post(`/api/v1/apps/${app.id}/webhooks`, { url, eventTypes })).status
    const refused = [
      'http://example.org/',
      'ftp://example.org',
      'https://a:b@example.org/',
      'https://example.org/#x',
      'x',
    ]
    const inside = ['https://127.0.0.1:1/', 'https://10.0.0.5/', 'https://[::1]/', 'https://2130706433/']
    for (const url of [...refused, ...inside, 'http://127.0.0.1:1/', `https://${'a'.repeat(2048)}.org`])
      expect(await make(url)).toBe(400)
    expect(await make('https://example.org/', [])).toBe(400)
    expect(await make('https://example.org/', ['score.lost'])).toBe(400)
    expect(await make('https://example.org/', ['score.updated', 'score.updated'])).toBe(400)
    expect(await make('https://example.org/')).toBe(201)
  })

  test('are twenty at most, also of many made at once', async () => {
    const app = await given.app({ owner: user })
    const body = { url: 'https://example.org/', eventTypes: ['scan.failed'] }
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => user.post(`/api/v1/apps/${app.id}/webhooks`, body)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
  })

  test("are their owner's: 404 to others, 403 where the app is public, and to a session from a code", async () => {
    const { at, list } = await webhooks.subscribed()
    const stranger = await given.user()
    for (const path of [at, list, `${at}/secret`, `${at}/deliveries`])
      expect((await stranger.get(path)).status).toBe(404)
    await user.patch(list.replace('/webhooks', ''), { visibility: 'PUBLIC' })
    expect((await stranger.get(at)).status).toBe(403)
    const limited = await limitedSession(service, user)
    for (const path of [at, list, `${at}/secret`, `${at}/deliveries`])
      expect((await limited.get(path)).status).toBe(403)
    const other = await given.app({ owner: user })
    expect((await user.get(at.replace(/apps\/[^/]+/, `apps/${other.id}`))).status).toBe(404)
  })
})
