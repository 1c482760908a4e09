import { afterAll, beforeAll, expect, test } from 'vitest'
import { severalProcesses } from '../../../test/processes/several-processes.ts'

let all: Awaited<ReturnType<typeof severalProcesses>>
beforeAll(async () => {
  all = await severalProcesses({ CAIRN_TRUSTED_PROXIES: 'loopback', CAIRN_LIMIT_ADDRESS_PER_MINUTE: '8' })
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

test('each reports the metrics of all, with the name of the process', async () => {
  for (const name of ['coordinator', '1', '2'])
    expect(await all.metric('process_start_time_seconds', name)).toBeGreaterThan(0)
  expect(await all.metric('cairn_coordinator_connected', '2')).toBe(1)
})
