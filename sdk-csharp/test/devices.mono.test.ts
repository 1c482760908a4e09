import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { answer, breakAfter, breakingWay, loseAnswer, untouched } from '../../sdk/test/breaking-way.ts'
import { buildersOn } from '../../server/test/builders.ts'
import { fenceWorldOn, fixAt } from '../../server/test/fences/fence-world.ts'
import { type Caller, type Service, startService } from '../../server/test/service.ts'
import { sqlOn } from '../../server/test/sql.ts'
import { compileForMono } from './mono-program.ts'

let service: Service
let way: Awaited<ReturnType<typeof breakingWay>>
let program: ReturnType<typeof compileForMono>
let folder: string
let owner: Caller
let app: Caller & { key: string }
beforeAll(async () => {
  program = compileForMono()
  folder = mkdtempSync(join(tmpdir(), 'cairn-csharp-'))
  service = await startService()
})
afterAll(async () => {
  await service?.stop()
  program?.remove()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  way = await breakingWay(service.url)
  owner = await buildersOn(service).user()
  app = await buildersOn(service).app({ owner })
})
afterEach(() => way.close())

const run = (words: string[], session = '', appKey = app.key) =>
  program.run(words, { CAIRN_URL: way.url, CAIRN_APP_KEY: appKey, ...(session ? { CAIRN_SESSION: session } : {}) })
const ownSession = () => (owner as { headers: Record<string, string> }).headers.authorization!.slice('Bearer '.length)

async function round() {
  const player = await buildersOn(service).player(app)
  const { body } = await app.post('/api/v1/apps/game-sessions', { name: 'Away' })
  await app.post(`/api/v1/apps/game-sessions/${body.id}/players`, { playerId: player.id })
  return { session: body.id as string, player: player.id }
}

test('a code signs in once; a used one is refused with its reason', async () => {
  const { body } = await owner.post('/auth/codes', {})
  expect(await run(['sign-in', body.code], '', '')).toBe('completed')
  await expect(run(['sign-in', body.code], '', '')).rejects.toThrow(/CodeRefusedException/)
})

test('calls at the same time share one renewal of a player token', async () => {
  const { player } = await round()
  expect(await run(['renew', player])).toEqual({ isShared: true, renewals: 1 })
})

test('a token that the service refuses before its time is renewed once, and its calls are sent again', async () => {
  expect(await run(['renew-refused', 'a token of a revoked key'], ownSession(), '')).toBe(1)
  // Each of the 16 calls, and each again.
  expect(way.seen).toHaveLength(32)
})

test('a call that waits for a renewal ends when it is cancelled, and the others go on', async () => {
  expect(await run(['renew-leave'])).toBe('cancelled fresh')
})

test('scores kept offline survive a restart and are sent once, in order', async () => {
  const { session, player } = await round()
  const file = join(folder, 'scores.json')
  way.faults.push(...Array.from({ length: 8 }, () => answer(503)))
  expect(await run(['keep', file, session, player, '10'])).toBe(1)
  expect(await run(['keep', file, session, player, '20'])).toBe(2)
  way.seen.length = 0
  way.faults.push(loseAnswer)
  expect(await run(['send', file])).toEqual({ left: 0, refused: {} })
  expect(new Set(way.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
  const { body } = await app.get(`/api/v1/apps/game-sessions/${session}/players/${player}`)
  expect(body.playerScore ?? body.score).toBe(20)
})

test('a score that the service refuses leaves the queue and is reported', async () => {
  const { session } = await round()
  const file = join(folder, 'refused.json')
  const nobody = '00000000-0000-4000-8000-000000000000'
  way.faults.push(...Array.from({ length: 4 }, () => answer(503)))
  expect(await run(['keep', file, session, nobody, '10'])).toBe(1)
  expect(await run(['send', file])).toEqual({ left: 0, refused: { [nobody]: 404 } })
})

test('a score whose request a kill interrupted stays in the queue until its outcome is unknown, and is then sent again', async () => {
  const { session, player } = await round()
  const file = join(folder, 'interrupted.json')
  way.faults.push(loseAnswer, ...Array.from({ length: 3 }, () => answer(503)))
  expect(await run(['keep', file, session, player, '10'])).toBe(1)
  /** What a killed service leaves behind, and what it says of that after 15 minutes. */
  const leave = (state: string) => sqlOn(service)('update idempotency_keys set state = $1', [state])
  await leave('running')
  expect(await run(['send', file])).toEqual({ left: 1, refused: {} })
  await leave('unknown')
  expect(await run(['send', file])).toEqual({ left: 0, refused: {} })
})

test('a check-in kept offline survives a restart and is judged once', async () => {
  const world = await fenceWorldOn(service)
  const place = { lat: 48.1374, lon: 11.5755 }
  const rule = { checkIn: { once: 'ever', award: { points: 10 } } }
  const fence = await world.circle(place, 25, rule)
  const player = await world.player()
  const { authorization, 'x-app-api-key': key } = player.headers as Record<string, string>
  const token = authorization!.slice('Bearer '.length)
  const file = join(folder, 'check-ins.json')
  way.faults.push(...Array.from({ length: 4 }, () => answer(503)))
  const fix = JSON.stringify(fixAt(place))
  expect(await run(['keep-check-in', file, fence.id, fix], token, key)).toBe(1)
  way.faults.push(loseAnswer)
  const answers = await run(['send-check-ins', file], token, key)
  expect(answers).toMatchObject([{ state: 'accepted', awards: [{ points: 10, score: 10 }] }])
  const { body } = await world.game.get('/api/v1/apps/leaderboards/mini-game')
  expect(body.leaderboard).toMatchObject([{ playerId: player.id, playerScore: 10 }])
})

test('an upload does not resume with a file of another size', async () => {
  expect(await run(['upload-resume', '5000'], ownSession())).toMatch(/another size/)
})

test('an upload continues after a broken connection where it stopped', async () => {
  const size = 3_000_000
  way.faults.push(untouched, untouched, breakAfter(500_000))
  const result = await run(['upload', String(size)], ownSession())
  expect(result).toMatchObject({ size, name: 'größe.bin', sent: size })
  const bytes = new Uint8Array(await (await fetch((result as { url: string }).url)).arrayBuffer())
  expect(bytes).toHaveLength(size)
  expect(bytes.every((byte, i) => byte === (i * 31) % 251)).toBe(true)
})
