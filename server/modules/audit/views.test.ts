import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let sql: Sql
beforeAll(async () => {
  service = await startService({
    CAIRN_ROLE: 'api',
    CAIRN_TRUSTED_PROXIES: 'loopback',
    CAIRN_WEBHOOK_HOSTS: '127.0.0.1:9',
  })
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const addresses = async (action: string, subject: string) =>
  (
    await sql<{ address: string }>('select address from audit_log where action = $1 and subject = $2 order by id', [
      action,
      subject,
    ])
  ).map(({ address }) => address)

test('views of keys and secrets are audited once an hour from each address and 20 times at most, so that reading fills no disk', async () => {
  const owner = await buildersOn(service).user()
  const { id } = await buildersOn(service).app({ owner })
  const webhook = { url: 'http://127.0.0.1:9/hook', eventTypes: ['player.created'] }
  const webhookId = (await owner.post(`/api/v1/apps/${id}/webhooks`, webhook)).body.id
  for (const [action, subject, path] of [
    ['app_key.viewed', id, `/api/v1/apps/${id}`],
    ['webhook_secret.viewed', webhookId, `/api/v1/apps/${id}/webhooks/${webhookId}/secret`],
  ] as const) {
    const view = async (address: string) => {
      const { status, body } = await service.as({ ...owner.headers, 'x-forwarded-for': address }).get(path)
      expect([status, body.apiKey ?? body.secret]).toEqual([200, expect.stringMatching(/^(cairn_\w+|whsec_.+)$/)])
    }
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1']) await view(address)
    expect(await addresses(action, subject)).toEqual(['192.0.2.1', '192.0.2.2'])
    for (let i = 3; i <= 30; i++) await view(`192.0.2.${i}`)
    expect(await addresses(action, subject)).toHaveLength(20)
    await sql(`update audit_log set at = at - interval '1 hour' where action = $1`, [action])
    await view('192.0.2.1')
    expect(await addresses(action, subject)).toHaveLength(21)
  }
})

test('a view of the keys of several apps is audited in the same way', async () => {
  const owner = await buildersOn(service).user()
  for (let i = 0; i < 3; i++) await buildersOn(service).app({ owner })
  for (let i = 0; i < 5; i++) expect((await owner.get('/api/v1/apps')).body.apps).toHaveLength(3)
  expect(await addresses('app_keys.viewed', owner.id)).toHaveLength(1)
})
