import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { severalProcesses } from '../../../test/processes/several-processes.ts'
import type { Answer, Caller } from '../../../test/service.ts'

let all: Awaited<ReturnType<typeof severalProcesses>>
beforeAll(async () => {
  all = await severalProcesses({
    CAIRN_TRUSTED_PROXIES: 'loopback',
    CAIRN_LIMIT_ADDRESS_PER_MINUTE: '8',
    CAIRN_LIMIT_USER_PER_MINUTE: '400',
  })
})
afterAll(() => all?.stop())

test('two serving processes let exactly the requests of one quota through, and say what is left of it', async () => {
  const callers = [all.one, all.other].map((service) => service.as({ 'x-forwarded-for': '198.51.100.1' }))
  const first = await callers[0]!.get('/api/v1/apps/public')
  const second = await callers[1]!.get('/api/v1/apps/public')
  const left = [first, second].map(({ headers }) => headers.get('ratelimit')?.replace(/t=\d+/, 't'))
  expect(left).toEqual(['"address";r=7;t', '"address";r=6;t'])
  const more = Array.from({ length: 20 }, (_, i) => callers[i % 2]!.get('/api/v1/apps/public'))
  const statuses = (await Promise.all(more)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(6)
  expect(statuses.filter((status) => status === 429)).toHaveLength(14)
})

test('two serving processes let exactly the quota through although each counts portions of it by itself', async () => {
  const user = await buildersOn(all.one).user()
  const through = (service: Caller, count: number) =>
    Promise.all(Array.from({ length: count }, () => service.get('/api/v1/apps/public')))
  const answers: Answer[] = []
  for (let i = 0; i < 6; i++) answers.push(...(await through(all.other.as(user.headers), 1)))
  for (let i = 0; i < 20; i++) answers.push(...(await through(user, 20)))
  const passed = answers.filter(({ status }) => status === 200)
  expect(passed.length).toBeGreaterThanOrEqual(400)
  // A process that waits too long for the coordinator counts alone, at half the quota.
  const together = passed.filter(({ headers }) => headers.get('ratelimit-policy')?.includes('q=400'))
  expect(together.length).toBeLessThanOrEqual(400)
})

test('each reports the metrics of all, with the name of the process', async () => {
  for (const name of ['coordinator', '1', '2'])
    expect(await all.metric('process_start_time_seconds', name)).toBeGreaterThan(0)
  expect(await all.metric('cairn_coordinator_connected', '2')).toBe(1)
})
