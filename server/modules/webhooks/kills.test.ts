// @module-tag long
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Received, type Receiver, startReceiver } from '../../test/network/receiver.ts'
import { cleanUp, newFolder, ROOT, type ServiceProcess, startProcess } from '../../test/process.ts'

let folder: string
let service: ServiceProcess | undefined
let receiver: Receiver
beforeEach(async () => {
  folder = await newFolder()
  receiver = await startReceiver()
})
afterEach(async () => {
  await cleanUp(folder, service)
  await receiver.stop()
})

/** The long form: CAIRN_TEST_EVENTS=10000 CAIRN_TEST_KILLS=5. */
const EVENTS = Number(process.env.CAIRN_TEST_EVENTS ?? 300)
const KILLS = Number(process.env.CAIRN_TEST_KILLS ?? 2)
const PLAYERS = 20

/** What the killed process had taken is taken again when its lease ends, where the next one does not find itself alone. */
const LEASE_MS = 90_000

test('a receiver that fails one time in five and goes away, and a service killed in between: each event arrives, those of a player in order', {
  timeout: 4 * LEASE_MS,
}, async () => {
  const settings = {
    CAIRN_WEBHOOK_HOSTS: receiver.host,
    CAIRN_WEBHOOK_RETRY_SECONDS: '0.02',
    CAIRN_LIMIT_KEY_PER_MINUTE: '1000000',
    CAIRN_LIMIT_ADDRESS_PER_MINUTE: '1000000',
  }
  service = await startProcess(folder, { settings })
  const { key, session, players } = await openGame(service.url, receiver.url)
  let count = 0
  let isAway = false
  receiver.answer = (response) => {
    // Each failure of its own kind: an answer, none, and one that comes although it was taken.
    if (isAway || count++ % 5 === 0) {
      if (count % 2) response.writeHead(500).end()
      else response.destroy()
      return false
    }
    if (count % 31 === 0) response.destroy()
    else response.end()
    return true
  }

  /** What was acknowledged, and the one whose answer never came. */
  const acknowledged = new Map(players.map((id) => [id, [] as number[]]))
  let next = 0
  for (let kill = 0; kill <= KILLS; kill++) {
    const until = Math.ceil((EVENTS * (kill + 1)) / (KILLS + 1))
    let isRunning = true
    const writers = players.map(async (id) => {
      while (isRunning && next < until) {
        const score = ++next
        const status = await call(service!.url, key, 'PATCH', `game-sessions/${session}/players/${id}`, { score }).then(
          (answer) => answer.status,
          () => 0,
        )
        if (status === 200) acknowledged.get(id)!.push(score)
        else isRunning = false
      }
    })
    // The receiver restarts, and the service is killed while it writes and sends.
    isAway = true
    await sleep(300)
    isAway = false
    while (isRunning && next < until - PLAYERS) await sleep(2)
    if (kill < KILLS) service.child.kill('SIGKILL')
    await Promise.all(writers)
    if (kill === KILLS) break
    await service.ended
    service = await startProcess(folder, { settings })
  }
  const written = [...acknowledged.values()].flat()
  expect(written.length).toBeGreaterThan(EVENTS / 2)

  const missing = () => {
    const arrived = new Set(receiver.received.map(({ data }) => data.score))
    return written.filter((score) => !arrived.has(score))
  }
  for (let i = 0; i < (1.5 * LEASE_MS) / 20 && missing().length > 0; i++) await sleep(20)
  expect(missing()).toEqual([])
  for (const id of players) {
    const first = firstArrivals(receiver.received.filter(({ data }) => data.playerId === id))
    expect(first).toEqual(first.toSorted((a, b) => a - b))
  }
  // One event a score, however often it was sent.
  const ids = new Map(receiver.received.map(({ headers, data }) => [headers['webhook-id'], data.score]))
  expect(new Set(ids.values()).size).toBe(ids.size)
})

/** The scores in the order in which they were heard of first. */
const firstArrivals = (received: Received[]): number[] => [...new Set(received.map(({ data }) => data.score as number))]

async function openGame(url: string, receiverUrl: string) {
  const token = execFileSync(process.execPath, ['server/cli.ts', 'user', 'token', '--name', 'ada'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, CAIRN_DATA_DIR: folder },
    encoding: 'utf8',
  }).trim()
  const asOwner = async (path: string, body: object) => {
    const made = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into an answer's body without knowing its type.
    return (await made.json()) as any
  }
  const { id: appId, apiKey: key } = await asOwner('/api/v1/apps', { name: 'Kill', description: 'Survives' })
  await asOwner(`/api/v1/apps/${appId}/webhooks`, { url: receiverUrl, eventTypes: ['score.updated'] })
  const session = (await call(url, key, 'POST', 'game-sessions', {})).body.id as string
  const players: string[] = []
  for (let i = 0; i < PLAYERS; i++) {
    const { id } = (await call(url, key, 'POST', 'players', { displayName: `Player ${i}` })).body
    await call(url, key, 'POST', `game-sessions/${session}/players`, { playerId: id })
    players.push(id)
  }
  return { key, session, players }
}

async function call(url: string, key: string, method: string, path: string, body: object) {
  const response = await fetch(`${url}/api/v1/apps/${path}`, {
    method,
    headers: { 'x-app-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into an answer's body without knowing its type.
  return { status: response.status, body: (await response.json()) as any }
}
