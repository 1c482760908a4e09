import type { ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { startReceiver } from '../../../test/network/receiver.ts'
import { hookSteps } from '../../../test/scoring/hook-steps.ts'
import { startService } from '../../../test/service.ts'

const receiver = await startReceiver()
const service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_SCORE_HOOK_SECONDS: '1' })
const { hooked } = hookSteps(service, receiver)
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

type Hooked = Awaited<ReturnType<typeof hooked>>
const lastError = ({ hookNow }: Hooked) =>
  expect.poll(async () => (await hookNow()).lastError as string, { timeout: 30_000 })

test('a hook that takes longer than it may decides nothing, whatever it says later', async () => {
  const it = await hooked()
  let late: ServerResponse | undefined
  receiver.answer = (response) => {
    late = response
    return true
  }
  expect((await it.write(50)).body).toMatchObject({ state: 'held', score: 0 })
  late!.end('{"decisions":[{"decision":"accept"}]}')
  await lastError(it).toContain('did not answer within 1 s')
  expect(await it.scoreNow()).toBe(0)
})

test('a hook that begins a response and does not end it decides nothing', async () => {
  const it = await hooked()
  receiver.answer = (response) => {
    response.write('{"decisions":[{"decision":"accept"}')
    return true
  }
  expect((await it.write(50)).body.state).toBe('held')
})
