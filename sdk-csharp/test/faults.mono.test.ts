import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FaultProxy, startProxy } from '../../faults/injection/proxy.ts'
import { type ServiceMachine, startService } from '../../faults/machines/service.ts'
import { userToken } from '../../faults/sites/embedded-site.ts'
import { cleanUp, newFolder } from '../../server/test/process.ts'
import { type Caller, callerAt } from '../../server/test/service.ts'
import { compileForMono } from './mono-program.ts'

let folder: string
let service: ServiceMachine
let program: ReturnType<typeof compileForMono>
let owner: Caller
let app: Caller & { key: string }
let proxy: FaultProxy
let round: { session: string; player: string }
beforeAll(async () => {
  program = compileForMono()
  folder = await newFolder()
  service = await startService({ CAIRN_DATA_DIR: folder })
  owner = callerAt(service.url, { authorization: `Bearer ${await userToken({ CAIRN_DATA_DIR: folder })}` })
})
afterAll(async () => {
  await service?.stop()
  if (folder) await cleanUp(folder)
  program?.remove()
})
beforeEach(async () => {
  proxy = await startProxy({ host: '127.0.0.1', port: service.port })
  const { body } = await owner.post('/api/v1/apps', { name: 'Faults', description: 'Holds' })
  app = { ...callerAt(service.url, { 'x-app-api-key': body.apiKey }), key: body.apiKey }
  const session = (await app.post('/api/v1/apps/game-sessions', {})).body.id
  const player = (await app.post('/api/v1/apps/players', { displayName: 'Ada' })).body.id
  await app.post(`/api/v1/apps/game-sessions/${session}/players`, { playerId: player })
  round = { session, player }
})
afterEach(() => proxy.stop())

const COUNT = 40
const run = (words: string[], onLine?: (line: string) => void) =>
  program.run(words, { CAIRN_URL: `http://127.0.0.1:${proxy.port}`, CAIRN_APP_KEY: app.key }, onLine)
const write = (onLine: (line: string) => void) =>
  run(['scores', round.session, round.player, String(COUNT)], onLine) as Promise<number[]>
const setScore = async (score: number) => {
  const { status } = await app.patch(`/api/v1/apps/game-sessions/${round.session}/players/${round.player}`, { score })
  expect(status).toBe(200)
}

/** How often each score was written, by the history of the player. */
async function written(): Promise<Map<number, number>> {
  const { body } = await app.get(`/api/v1/apps/players/${round.player}/score-history?limit=100`)
  const times = new Map<number, number>()
  for (const { score } of body.scoreHistory as { score: number }[]) times.set(score, (times.get(score) ?? 0) + 1)
  return times
}
const once = (scores: number[]) => new Map(scores.map((score) => [score, 1]))
const all = Array.from({ length: COUNT }, (_, at) => COUNT - at)

test('through connections that are cut, every score is written, and written once', async () => {
  const unknown = await write((line) => {
    if (line.startsWith('written ')) proxy.reset()
  })
  expect(unknown).toEqual([])
  expect(await written()).toEqual(once(all))
})

test('through a connection that swallows everything for a while, every score is written once', async () => {
  let silent = 0
  const unknown = await write((line) => {
    if (line === 'written 5') proxy.set({ drop: true })
    if (line === 'wait 0' && ++silent === 2) proxy.set()
  })
  expect(unknown).toEqual([])
  expect(silent).toBeGreaterThanOrEqual(2)
  expect(await written()).toEqual(once(all))
})

test('through a slow connection, a file arrives whole', async () => {
  proxy.set({ delayMs: 20, bytesPerSecond: 50_000 })
  const size = 100_000
  const session = owner.headers.authorization!.slice('Bearer '.length)
  const result = await program.run(['upload', String(size)], {
    CAIRN_URL: `http://127.0.0.1:${proxy.port}`,
    CAIRN_SESSION: session,
  })
  const bytes = new Uint8Array(await (await fetch((result as { url: string }).url)).arrayBuffer())
  expect(bytes).toEqual(Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251))
})

test('through a connection too slow for a whole chunk within the time limit, each attempt brings a part', async () => {
  proxy.set({ bytesPerSecond: 150_000 })
  const session = owner.headers.authorization!.slice('Bearer '.length)
  const environment = { CAIRN_URL: `http://127.0.0.1:${proxy.port}`, CAIRN_SESSION: session, CAIRN_TIMEOUT_MS: '1000' }
  let waits = 0
  const result = await program.run(['upload', '1000000'], environment, (line) => {
    if (line === 'wait 0') waits++
  })
  expect(result).toMatchObject({ size: 1_000_000 })
  // More than the four attempts that a failure without progress has.
  expect(waits).toBeGreaterThanOrEqual(4)
})

test('through kills of the service, every acknowledged score is there once, and no other more than once', async () => {
  const acknowledged: number[] = []
  let restarted = Promise.resolve()
  const unknown = await write((line) => {
    const [word, score] = line.split(' ')
    if (word !== 'written') return
    acknowledged.push(Number(score))
    if (score === '10' || score === '25') restarted = restarted.then(() => service.kill()).then(() => service.start())
  })
  await restarted
  const times = await written()
  expect(acknowledged.map((score) => times.get(score))).toEqual(acknowledged.map(() => 1))
  expect(unknown.filter((score) => (times.get(score) ?? 0) > 1)).toEqual([])
  expect(acknowledged.length + unknown.length).toBe(COUNT)
  // A kill interrupts one request of one writer.
  expect(unknown.length).toBeLessThanOrEqual(2)
})

test('a board is followed through a restart of the service', async () => {
  const best: number[] = []
  let restarted: Promise<void> | undefined
  const states = await run(['board-until', '20'], (line) => {
    best.push(Number(line.split(' ')[1]))
    if (best.length === 1) void setScore(10)
    if (best.at(-1) === 10)
      restarted ??= service
        .kill()
        .then(() => service.start())
        .then(() => setScore(20))
  })
  await restarted
  expect(best.slice(0, 2)).toEqual([0, 10])
  expect((states as boolean[]).slice(0, 3)).toEqual([true, false, true])
})
