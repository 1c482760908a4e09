// @module-tag long
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { killedService } from '../processes/killed-service.ts'
import { appUrl } from '../scoring/scoring-steps.ts'
import { type Caller, callerAt } from '../service.ts'

const KILLS = Number(process.env.CAIRN_TEST_KILLS ?? 3)
const PLAYERS = 12

type Running = Awaited<ReturnType<typeof killedService>>
let service: Running
beforeEach(async () => {
  service = await killedService({
    CAIRN_PROCESSES: '2',
    CAIRN_DRAIN_SECONDS: '2',
    CAIRN_LIMIT_KEY_PER_MINUTE: '1000000000',
    CAIRN_LIMIT_PLAYER_PER_MINUTE: '1000000000',
  })
})
afterEach(() => service?.stop())

/** The pids of the parts of a service, by name. */
function parts(): Map<string, number> {
  const pid = service.pid()
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const named = children.map((child) => [readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ''), +child])
  return new Map(named.map(([name, child]) => [String(name).replace(/^cairn /, ''), Number(child)]))
}

/** Waits until the parts are complete, and none of them is the killed process. */
async function replaced(killed: number): Promise<void> {
  await expect
    .poll(() =>
      [...parts()]
        .filter(([, pid]) => pid !== killed)
        .map(([name]) => name)
        .sort(),
    )
    .toEqual(['1', '2', 'coordinator'])
}

/** An app with a session, whose players all have a score. */
async function openGame() {
  const user = callerAt(service.url(), { authorization: `Bearer ${service.token}` })
  const { body: made } = await user.post('/api/v1/apps', { name: 'Kill', description: 'Survives' })
  const app = callerAt(service.url(), { 'x-app-api-key': made.apiKey })
  const { id: session } = (await app.post(appUrl('game-sessions'), {})).body
  const players: string[] = []
  for (let i = 0; i < PLAYERS; i++) {
    const { id } = (await app.post(appUrl('players'), { displayName: `Player ${i}` })).body
    await app.post(appUrl(`game-sessions/${session}/players`), { playerId: id })
    await app.patch(appUrl(`game-sessions/${session}/players/${id}`), { score: 0 })
    players.push(id)
  }
  return { app, key: made.apiKey as string, session, players }
}

/** One writer a player, whose scores go up and down. @returns what each player's score may be, once `until` is over */
async function writeUntil({ app, session, players }: Awaited<ReturnType<typeof openGame>>, until: Promise<unknown>) {
  const statuses: Record<number, number> = {}
  let isOver = false
  void until.then(() => {
    isOver = true
  })
  const possible = await Promise.all(
    players.map(async (id): Promise<[string, number[]]> => {
      let allowed = [0]
      while (!isOver) {
        const score = Math.floor(Math.random() * 40) / 4 - 3
        const status = await app.patch(appUrl(`game-sessions/${session}/players/${id}`), { score }).then(
          (answer) => answer.status,
          () => 0,
        )
        statuses[status] = (statuses[status] ?? 0) + 1
        allowed = status === 200 ? [score] : [...allowed, score]
        if (status === 0) await sleep(20)
      }
      return [id, allowed]
    }),
  )
  return { possible, statuses }
}

/** Compares scores with what was acknowledged, and ranks with the scores. */
async function expectRight(app: Caller, session: string, possible: [string, number[]][]) {
  const { body } = await app.get(appUrl(`game-sessions/${session}/players`))
  const scores = new Map<string, number>(
    body.players.map((one: { playerId: string; score: number }) => [one.playerId, one.score]),
  )
  for (const [id, allowed] of possible) expect(allowed).toContain(scores.get(id))
  // First from SQL while the rank index loads, later from the index.
  for (let round = 0; round < 4; round++) {
    for (const [id, score] of scores) {
      const better = [...scores.values()].filter((other) => other > score).length
      const { body } = await app.get(appUrl(`players/${id}/global-ranking`))
      expect(body).toMatchObject({ highestScore: score, ranking: better + 1 })
    }
    await sleep(100)
  }
}

describe('two serving processes and their coordinator', () => {
  test.each(['1', 'coordinator'])(
    'after kill -9 of process "%s" under writers it is replaced, each acknowledged score is there, and ranks are right',
    async (name) => {
      const game = await openGame()
      for (let kill = 0; kill < KILLS; kill++) {
        const kills = (async () => {
          await sleep(700)
          const pid = parts().get(name)!
          process.kill(pid, 'SIGKILL')
          await sleep(300)
          await replaced(pid)
          await sleep(500)
        })()
        const { possible, statuses } = await writeUntil(game, kills)
        await kills
        expect(Object.keys(statuses).filter((status) => !['0', '200', '503'].includes(status))).toEqual([])
        expect(statuses[200]).toBeGreaterThan(20)
        await expectRight(game.app, game.session, possible)
      }
    },
  )

  test('SIGTERM under writers and readers fails no request of the drain time, and ends all processes with 0', async () => {
    const { app, session, players } = await openGame()
    const all = [...parts().values()]
    const ended = service.kill('SIGTERM')
    const until = performance.now() + 1_500
    const statuses = new Set<number>()
    await Promise.all(
      players.map(async (id, n) => {
        while (performance.now() < until) {
          const path = n % 2 ? appUrl('leaderboards/mini-game') : appUrl(`game-sessions/${session}/players/${id}`)
          const answer = n % 2 ? await app.get(path) : await app.patch(path, { score: n })
          statuses.add(answer.status)
        }
      }),
    )
    expect([...statuses]).toEqual([200])
    expect(await ended).toBe(0)
    for (const pid of all) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('a coordinator that does not respond is replaced; the outcome of a write is unknown, and it is not repeated', async () => {
    const { app, key, session, players } = await openGame()
    const once = callerAt(service.url(), { 'x-app-api-key': key, 'idempotency-key': 'once' })
    const path = appUrl(`game-sessions/${session}/players/${players[0]}`)
    const stopped = parts().get('coordinator')!
    process.kill(stopped, 'SIGSTOP')
    const write = () => once.patch(path, { score: 7 })
    const ranks = await app.get(appUrl(`players/${players[1]}/global-ranking`))
    expect(ranks).toMatchObject({ status: 200, body: { ranking: 1 } })
    const written = await write()
    expect(written).toMatchObject({ status: 503, body: { error: expect.stringContaining('did not answer') } })
    expect(await write()).toMatchObject({ status: 409, body: { error: expect.stringContaining('outcome') } })
    await replaced(stopped)
    expect((await app.patch(path, { score: 8 })).status).toBe(200)
  })

  test('SIGTERM while a process is being replaced stops all in time', async () => {
    process.kill(parts().get('1')!, 'SIGKILL')
    const since = performance.now()
    expect(await service.kill('SIGTERM')).toBe(0)
    expect(performance.now() - since).toBeLessThan(40_000)
  })

  test('kill -9 of the first process ends the others', async () => {
    const all = [...parts().values()]
    await service.kill()
    const living = () =>
      all.filter((pid) => {
        try {
          return process.kill(pid, 0)
        } catch {
          return false
        }
      })
    await expect.poll(living).toEqual([])
  })
})
