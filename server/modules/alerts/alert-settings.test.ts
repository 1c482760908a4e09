import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, type Builders, buildersOn, type User } from '../../test/builders.ts'
import { unzip } from '../../test/content/zip.ts'
import { headerOf, type MailServer, startMailServer } from '../../test/network/mail-server.ts'
import { type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

let mails: MailServer
let service: Service
let given: Builders
let sql: ReturnType<typeof sqlOn>
beforeAll(async () => {
  mails = await startMailServer({ isSecure: true, password: 'secret' })
  service = await startService(
    {
      CAIRN_SMTP_URL: `smtps://cairn:secret@files.example.org:${mails.port}`,
      CAIRN_SMTP_FROM: 'cairn@box.example',
    },
    mails.network,
  )
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(async () => {
  await service.stop()
  await mails.stop()
})

const kinds = ['reviews_waiting', 'webhook_failing', 'webhook_disabled', 'quota_near']
const at = (app: App) => `/api/v1/apps/${app.id}/alert-settings`
const save = (owner: User, app: App, addresses: string[]) => owner.put(at(app), { addresses, kinds })

describe('the alert settings of an app', () => {
  test('come back as they were sent, with an audit entry that has no address', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    expect((await owner.get(at(app))).body).toEqual({ addresses: [], kinds, language: 'en', sendsMail: true })
    const settings = { addresses: ['Ada@team.example', 'b@team.example'], kinds: ['quota_near'], language: 'es' }
    expect((await owner.put(at(app), settings)).body).toEqual({ ...settings, sendsMail: true })
    expect((await owner.get(at(app))).body).toEqual({ ...settings, sendsMail: true })
    const [entry] = await sql<{ changes: object }>(
      `select changes from audit_log where action = 'alert_settings.updated' and app_id = $1`,
      [app.id],
    )
    expect(entry!.changes).toEqual({
      addresses: { from: 0, to: 2 },
      kinds: { from: kinds.join(' '), to: 'quota_near' },
      language: { from: 'en', to: 'es' },
    })
  })

  test.each([
    ['a text that is no address', ['ada']],
    ['an address with a second header', ['ada@team.example\r\nBcc: x@y.example']],
    ['an address with a name', ['Ada <ada@team.example>']],
    ['one address twice', ['ada@team.example', 'ADA@team.example']],
    ['eleven addresses', Array.from({ length: 11 }, (_, i) => `a${i}@team.example`)],
  ])('refuse %s', async (_what, addresses) => {
    const owner = await given.user()
    const app = await given.app({ owner })
    expect((await save(owner, app, addresses)).status).toBe(400)
    expect((await owner.get(at(app))).body.addresses).toEqual([])
  })

  test('are part of the export of the app and of a member, and an erasure removes the address of the member', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    const user = await given.user()
    const [{ email }] = await sql<{ email: string }>(
      `update users set email = 'Eve@Team.example' where id = $1 returning email`,
      [user.id],
    )
    await sql(`insert into app_members (app_id, user_id, role) values ($1, $2, 'viewer')`, [app.id, user.id])
    await save(owner, app, ['ada@team.example', 'eve@team.example'])
    let exported = ''
    for await (const lines of (await service.app.operator.apps.export(app.id))!.lines) exported += lines
    expect(exported).toContain('"addresses":["ada@team.example","eve@team.example"]')
    expect(email).toBe('Eve@Team.example')
    const zip = await fetch(`${service.url}/api/v1/user/export`, { headers: user.headers })
    const file = unzip(Buffer.from(await zip.arrayBuffer())).get('alert-addresses.json')!
    expect(JSON.parse(file.toString('utf8'))).toMatchObject([{ appId: app.id, email }])
    await service.app.operator.users.erase(user.id, { actor: 'operator', address: null })
    expect((await owner.get(at(app))).body.addresses).toEqual(['ada@team.example'])
  })

  test('are neither exported to nor changed by a user of another team who claims an address of theirs', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    await save(owner, app, ['ada@team.example'])
    const user = await given.user()
    await sql(`update users set email = 'ada@team.example' where id = $1`, [user.id])
    const zip = await fetch(`${service.url}/api/v1/user/export`, { headers: user.headers })
    const file = unzip(Buffer.from(await zip.arrayBuffer())).get('alert-addresses.json')!
    expect(JSON.parse(file.toString('utf8'))).toEqual([])
    await service.app.operator.users.erase(user.id, { actor: 'operator', address: null })
    expect((await owner.get(at(app))).body.addresses).toEqual(['ada@team.example'])
  })
})

describe('a test of alerts', () => {
  test('mails each saved address, and says which one the server refused', async () => {
    const owner = await given.user()
    const app = await given.app({ owner, name: 'Trail\u2028Bcc: x@y.example' })
    expect((await owner.post(`${at(app)}/test`)).body).toEqual({ mails: [] })
    await save(owner, app, ['no@team.example', 'yes@team.example'])
    mails.refuses = (address) => (address === 'no@team.example' ? 550 : undefined)
    expect((await owner.post(`${at(app)}/test`)).body).toEqual({
      mails: [
        { address: 'no@team.example', error: 'The mail server refused this address (550)' },
        { address: 'yes@team.example', error: null },
      ],
    })
    const mail = mails.mails.find(({ to }) => to.includes('yes@team.example'))!
    expect(headerOf(mail, 'subject')).toBe('[Cairn] Test: alerts arrive here – Trail Bcc: x@y.example')
    expect(headerOf(mail, 'bcc')).toBeUndefined()
    expect(mail.text.replaceAll('=\r\n', '')).toContain(`/console/apps/${app.id}/settings`)
    expect(mail.text).toContain('"Trail Bcc: x@y.example"')
  })

  test.each([
    ['de', 'Test: Meldungen kommen hier an', 'Dies ist ein Test.'],
    ['es', 'Prueba: las alertas llegan aquí', 'Esto es una prueba.'],
  ])('is in the language of the settings: %s', async (language, subject, text) => {
    const owner = await given.user()
    const app = await given.app({ owner, name: 'Trail' })
    const to = `${language}@team.example`
    await owner.put(at(app), { addresses: [to], kinds, language })
    await owner.post(`${at(app)}/test`)
    const mail = mails.mails.find((one) => one.to.includes(to))!
    expect(headerOf(mail, 'subject')).toBe(`[Cairn] ${subject} – Trail`)
    expect(mail.text).toContain(text)
  })

  test('is refused beyond five an hour of a user, for all apps', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    await save(owner, app, ['ada@team.example'])
    for (let i = 0; i < 5; i++) expect((await owner.post(`${at(app)}/test`)).status).toBe(200)
    const refused = await owner.post(`${at(app)}/test`)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    const other = await given.app({ owner })
    await save(owner, other, ['ada@team.example'])
    expect((await owner.post(`${at(other)}/test`)).status).toBe(429)
  })
})
