import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { answer, breakingWay } from '../../sdk/test/breaking-way.ts'
import { buildersOn } from '../../server/test/builders.ts'
import { type Caller, type Service, startService } from '../../server/test/service.ts'
import { compileForMono } from './mono-program.ts'

let service: Service
let program: ReturnType<typeof compileForMono>
let way: Awaited<ReturnType<typeof breakingWay>>
let app: Caller & { key: string }
/** How far the clock of the service's quotas is ahead, in milliseconds. */
let ahead = 0
beforeAll(async () => {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
  program = compileForMono()
  service = await startService({ CAIRN_LIMIT_KEY_PER_MINUTE: '2' })
})
afterAll(async () => {
  await service?.stop()
  program?.remove()
  vi.mocked(performance.now).mockRestore()
})
beforeEach(async () => {
  way = await breakingWay(service.url)
  app = await buildersOn(service).app()
})
afterEach(() => way.close())

const run = (word: string) => program.run([word], { CAIRN_URL: way.url, CAIRN_APP_KEY: app.key })
const useOne = () => app.get('/api/v1/apps/players')

test('a quota that is used up is waited for, before the service refuses a request', async () => {
  way.faults.push(async (_incoming, _response, pass) => {
    await useOne()
    // Eight seconds of the minute are left.
    ahead += 52_000
    pass()
  })
  expect(await run('quota')).toEqual({ key: true })
  expect(way.seen).toHaveLength(2)
})

test('a quota that is used up for longer than the longest wait is not waited for: the service refuses', async () => {
  await useOne()
  expect(await run('quota')).toEqual({ refused: true })
  expect(way.seen).toHaveLength(2)
})

test('a call that waits for a quota ends at once when it is cancelled, and sends nothing', async () => {
  await useOne()
  expect(await run('quota-leave')).toBe('cancelled')
  expect(way.seen).toHaveLength(1)
})

test('a request over a limit is sent again after Retry-After, also one that takes no Idempotency-Key', async () => {
  way.faults.push(answer(429, { 'retry-after': '1' }))
  expect(await run('code')).not.toMatchObject({ status: 429 })
  expect(way.seen).toHaveLength(2)
})
