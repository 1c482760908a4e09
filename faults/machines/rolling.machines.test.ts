import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Call, type Client, createClient, expectStatus } from '../load/client.ts'
import { type Game, openGame } from '../load/game.ts'
import { sha256Of } from '../load/upload-protocols.ts'
import { userToken } from '../sites/embedded-site.ts'
import { startTopology, type Topology } from './topology.ts'

/** Number of restarts of each process; CAIRN_TEST_RESTARTS for more. */
const ROUNDS = Number(process.env.CAIRN_TEST_RESTARTS ?? 1)
const PLAYERS = 8

// Three processes a round, each with its time to drain and to start.
vi.setConfig({ testTimeout: ROUNDS * 240_000 })

let topology: Topology
let client: Client
let game: Game

beforeAll(async () => {
  topology = await startTopology({
    apis: 3,
    workers: 0,
    replica: false,
    s3: false,
    settings: { CAIRN_ROLE: 'all', CAIRN_DRAIN_SECONDS: '3' },
  })
  client = createClient(() => topology.url)
  const token = await userToken(await topology.settingsOf(0))
  game = await openGame(client, token, { players: PLAYERS })
})
afterAll(async () => {
  client?.close()
  await topology?.stop()
})

/** Restarts one process after the other, each when the previous one is ready again. */
async function restartAll(): Promise<(number | string)[]> {
  const codes: (number | string)[] = []
  for (const service of topology.apis) {
    codes.push(await service.term())
    await service.start()
    await service.untilReady()
    // Waits until the load balancer sees it too.
    await sleep(1500)
  }
  return codes
}

test('rolling restarts fail no request and lose no acknowledged write', async () => {
  let isOver = false
  let done = 0
  const failed: unknown[] = []
  const scores = new Map<string, number>()
  const headers = { 'x-app-api-key': game.key }
  const session = game.sessions[0]!.id
  const send = async (call: Call) => {
    const { headers: _headers, ...answer } = (await client.send({ ...call, headers })) as {
      headers?: unknown
      status: number
    }
    if (answer.status === 200) done++
    else failed.push({ ...call, ...answer })
    return answer.status === 200
  }
  const writers = game.players.map(async (player) => {
    for (let score = 1; !isOver; score++) {
      const path = `/api/v1/apps/game-sessions/${session}/players/${player}`
      if (await send({ method: 'PATCH', path, body: { score } })) scores.set(player, score)
      await sleep(10)
    }
  })
  const readers = ['leaderboards/mini-game', 'players', `game-sessions/${session}/leaderboard`].map(async (path) => {
    while (!isOver) {
      await send({ method: 'GET', path: `/api/v1/apps/${path}` })
      await sleep(10)
    }
  })
  const codes: (number | string)[] = []
  for (let round = 0; round < ROUNDS; round++) codes.push(...(await restartAll()))
  isOver = true
  await Promise.all([...writers, ...readers])

  expect(failed).toEqual([])
  expect(codes).toEqual(codes.map(() => 0))
  expect(done).toBeGreaterThan(100)
  for (const { url } of topology.apis) {
    const one = createClient(() => url)
    for (const [player, score] of scores) {
      const path = `/api/v1/apps/players/${player}/global-ranking`
      expect((await expectStatus(one.send({ method: 'GET', path, headers }))).body.highestScore).toBe(score)
    }
    one.close()
  }
})

test('a stopping process reports it at once, continues to answer without keep-alive, and ends its streams', async () => {
  const [first] = topology.apis
  await first!.term()
  // Longer than a busy machine stalls.
  await first!.start({ CAIRN_DRAIN_SECONDS: '15' })
  const direct = createClient(() => first!.url)
  const headers = { 'x-app-api-key': game.key }
  const stream = await fetch(`${first!.url}/api/v1/apps/leaderboards/stream`, { headers })
  const told = stream.text()
  const ended = first!.term()
  await expect
    .poll(async () => (await direct.send({ method: 'GET', path: '/readyz' })).status, { interval: 20 })
    .toBe(503)
  const answer = await expectStatus(direct.send({ method: 'GET', path: '/api/v1/apps/players', headers }))
  expect(answer.headers.connection).toBe('close')
  expect(await told).toMatch(/^retry: \d+/)
  expect(await ended).toBe(0)
  direct.close()
  await first!.start()
})

/** A PATCH of a resumable upload whose body arrives in chunks every 20 ms, and that is answered before its end. @returns its status, 0 without a response */
function trickle(url: string, headers: Record<string, string>, bytes: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const all = { ...headers, 'content-type': 'application/offset+octet-stream', 'content-length': bytes.length }
    let isOver = false
    const over = (status: number) => {
      isOver = true
      resolve(status)
    }
    const sending = request(url, { method: 'PATCH', headers: all }, (answer) => {
      answer.resume().on('close', () => over(answer.statusCode!))
    })
    sending.on('error', () => over(0))
    const goOn = async () => {
      for (let at = 0; at < bytes.length && !isOver; at += 1000) {
        sending.write(bytes.subarray(at, at + 1000))
        await sleep(20)
      }
      sending.destroy()
    }
    void goOn()
  })
}

test('a resumable upload continues at another process when its process stops, and has all bytes', async () => {
  const tus = { 'tus-resumable': '1.0.0' }
  const bytes = randomBytes(3_000_000)
  const begun = await expectStatus(
    client.send({
      method: 'POST',
      path: '/api/upload/tus',
      headers: { ...tus, 'upload-length': String(bytes.length) },
    }),
    201,
  )
  const { pathname } = new URL(String(begun.headers.location))
  const stands = async (): Promise<number> =>
    (await expectStatus(client.send({ method: 'GET', path: pathname }))).body.uploadOffset
  const places: number[] = []
  for (const service of topology.apis.slice(0, 2)) {
    const at = places.at(-1) ?? 0
    const headers = { ...tus, 'upload-offset': String(at) }
    const sent = trickle(service.url + pathname, headers, bytes.subarray(at))
    await expect.poll(stands).toBeGreaterThan(at)
    // Received bytes are acknowledged as stored; the rest is discarded.
    const ended = service.term()
    expect(await sent).toBe(204)
    expect(await ended).toBe(0)
    places.push(await stands())
    await service.start()
  }
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[1]).toBeLessThan(bytes.length)
  const last = await expectStatus(
    client.send({
      method: 'PATCH',
      path: pathname,
      headers: { ...tus, 'upload-offset': String(places[1]), 'content-type': 'application/offset+octet-stream' },
      body: bytes.subarray(places[1]),
    }),
    204,
  )
  const file = await fetch(String(last.headers['upload-file-url']))
  expect(sha256Of(Buffer.from(await file.arrayBuffer()))).toBe(sha256Of(bytes))
})
