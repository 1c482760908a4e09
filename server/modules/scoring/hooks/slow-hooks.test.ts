import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { hookSteps } from '../../../test/scoring/hook-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let receiver: Receiver
let service: Service
let steps: ReturnType<typeof hookSteps>
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_SCORE_HOOK_SECONDS: '1' })
  steps = hookSteps(service, receiver)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

type Hooked = Awaited<ReturnType<typeof steps.hooked>>
const lastError = ({ hookNow }: Hooked) => expect.poll(async () => (await hookNow()).lastError as string)

test('a hook that takes longer than it may decides nothing, whatever it says later', async () => {
  const it = await steps.hooked()
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

test.each([
  ['half of its decisions', '{"decisions":[{"decision":"accept"}'],
  ['all of its decisions', '{"decisions":[{"decision":"accept"}]}'],
])(
  'a response that has not ended when its time expires decides nothing, although it has sent %s',
  async (_what, sent) => {
    const it = await steps.hooked()
    receiver.answer = (response) => {
      response.write(sent)
      return true
    }
    expect((await it.write(50)).body).toMatchObject({ state: 'held', score: 0 })
    await lastError(it).toContain('did not end in time')
    expect(await it.scoreNow()).toBe(0)
  },
)
