import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../../test/builders.ts'
import { severalProcesses } from '../../../../test/processes/several-processes.ts'
import { appUrl, makeSession, makeType, playSession } from '../../../../test/scoring/scoring-steps.ts'
import { expectShown } from '../../../../test/scoring/shown-board.ts'
import { type Caller, type Service, startService } from '../../../../test/service.ts'
import { sqlOn } from '../../../../test/sql.ts'

/** Rounds of concurrent writes, each followed by a comparison. More find rarer faults. */
const ROUNDS = Number(process.env.CAIRN_TEST_ROUNDS || 25)
const WRITERS = 6
const WRITES = 4
const LIMITS = [1, 3, 5, 100]
/** Refused because another writer was faster: gone, hidden or banned, taken. */
const answers = [200, 201, 204, 400, 403, 404, 409]

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

/** An app in which anything that a board shows is changed. */
async function makeWorld(services: Service[], sortOrder: string) {
  const given = buildersOn(services[0]!)
  const app = await given.app()
  const callers = services.map((service) => ({ ...service.as(app.headers), id: app.id }))
  const through = () => pick(callers)
  const type = await makeType(app, 'Hill run', { sortOrder })
  const sessions = [await makeSession(app, { miniGameTypeId: type.id })].map(({ id }) => id)
  const players = (await playSession(given, app, sessions[0]!, [1, 2, 3, 4, 5, 6, 7, 8])).map(({ id }) => id)
  const users = [null, (await given.user()).id, (await given.user()).id]
  const enter = (session: string, playerId: string) =>
    app.post(appUrl(`game-sessions/${session}/players`), { playerId })
  const newSession = async () => {
    const { id } = await makeSession(app, { miniGameTypeId: type.id })
    for (const player of players) await enter(id, player)
    return id
  }
  sessions.push(await newSession())
  let names = 0

  const score = () => ({
    score: Math.floor(Math.random() * 9),
    ...(Math.random() < 0.3
      ? { metadata: { lap: Math.floor(Math.random() * 3), 'name"},{': '"},{"playerId":"' } }
      : {}),
  })
  const anyPlayer = () => (Math.random() < 0.2 ? pick(players).toUpperCase() : pick(players))
  const seat = () => appUrl(`game-sessions/${pick(sessions)}/players/${anyPlayer()}`)

  const changes: [number, () => Promise<{ status: number }>][] = [
    [10, () => through().patch(seat(), score())],
    [2, () => through().post(`${seat()}/correction`, score())],
    [
      2,
      () =>
        through().post(appUrl(`game-sessions/${pick(sessions)}/scores`), {
          scores: [...new Set([pick(players), pick(players), pick(players)])].map((playerId) => ({
            playerId,
            ...score(),
          })),
        }),
    ],
    [4, () => through().patch(appUrl(`players/${anyPlayer()}`), { displayName: `Ä"},{${++names}` })],
    [2, () => through().patch(appUrl(`players/${anyPlayer()}`), { userId: pick(users) })],
    [
      3,
      () =>
        through().patch(appUrl(`players/${pick(players)}`), {
          standing: pick(['normal', 'normal', 'hidden', 'banned']),
        }),
    ],
    [2, () => through().delete(seat())],
    [3, () => enter(pick(sessions), pick(players))],
    [
      1,
      async () => {
        const index = Math.floor(Math.random() * sessions.length)
        const answer = await through().delete(appUrl(`game-sessions/${sessions[index]}`))
        sessions[index] = await newSession()
        return answer
      },
    ],
    [
      1,
      async () => {
        const index = Math.floor(Math.random() * players.length)
        const answer = await through().delete(appUrl(`players/${players[index]}`))
        players[index] = (await given.player(app)).id
        await enter(pick(sessions), players[index])
        return answer
      },
    ],
  ]
  const weighted = changes.flatMap(([weight, change]) => Array<typeof change>(weight).fill(change))
  return { callers, type, players, change: () => pick(weighted)() }
}

/** Keeps reading a board and the ranks of its players. @returns a function that ends it */
function readers(callers: Caller[], typeId: string, players: string[]) {
  let isOver = false
  const board = () => appUrl(`leaderboards/mini-game?miniGameTypeId=${typeId}&limit=${pick(LIMITS)}`)
  const rank = () => appUrl(`players/${pick(players)}/global-ranking?miniGameTypeId=${typeId}`)
  const reading = [board, board, rank, rank].map(async (path) => {
    while (!isOver) expect([200, 404]).toContain((await pick(callers).get(path())).status)
  })
  return async () => {
    isOver = true
    await Promise.all(reading)
  }
}

async function expectCounted(services: Service[], sortOrder: string): Promise<void> {
  const { callers, type, players, change } = await makeWorld(services, sortOrder)
  const { url } = services[0]!
  const sql = sqlOn(services[0]!)
  const stop = readers(callers, type.id, players)
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const writers = round % 3 === 0 ? 1 : WRITERS
      await Promise.all(
        Array.from({ length: writers }, async () => {
          for (let n = 0; n < WRITES; n++) expect(answers).toContain((await change()).status)
        }),
      )
      for (const app of callers) await expectShown({ app, sql, url }, type.id, LIMITS)
    }
  } finally {
    await stop()
  }
}

describe('every leaderboard is that of counting all scores, after any concurrent changes of scores, players and sessions', {
  tags: ['long'],
}, () => {
  let service: Service
  let all: Awaited<ReturnType<typeof severalProcesses>>
  beforeAll(async () => {
    service = await startService()
    all = await severalProcesses()
  })
  afterAll(() => Promise.all([service?.stop(), all?.stop()]))

  test.each(['asc', 'desc'])('%s, in one process', (sortOrder) => expectCounted([service], sortOrder))
  test.each(['asc', 'desc'])('%s, through two processes', (sortOrder) => expectCounted([all.one, all.other], sortOrder))
})
