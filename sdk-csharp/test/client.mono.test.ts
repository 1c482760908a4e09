import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { answer, breakingWay, loseAnswer } from '../../sdk/test/breaking-way.ts'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { compileForMono } from './mono-program.ts'

let service: Service
let way: Awaited<ReturnType<typeof breakingWay>>
let program: ReturnType<typeof compileForMono>
let appKey: string
let session: string
beforeAll(async () => {
  program = compileForMono()
  service = await startService()
})
afterAll(async () => {
  await service?.stop()
  program?.remove()
})
beforeEach(async () => {
  way = await breakingWay(service.url)
  const owner = await buildersOn(service).user({ roles: ['admin'] })
  session = owner.headers.authorization!.slice('Bearer '.length)
  appKey = (await buildersOn(service).app({ owner })).key
})
afterEach(() => way.close())

const environment = () => ({ CAIRN_URL: way.url, CAIRN_APP_KEY: appKey, CAIRN_SESSION: session })
const run = (...words: string[]) => program.run(words, environment())
/** Waits until the caller gives up. */
const silence = () => {}

test('a game: names of any script, numbers and times arrive as they were sent', async () => {
  expect(await run('game')).toEqual({ rank: 1, best: 'Ada "λ" 🏆', score: 1250.5, year: new Date().getUTCFullYear() })
})

test('a list is read over all its pages, and no further than asked for', async () => {
  expect(await run('pages')).toEqual({ all: [1, 2, 3, 4, 5].map((number) => `Paged ${number}`), three: 3 })
})

test('JSON is read and written without loss', async () => {
  const value = { text: 'a"\\\n\u0001λ🏆', list: [0, -1.5e-7, 12345678901234567890n, true, false, null, [], {}] }
  const text = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? Number(item) : item))
  expect(await run('json', text)).toEqual(JSON.parse(text))
})

test('an invalid field is an exception with code and path', async () => {
  expect(await run('error')).toMatchObject({
    type: 'CairnInvalidException',
    status: 400,
    requestId: expect.any(String),
    issues: [expect.stringMatching(/^\w+ displayName$/)],
  })
})

test('what is not there is an exception of its own; an ID of dots is never sent', async () => {
  expect(await run('missing', '00000000-0000-4000-8000-000000000000')).toMatchObject({ type: 'CairnNotFoundException' })
  expect(await run('missing', '..')).toMatchObject({ type: 'CairnNotFoundException' })
  expect(way.seen).toHaveLength(1)
})

test('a lost answer to a POST makes nothing twice: the repeat carries the same Idempotency-Key', async () => {
  way.faults.push(loseAnswer, loseAnswer)
  const id = await run('create')
  expect(way.seen).toHaveLength(3)
  expect(new Set(way.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
})

test('a lost answer to a DELETE is no failure: what is gone is gone', async () => {
  const id = (await run('create')) as string
  way.faults.push(loseAnswer)
  expect(await run('remove', id)).toBe('completed')
  expect(await run('remove', id)).toMatchObject({ status: 404 })
})

test('what takes no Idempotency-Key is sent a single time', async () => {
  way.faults.push(loseAnswer)
  expect(await run('code')).toMatchObject({ type: 'CairnUnreachableException', status: 0 })
  expect(way.seen).toHaveLength(1)
})

test('a Retry-After longer than the longest wait is an exception at once; a short one is waited for', async () => {
  way.faults.push(answer(429, { 'retry-after': '600' }))
  expect(await run('missing', 'x')).toMatchObject({ type: 'CairnRateLimitException' })
  way.faults.push(answer(503, { 'retry-after': '1' }))
  const startedAt = performance.now()
  expect(await run('create')).toEqual(expect.any(String))
  expect(performance.now() - startedAt).toBeGreaterThan(1000)
})

test('a service that does not answer in time is unreachable after all attempts', async () => {
  way.faults.push(silence, silence, silence, silence)
  expect(await run('slow')).toMatchObject({
    type: 'CairnUnreachableException',
    message: expect.stringMatching(/in time/),
  })
  expect(way.seen).toHaveLength(4)
})

test('a cancelled call ends at once with OperationCanceledException', async () => {
  way.faults.push(silence)
  expect(await run('cancel')).toBe('cancelled')
  expect(way.seen).toHaveLength(1)
})

test('a board is followed through a broken connection without missing a change', async () => {
  const app = service.as({ 'x-app-api-key': appKey })
  const player = await buildersOn(service).player(app)
  const { body: round } = await app.post('/api/v1/apps/game-sessions', { name: 'Live' })
  await app.post(`/api/v1/apps/game-sessions/${round.id}/players`, { playerId: player.id })
  const setScore = (score: number) =>
    app
      .patch(`/api/v1/apps/game-sessions/${round.id}/players/${player.id}`, { score })
      .then(({ status }) => expect(status).toBe(200))
  let count = 0
  const seen = await program.run(['board', '3'], environment(), () => {
    count++
    if (count === 1) void setScore(10)
    if (count === 2) {
      way.breakAll()
      void setScore(20)
    }
  })
  expect(seen).toMatchObject({ states: [true, false, true, false] })
  expect((seen as { events: string[] }).events).toHaveLength(3)
  const streams = way.seen.filter(({ path }) => path.includes('/leaderboards/stream'))
  expect(streams.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, expect.any(String)])
})

test('every operation of openapi.json reaches the service, with its method and path', async () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, object>
  }
  expect(await run('every')).toEqual([])
  const described = Object.entries(paths)
    .filter(([path]) => !path.startsWith('/api/upload/tus'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })))
  const reached = ({ method, path }: { method: string; path: string }) => {
    const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
    return way.seen.some((request) => request.method === method && pattern.test(request.path.split('?')[0]!))
  }
  expect(described.filter((operation) => !reached(operation))).toEqual([])
})
