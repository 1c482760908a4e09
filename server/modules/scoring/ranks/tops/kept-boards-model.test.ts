import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../../test/builders.ts'
import { appUrl, makeSession, makeType, playSession } from '../../../../test/scoring/scoring-steps.ts'
import { expectShown } from '../../../../test/scoring/shown-board.ts'
import { type Caller, type Service, startService } from '../../../../test/service.ts'
import { type Sql, sqlOn } from '../../../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

/** Rounds of concurrent writes, each followed by a comparison. More find rarer faults. */
const ROUNDS = Number(process.env.CAIRN_TEST_ROUNDS || 25)
const WRITERS = 6
const WRITES = 4
const LIMITS = [1, 3, 5, 100]
/** Refused because another writer was faster: gone, hidden or banned, taken. */
const answers = [200, 201, 204, 400, 403, 404, 409]

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

/** An app in which anything that a board shows is changed. */
async function makeWorld(sortOrder: string) {
  const app = await given.app()
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
    [10, () => app.patch(seat(), score())],
    [2, () => app.post(`${seat()}/correction`, score())],
    [
      2,
      () =>
        app.post(appUrl(`game-sessions/${pick(sessions)}/scores`), {
          scores: [...new Set([pick(players), pick(players), pick(players)])].map((playerId) => ({
            playerId,
            ...score(),
          })),
        }),
    ],
    [4, () => app.patch(appUrl(`players/${anyPlayer()}`), { displayName: `Ä"},{${++names}` })],
    [2, () => app.patch(appUrl(`players/${anyPlayer()}`), { userId: pick(users) })],
    [
      3,
      () => app.patch(appUrl(`players/${pick(players)}`), { standing: pick(['normal', 'normal', 'hidden', 'banned']) }),
    ],
    [2, () => app.delete(seat())],
    [3, () => enter(pick(sessions), pick(players))],
    [
      1,
      async () => {
        const index = Math.floor(Math.random() * sessions.length)
        const answer = await app.delete(appUrl(`game-sessions/${sessions[index]}`))
        sessions[index] = await newSession()
        return answer
      },
    ],
    [
      1,
      async () => {
        const index = Math.floor(Math.random() * players.length)
        const answer = await app.delete(appUrl(`players/${players[index]}`))
        players[index] = (await given.player(app)).id
        await enter(pick(sessions), players[index])
        return answer
      },
    ],
  ]
  const weighted = changes.flatMap(([weight, change]) => Array<typeof change>(weight).fill(change))
  return { app, type, change: () => pick(weighted)() }
}

/** Reads a board again and again, so that its top is kept, until told to stop. */
function readers(app: Caller, typeId: string) {
  let isOver = false
  const reading = Array.from({ length: 2 }, async () => {
    while (!isOver) {
      const { status } = await app.get(appUrl(`leaderboards/mini-game?miniGameTypeId=${typeId}&limit=${pick(LIMITS)}`))
      expect(status).toBe(200)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(reading)
  }
}

test.each(['asc', 'desc'])(
  'every leaderboard (%s) is that of counting all scores, after any concurrent changes of scores, players and sessions',
  { tags: ['long'] },
  async (sortOrder) => {
    const { app, type, change } = await makeWorld(sortOrder)
    const stop = readers(app, type.id)
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const writers = round % 3 === 0 ? 1 : WRITERS
        await Promise.all(
          Array.from({ length: writers }, async () => {
            for (let n = 0; n < WRITES; n++) expect(answers).toContain((await change()).status)
          }),
        )
        await expectShown({ app, sql, url: service.url }, type.id, LIMITS)
      }
    } finally {
      await stop()
    }
  },
)
