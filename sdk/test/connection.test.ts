import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { defaultRetryPlan, waitAfter } from '../http/retry.ts'
import { type CairnError, createCairn, keepSession } from '../index.ts'
import { answer, breakingWay } from './breaking-way.ts'

let service: Service
let way: Awaited<ReturnType<typeof breakingWay>>
let appKey: string
let session: string
beforeAll(async () => {
  service = await startService()
  const owner = await buildersOn(service).user()
  session = owner.headers.authorization!.slice('Bearer '.length)
  appKey = (await buildersOn(service).app({ owner })).key
})
afterAll(() => service.stop())
beforeEach(async () => {
  way = await breakingWay(service.url)
})
afterEach(() => way.close())

const retry = { firstWait: 1 }
const client = (options = {}) => createCairn({ baseUrl: way.url, appKey, session, retry, ...options })
const failure = (promise: Promise<unknown>): Promise<CairnError> =>
  promise.then(
    () => expect.unreachable('it succeeded'),
    (error) => error,
  )

test('waits grow, differ, and are never shorter than Retry-After says', () => {
  for (let i = 0; i < 100; i++) {
    expect(waitAfter(1, defaultRetryPlan, null)).toBeLessThanOrEqual(300)
    expect(waitAfter(3, defaultRetryPlan, null)).toBeGreaterThanOrEqual(600)
    expect(waitAfter(30, defaultRetryPlan, null)).toBeLessThanOrEqual(30_000)
    expect(waitAfter(1, defaultRetryPlan, 7)).toBeGreaterThanOrEqual(7000)
  }
  expect(waitAfter(3, defaultRetryPlan, null)).not.toBe(waitAfter(3, defaultRetryPlan, null))
})

test('a refused connection throws status 0', async () => {
  const away = createCairn({ baseUrl: 'http://127.0.0.1:9', retry: { attempts: 1 } })
  expect(await failure(away.zones.list().first())).toMatchObject({
    status: 0,
    message: 'No answer from http://127.0.0.1:9',
  })
})

test('who ends a call gets the reason that was given, while it waits too', async () => {
  way.faults.push(answer(503, { 'retry-after': '20' }))
  const controller = new AbortController()
  const call = failure(client().zones.list(undefined, { signal: controller.signal }).first())
  await vi.waitFor(() => expect(way.seen).toHaveLength(1), { timeout: 20_000 })
  const reason = new Error('left the page')
  controller.abort(reason)
  expect(await call).toBe(reason)
})

test('credentials go to the service alone, never to another address', async () => {
  const [elsewhere, cairn] = [await breakingWay(service.url), client()]
  const request = { method: 'GET', url: `${elsewhere.url}/healthz`, repeatable: true }
  await cairn.connection.send(request, {}, (response) => response.text())
  await cairn.user.get()
  await elsewhere.close()
  expect(elsewhere.seen[0]!.headers).not.toHaveProperty('authorization')
  expect(elsewhere.seen[0]!.headers).not.toHaveProperty('x-app-api-key')
  expect(way.seen[0]!.headers).toMatchObject({ authorization: `Bearer ${session}`, 'x-app-api-key': appKey })
})

test('a list is fetched page by page, no further than it is read', async () => {
  const { gameSessions } = client()
  for (let i = 0; i < 5; i++) await gameSessions.create({ name: `Round ${i}` })
  way.seen.length = 0
  const list = gameSessions.list({ limit: 2 })
  expect(await list.first()).toMatchObject({ total: 5, items: [{ name: 'Round 4' }, { name: 'Round 3' }] })
  expect(way.seen).toHaveLength(1)
  const names: (string | null)[] = []
  for await (const { name } of list) names.push(name)
  expect(names).toEqual(['Round 4', 'Round 3', 'Round 2', 'Round 1', 'Round 0'])
  expect(way.seen).toHaveLength(4)
  expect(await list.all({ atMost: 3 })).toHaveLength(3)
  expect(way.seen).toHaveLength(6)
  const sizes: number[] = []
  for await (const { items } of list.pages()) sizes.push(items.length)
  expect(sizes).toEqual([2, 2, 1])
})

test('a kept session renews itself once two thirds of its time are over, and says when it has ended', async () => {
  const renewed: string[] = []
  let ended = 0
  const kept = keepSession({
    baseUrl: way.url,
    token: session,
    onRenewed: (token) => renewed.push(token),
    onEnded: () => ended++,
  })
  const { user, auth } = createCairn({ baseUrl: way.url, session: kept, retry })
  await user.get()
  expect(renewed).toEqual([])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 9 * 3600_000 })
  try {
    await Promise.all([user.get(), user.get(), user.get()])
    expect(renewed).toHaveLength(1)
    expect(way.seen.at(-1)!.headers.authorization).toBe(`Bearer ${renewed[0]}`)
    await auth.signOut()
    vi.setSystemTime(Date.now() + 9 * 3600_000)
    await expect.poll(async () => (await failure(user.get())).status).toBe(401)
    expect(ended).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
