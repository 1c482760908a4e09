import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { hookSteps } from '../../../test/scoring/hook-steps.ts'
import { startSecondService } from '../../../test/second-service.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let receiver: Receiver
let service: Service
let steps: ReturnType<typeof hookSteps>
let sql: Sql
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_SCORE_HOOK_SECONDS: '30' })
  steps = hookSteps(service, receiver)
  sql = sqlOn(service)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(() => {
  receiver.received.length = 0
  steps.decides(() => ({ decision: 'accept' }))
})

describe('the hooks of an app', () => {
  test('only creation and rotation show the secret, which is stored encrypted', async () => {
    const { owner, hooks, hook, miniGameTypeId } = await steps.hooked()
    const { scoreHooks } = (await owner.get(hooks)).body
    expect(scoreHooks).toMatchObject([
      { id: hook.id, miniGameTypeId, url: receiver.url, onFailure: 'hold', enabled: true, lastError: null },
    ])
    expect(JSON.stringify(scoreHooks)).not.toContain('secret')
    expect(JSON.stringify(await sql('select * from score_hooks where id = $1', [hook.id]))).not.toContain(hook.secret)
  })

  test('each type, the default game and all types have one at most: 409', async () => {
    const { owner, hooks, miniGameTypeId } = await steps.hooked()
    const url = receiver.url
    expect((await owner.post(hooks, { url, miniGameTypeId })).status).toBe(409)
    expect((await owner.post(hooks, { url, miniGameTypeId: 'default' })).body.miniGameTypeId).toBe('default')
    expect((await owner.post(hooks, { url, miniGameTypeId: 'default' })).status).toBe(409)
    expect((await owner.post(hooks, { url })).status).toBe(201)
    expect((await owner.post(hooks, { url, miniGameTypeId: null })).status).toBe(409)
    expect(
      (await owner.get(hooks)).body.scoreHooks.map((one: { miniGameTypeId: string }) => one.miniGameTypeId),
    ).toEqual([null, miniGameTypeId, 'default'])
  })

  test('hook 101 is 409', async () => {
    const { owner, app, hooks } = await steps.hooked()
    await sql(
      `insert into score_hooks (app_id, id, type_key, url, on_failure, secret)
       select $1, gen_random_uuid(), gen_random_uuid(), 'https://a.example', 'hold', '' from generate_series(1, 99)`,
      [app.id],
    )
    expect(await owner.post(hooks, { url: receiver.url })).toMatchObject({
      status: 409,
      body: { error: /at most 100 score hooks/ },
    })
  })

  test.each(['http://127.0.0.1:9/x', 'https://127.0.0.1/x', 'https://10.0.0.1/x', 'ftp://a.example', 'nothing'])(
    'an address that webhooks may not be sent to is 400: %s',
    async (url) => {
      const { owner, hooks, hook } = await steps.hooked()
      const refused = { status: 400, body: { error: [{ path: ['url'] }] } }
      expect(await owner.post(hooks, { url })).toMatchObject(refused)
      expect(await owner.patch(`${hooks}/${hook.id}`, { url })).toMatchObject(refused)
    },
  )

  test('a disabled or deleted one is not asked, and an enabled one again', async () => {
    const { owner, hooks, hook, write } = await steps.hooked()
    steps.decides(() => ({ decision: 'refuse' }))
    expect((await write(1)).status).toBe(400)
    expect((await owner.patch(`${hooks}/${hook.id}`, { enabled: false })).body.enabled).toBe(false)
    expect((await write(2)).status).toBe(200)
    await owner.patch(`${hooks}/${hook.id}`, { enabled: true })
    expect((await write(3)).status).toBe(400)
    expect((await owner.delete(`${hooks}/${hook.id}`)).status).toBe(204)
    expect((await write(4)).status).toBe(200)
    expect((await owner.delete(`${hooks}/${hook.id}`)).status).toBe(404)
  })

  test('another process asks it within a second', { tags: ['long'] }, async () => {
    const { app, session, ids, owner, hooks, hook } = await steps.hooked()
    await owner.patch(`${hooks}/${hook.id}`, { enabled: false })
    const other = await startSecondService(service, {
      CAIRN_WEBHOOK_HOSTS: receiver.host,
      CAIRN_SCORE_HOOK_SECONDS: '30',
    })
    try {
      const there = async () => {
        const scores = [{ playerId: ids[0], score: 1 }]
        return (await other.as(app.headers).post(`/api/v1/apps/game-sessions/${session}/scores`, { scores })).status
      }
      expect(await there()).toBe(200)
      steps.decides(() => ({ decision: 'refuse' }))
      await owner.patch(`${hooks}/${hook.id}`, { enabled: true })
      await expect.poll(there).toBe(400)
    } finally {
      await other.stop()
    }
  })

  test('after a rotation both secrets sign, and without a grace period the new one alone', async () => {
    const { owner, hooks, hook, write } = await steps.hooked()
    const takes = async (secret: string) => {
      receiver.received.length = 0
      await write(1)
      const [{ text, headers }] = receiver.received as [(typeof receiver.received)[number]]
      try {
        new Webhook(secret).verify(text, headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    }
    const second = (await owner.post(`${hooks}/${hook.id}/rotate-secret`)).body.secret
    expect([await takes(hook.secret), await takes(second)]).toEqual([true, true])
    const third = (await owner.post(`${hooks}/${hook.id}/rotate-secret`, { graceSeconds: 0 })).body.secret
    expect([await takes(hook.secret), await takes(second), await takes(third)]).toEqual([false, false, true])
  })

  test('the audit log names who created, changed, rotated and deleted one', async () => {
    const { owner, hooks, hook, app } = await steps.hooked()
    await owner.patch(`${hooks}/${hook.id}`, { onFailure: 'accept' })
    await owner.post(`${hooks}/${hook.id}/rotate-secret`)
    await owner.delete(`${hooks}/${hook.id}`)
    const rows = await sql<{ action: string }>(
      'select action, actor, app_id as "appId" from audit_log where subject = $1 order by id',
      [hook.id],
    )
    expect(rows).toEqual(
      ['created', 'changed', 'secret_rotated', 'deleted'].map((done) => ({
        ...{ action: `score_hook.${done}`, actor: owner.id, appId: app.id },
      })),
    )
  })

  test('the export of the app has them without secrets, and a copy has them disabled with others', async () => {
    const { owner, app, hook } = await steps.hooked()
    const found = await service.app.operator.apps.export(app.id)
    const lines = (await Array.fromAsync(found!.lines)).join('').trim().split('\n')
    const exported = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'scoreHook')
    expect(exported).toMatchObject([{ id: hook.id, url: receiver.url, onFailure: 'hold' }])
    expect(Object.keys(exported[0]).filter((name) => /secret/i.test(name))).toEqual([])

    const copy = (await owner.post(`/api/v1/apps/${app.id}/copy`)).body.id
    const { scoreHooks } = (await owner.get(`/api/v1/apps/${copy}/score-hooks`)).body
    expect(scoreHooks).toMatchObject([{ url: receiver.url, onFailure: 'hold', enabled: false }])
    const secrets = await sql('select distinct secret from score_hooks where url = $1 and app_id in ($2, $3)', [
      ...[receiver.url, app.id, copy],
    ])
    expect(secrets).toHaveLength(2)
  })
})
