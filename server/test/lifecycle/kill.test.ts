// @module-tag long
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bareEnvironment, cleanUp, newFolder, ROOT, type ServiceProcess, startProcess } from '../process.ts'

let folder: string
let service: ServiceProcess | undefined
beforeEach(async () => {
  folder = await newFolder()
})
afterEach(() => cleanUp(folder, service))

const KILLS = Number(process.env.CAIRN_TEST_KILLS ?? 3)
const PLAYERS = 24

test('after a kill -9 in the middle of scoring every acknowledged score is there, and ranks right', async () => {
  service = await startProcess(folder)
  const { key, session, players } = await openGame(service.url)
  /** What each player's score may be: the last acknowledged one, or one sent later whose answer never came. */
  const possible = new Map(players.map((id) => [id, [0]]))
  let acknowledged = 0

  for (let kill = 0; kill < KILLS; kill++) {
    let running = true
    const writers = players.map(async (id) => {
      while (running) {
        const score = Math.floor(Math.random() * 40) / 4 - 3
        possible.get(id)!.push(score)
        const status = await call(service!.url, key, 'PATCH', `game-sessions/${session}/players/${id}`, { score })
          .then((answer) => answer.status)
          .catch(() => 0)
        if (status === 200) {
          possible.set(id, [score])
          acknowledged++
        } else running = false
      }
    })
    await sleep(700)
    service.child.kill('SIGKILL')
    await Promise.all(writers)
    await service.ended
    service = await startProcess(folder)

    const { body } = await call(service.url, key, 'GET', `game-sessions/${session}/players`)
    const scores = new Map<string, number>(
      body.players.map((one: { playerId: string; score: number }) => [one.playerId, one.score]),
    )
    for (const [id, allowed] of possible) expect(allowed).toContain(scores.get(id))
    // The first answers come from SQL while the rank index loads, later ones from the index.
    for (const round of ['from SQL', 'from the index']) {
      for (const [id, score] of scores) {
        const better = [...scores.values()].filter((other) => other > score).length
        const ranking = await call(service.url, key, 'GET', `players/${id}/global-ranking`)
        expect(ranking.body, round).toMatchObject({ highestScore: score, ranking: better + 1 })
      }
      await sleep(300)
    }
    for (const [id, score] of scores) possible.set(id, [score])
  }
  expect(acknowledged).toBeGreaterThan(KILLS * 20)
})

async function openGame(url: string) {
  const token = execFileSync(process.execPath, ['server/cli.ts', 'user', 'token', '--name', 'ada'], {
    cwd: ROOT,
    env: { ...bareEnvironment(), CAIRN_DATA_DIR: folder },
    encoding: 'utf8',
  }).trim()
  const made = await fetch(`${url}/api/v1/apps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Kill', description: 'Survives' }),
  })
  const { apiKey: key } = (await made.json()) as { apiKey: string }
  const session = (await call(url, key, 'POST', 'game-sessions', {})).body.id as string
  const players: string[] = []
  for (let i = 0; i < PLAYERS; i++) {
    const { id } = (await call(url, key, 'POST', 'players', { displayName: `Player ${i}` })).body
    await call(url, key, 'POST', `game-sessions/${session}/players`, { playerId: id })
    // A first score, so that everybody ranks.
    await call(url, key, 'PATCH', `game-sessions/${session}/players/${id}`, { score: 0 })
    players.push(id)
  }
  return { key, session, players }
}

async function call(url: string, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/api/v1/apps/${path}`, {
    method,
    headers: { 'x-app-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the test reads a few members of answers that openapi.json describes.
  return { status: response.status, body: (await response.json()) as any }
}
