import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { breakingWay } from '../../sdk/test/breaking-way.ts'
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

test('JSON is read and written without loss', async () => {
  const value = { text: 'a"\\\n\u0001λ🏆', list: [0, -1.5e-7, 12345678901234567890n, true, false, null, [], {}] }
  const text = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? Number(item) : item))
  expect(await run('json', text)).toEqual(JSON.parse(text))
})

test('each usual failure is an exception of its own type', async () => {
  expect(await run('missing', '00000000-0000-4000-8000-000000000000')).toMatchObject({ type: 'CairnNotFoundException' })
  expect(await run('missing', '..')).toMatchObject({ type: 'CairnNotFoundException' })
  expect(await run('error')).toMatchObject({ type: 'CairnInvalidException', issues: ['too_small displayName'] })
})

test('a cancelled call ends at once with OperationCanceledException', async () => {
  const sent = Promise.withResolvers<void>()
  way.faults.push(() => sent.resolve())
  expect(await program.run(['cancel'], environment(), undefined, sent.promise)).toBe('cancelled')
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

test('a second reading of a stream does not send the last event ID of the first one', async () => {
  expect(await run('streams')).toEqual(['board', 'board'])
  const streams = way.seen.filter(({ path }) => path.includes('/leaderboards/stream'))
  expect(streams.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, undefined])
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
