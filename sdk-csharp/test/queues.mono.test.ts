import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { answer, breakingWay } from '../../sdk/test/breaking-way.ts'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { compileForMono } from './mono-program.ts'

let service: Service
let way: Awaited<ReturnType<typeof breakingWay>>
let program: ReturnType<typeof compileForMono>
let folder: string
let file: string
let key: string
let round: string
let player: string
beforeAll(async () => {
  program = compileForMono()
  service = await startService()
})
afterAll(async () => {
  await service?.stop()
  program?.remove()
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-csharp-'))
  file = join(folder, 'queue.json')
  way = await breakingWay(service.url)
  const app = await buildersOn(service).app()
  key = app.key
  player = (await buildersOn(service).player(app)).id
  round = (await app.post('/api/v1/apps/game-sessions', { name: 'Away' })).body.id
  await app.post(`/api/v1/apps/game-sessions/${round}/players`, { playerId: player })
})
afterEach(async () => {
  await way.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...words: string[]) => program.run(words, { CAIRN_URL: way.url, CAIRN_APP_KEY: key })
const page = answer(200, { 'content-type': 'text/html' })

test.each([
  ['cut short', '[{"session":"s","player":"p","sco'],
  ['of another form', '{"version":2}'],
  ['with an item without its key', '[{"session":"s","player":"p","score":1}]'],
])('a stored queue that is %s opens empty, shows what it was, and works', async (_what, text) => {
  writeFileSync(file, text)
  expect(await run('queue-damaged', file)).toEqual({ unreadable: text, isEmpty: true, kept: 1 })
})

test('a full queue drops its oldest item and says so', async () => {
  expect(await run('queue-full', file)).toEqual({ dropped: [1], kept: 3 })
})

test('a cleared queue sends nothing more and leaves nothing in its store, also while it sends', async () => {
  way.faults.push(answer(503))
  expect(await run('queue-clear', file, round, player)).toBe('[]')
  expect(way.seen).toHaveLength(2)
})

test('an item leaves the queue before the game hears of its refusal, so that a fault of the game does not repeat it', async () => {
  expect(await run('queue-failing', file, round, '00000000-0000-4000-8000-000000000000')).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe('[]')
})

test.each([
  ['the page of a network where one signs in first', page],
  ['a gateway that forbids everything', answer(403)],
])('%s takes no score out of the queue', async (_what, fault) => {
  way.faults.push(...Array.from({ length: 4 }, () => fault))
  expect(await run('keep', file, round, player, '10')).toBe(1)
  way.faults.length = 0
  expect(await run('send', file)).toEqual({ left: 0, refused: {} })
})
