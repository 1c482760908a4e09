import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { hookSteps } from '../../../test/scoring/hook-steps.ts'
import { appUrl } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let receiver: Receiver
let service: Service
let steps: ReturnType<typeof hookSteps>
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({
    CAIRN_WEBHOOK_HOSTS: `${receiver.host},127.0.0.1:1`,
    CAIRN_SCORE_HOOK_SECONDS: '30',
  })
  steps = hookSteps(service, receiver)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(() => {
  receiver.received.length = 0
})

type Hooked = Awaited<ReturnType<typeof steps.hooked>>
/** The reason that is written down for the last failure. */
const lastError = ({ hookNow }: Hooked) => expect.poll(async () => (await hookNow()).lastError as string)

describe('a hook that gives no usable response', () => {
  test.each([
    ['no JSON', 'yes', 200],
    ['no decisions', '{"decision":"accept"}', 200],
    ['an unknown decision', '{"decisions":[{"decision":"maybe"}]}', 200],
    ['a change without a score', '{"decisions":[{"decision":"change"}]}', 200],
    ['a change to no number', '{"decisions":[{"decision":"change","score":"9"}]}', 200],
    ['a change to an infinite number', '{"decisions":[{"decision":"change","score":1e999}]}', 200],
    ['too many decisions', '{"decisions":[{"decision":"accept"},{"decision":"accept"}]}', 200],
    ['too long a response', `{"decisions":[{"decision":"accept"}],"rest":"${'x'.repeat(70_000)}"}`, 200],
    ['too long a response after its decisions', `{"decisions":[{"decision":"accept"}]}${' '.repeat(66_000)}`, 200],
    ['an error', '{"decisions":[{"decision":"accept"}]}', 500],
    ['a redirect', '{"decisions":[{"decision":"accept"}]}', 302],
  ])('%s: onFailure hold holds the score', async (_what, text, status) => {
    const it = await steps.hooked()
    steps.says(text, status)
    const { body } = await it.write(50)
    expect(body).toMatchObject({ state: 'held', score: 0 })
    expect((await it.app.get(appUrl(`reviews/${body.reviewId}`))).body).toMatchObject({
      reasons: ['hook'],
      note: 'The score hook gave no usable response',
    })
    await lastError(it).toContain('the response')
  })

  test('onFailure accept writes the score as it was sent, and says why on the hook', async () => {
    const it = await steps.hooked({ onFailure: 'accept' })
    steps.says('no', 503)
    expect((await it.write(50)).body).toMatchObject({ score: 50 })
    expect(await it.scoreNow()).toBe(50)
    await lastError(it).toBe('the response has status 503')
    expect((await it.hookNow()).lastFailedAt).toEqual(expect.any(String))
  })

  test('onFailure accept leaves the rules of the type in force', async () => {
    const { write } = await steps.hooked({ onFailure: 'accept', type: { rules: { requireMetadata: ['replay'] } } })
    steps.says('no', 503)
    expect((await write(50)).body.state).toBe('held')
  })

  test('nobody listens: the policy decides', async () => {
    const it = await steps.hooked()
    await it.owner.patch(`${it.hooks}/${it.hook.id}`, { url: 'http://127.0.0.1:1/hook' })
    expect((await it.write(50)).body.state).toBe('held')
    await lastError(it).toContain('could not be reached')
  })

  test('a response that is cut off decides nothing, although all of its decisions have arrived', async () => {
    const it = await steps.hooked()
    receiver.answer = (response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('{"decisions":[{"decision":"accept"}]}', () => response.destroy())
      return true
    }
    expect((await it.write(50)).body).toMatchObject({ state: 'held', score: 0 })
    await lastError(it).toContain('was cut off')
  })

  test('a slow hook holds up no score of another app', async () => {
    const slow = await steps.hooked()
    const other = await steps.hooked()
    await other.owner.patch(`${other.hooks}/${other.hook.id}`, { url: `${receiver.url}?other` })
    const accept = '{"decisions":[{"decision":"accept"}]}'
    const open: ServerResponse[] = []
    receiver.answer = (response, { data }) => {
      if (data.appId === slow.app.id) open.push(response)
      else response.end(accept)
      return true
    }
    const waiting = Array.from({ length: 100 }, (_, i) => slow.write(i))
    // As many as one address may have.
    await expect.poll(() => open.length).toBeGreaterThanOrEqual(64)
    expect((await other.write(1)).body).toMatchObject({ score: 1 })
    receiver.answer = (response) => {
      response.end(accept)
      return true
    }
    for (const response of open) response.end(accept)
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200))
  })

  test('a decision about a session that ends meanwhile writes nothing: 409', async () => {
    const { app, session, write, scoreNow } = await steps.hooked()
    receiver.answer = (response) => {
      void app.patch(appUrl(`game-sessions/${session}`), { status: 'COMPLETED' }).then(() => {
        response.end('{"decisions":[{"decision":"accept"}]}')
      })
      return true
    }
    expect((await write(50)).status).toBe(409)
    expect(await scoreNow()).toBe(0)
  })
})

test('forged responses cannot be sent from outside: no operation of the service takes a decision', async () => {
  const { app, write, scoreNow, owner, hooks, hook } = await steps.hooked()
  steps.decides(() => ({ decision: 'refuse' }))
  await write(50)
  const [question] = receiver.received
  const headers = Object.fromEntries(Object.entries(question!.headers).filter(([name]) => name.startsWith('webhook-')))
  for (const caller of [
    service.as(headers as Record<string, string>),
    service.as({ ...app.headers, ...headers } as Record<string, string>),
  ]) {
    const answer = await caller.post(`${hooks}/${hook.id}`, { decisions: [{ decision: 'accept' }] })
    expect([404, 405]).toContain(answer.status)
  }
  expect(await scoreNow()).toBe(0)
  expect((await owner.get(hooks)).body.scoreHooks).toHaveLength(1)
})
