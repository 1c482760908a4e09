import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killedService } from '../processes/killed-service.ts'
import { type Caller, callerAt } from '../service.ts'
import { appUrl, makeSession, makeType } from './scoring-steps.ts'
import { countedBoard, inOrder, type Ranked, writtenScores } from './written-scores.ts'

const WRITERS = 48
/** The shortest notice of a season's end is 15 seconds. */
const NOTICE_MS = 17_000
const settings = { CAIRN_LIMIT_KEY_PER_MINUTE: '10000000', CAIRN_LIMIT_ADDRESS_PER_MINUTE: '10000000' }
const countryOf = (writer: number) => ['DE', 'FR', 'IT'][writer % 3]!

/** A Redis that keeps the ranks. */
type SharedRanks = { settings: Record<string, string>; loaded: () => Promise<number>; stop: () => Promise<void> }

/**
 * Tests kills of the service as a day and a season end, while players write scores, against counting.
 * @param inRedis starts what keeps the ranks; without it they are in memory
 */
export function testRolloverKills(inRedis?: () => Promise<SharedRanks>): void {
  let service: Awaited<ReturnType<typeof killedService>>
  let ranks: SharedRanks | undefined
  let headers: Record<string, string>
  const players: string[] = []
  beforeAll(async () => {
    ranks = await inRedis?.()
    service = await killedService({ ...settings, ...ranks?.settings })
    const owner = callerAt(service.url(), { authorization: `Bearer ${service.token}` })
    const { body } = await owner.post('/api/v1/apps', { name: 'Kill', description: 'Survives midnight' })
    headers = { 'x-app-api-key': body.apiKey }
    for (let i = 0; i < WRITERS; i++) {
      const player = { displayName: `Player ${i}`, attributes: { country: countryOf(i) } }
      players.push((await callerAt(service.url(), headers).post(appUrl('players'), player)).body.id)
    }
  }, 120_000)
  afterAll(async () => {
    await service?.stop()
    await ranks?.stop()
  })

  test.each([
    ['killed just before midnight', { from: -400, to: -50 }],
    ['killed just after midnight', { from: 0, to: 200 }],
  ])(
    'every acknowledged score counts for its day and season by the clock of the database, and every board is that of counting: %s',
    { timeout: 180_000 },
    async (_case, { from, to }) => {
      const app = () => callerAt(service.url(), headers)
      const { typeId, seasonId, sessions, midnight } = await openType(service.sql, app(), players)

      const sent = new Set<number>()
      const acknowledged = new Map<number, { from: number; to: number }>()
      let isOver = false
      let count = 0
      const write = async (playerId: string) => {
        const n = ++count
        sent.add(n)
        const score = Math.floor(Math.random() * 40)
        const before = Date.now()
        const status = await app()
          .patch(appUrl(`game-sessions/${pick(sessions)}/players/${playerId}`), { score, metadata: { n } })
          .then((answer) => answer.status)
          .catch(() => 0)
        if (status === 200) acknowledged.set(n, { from: before, to: Date.now() })
        else await sleep(20)
      }

      await sleep(midnight - 1500 - Date.now())
      const writers = players.map(async (id) => {
        while (!isOver) await write(id)
      })
      await sleep(midnight + from + Math.random() * (to - from) - Date.now())
      await service.kill()
      await service.startAgain()
      // Loads the indexes of the boards, which the last writes must then move.
      for (const query of ['window=all', 'window=day', 'window=day&segment=country:DE', 'segment=country:DE'])
        await app().get(appUrl(`leaderboards/mini-game?miniGameTypeId=${typeId}&${query}`))
      await sleep(1000)
      isOver = true
      await Promise.all(writers)

      const written = await writtenScores(service.sql, typeId)
      const times = new Map(written.map(({ n, at }) => [n, at / 1000]))
      expect(times.size).toBe(written.length)
      expect([...times.keys()].filter((n) => !sent.has(n))).toEqual([])
      const lost = [...acknowledged.keys()].filter((n) => !times.has(n))
      expect(lost).toEqual([])
      const misplaced = [...acknowledged].filter(
        ([n, during]) => times.get(n)! < during.from - 1 || times.get(n)! > during.to + 1,
      )
      expect(misplaced).toEqual([])
      const early = [...times.values()].filter((at) => at < midnight).length
      expect(early).toBeGreaterThan(WRITERS)
      expect(times.size - early).toBeGreaterThan(WRITERS)

      const [never, at, ever] = [0, midnight * 1000, Number.POSITIVE_INFINITY]
      const { rows: yesterday } = await service.sql.query<Ranked>(
        `select player_id as "playerId", score as "playerScore", (rank() over (order by rank_key desc))::int as ranking
           from period_best join period_boards using (app_id, board_key)
          where type_key = $1 and every = 'day' and ends_at = $2 and rank_key is not null`,
        [typeId, new Date(midnight)],
      )
      expect(inOrder(yesterday)).toEqual(countedBoard(written, never, at))

      const boards: [query: string, board: Ranked[]][] = [
        ['window=day', countedBoard(written, at, ever)],
        [`season=${seasonId}`, countedBoard(written, never, at)],
        ['window=all', countedBoard(written, never, ever)],
        [`at=${new Date(midnight - 1).toISOString()}`, countedBoard(written, never, at)],
      ]
      for (const country of ['DE', 'FR', 'IT']) {
        const members = new Set(players.filter((_, i) => countryOf(i) === country))
        const ofMembers = written.filter(({ playerId }) => members.has(playerId))
        boards.push(
          [`window=day&segment=country:${country}`, countedBoard(ofMembers, at, ever)],
          [`season=${seasonId}&segment=country:${country}`, countedBoard(ofMembers, never, at)],
          [`segment=country:${country}`, countedBoard(ofMembers, never, ever)],
        )
      }
      // At first, boards that were not read since the kill answer from SQL while their indexes load.
      for (const round of ['at first', 'from the index']) {
        for (const [query, board] of boards) {
          const path = `miniGameTypeId=${typeId}&${query}`
          const shown = await app().get(appUrl(`leaderboards/mini-game?${path}&limit=100`))
          expect({ round, query, status: shown.status }).toEqual({ round, query, status: 200 })
          expect({ round, query, board: inOrder(shown.body.leaderboard) }).toEqual({ round, query, board })
          for (const { playerId, playerScore, ranking } of board) {
            const { body } = await app().get(appUrl(`players/${playerId}/global-ranking?${path}`))
            expect({ round, query, body }).toMatchObject({ body: { highestScore: playerScore, ranking } })
          }
        }
        await sleep(300)
      }
      if (ranks) expect(await ranks.loaded()).toBeGreaterThanOrEqual(boards.length - 1)
    },
  )
}

/** A type whose day and season end soon, with sessions that all players are in. */
async function openType(sql: pg.ClientBase, app: Caller, players: string[]) {
  const midnight = Math.ceil((Date.now() + NOTICE_MS) / 1000) * 1000
  const { id: typeId } = await makeType(app, `Until ${midnight}`, { segments: ['country'] })
  await sql.query('update mini_game_types set time_zone = $2 where id = $1', [typeId, zoneAt(midnight)])
  const season = { name: 'Until midnight', miniGameTypeId: typeId, startsAt: '2026-01-01T00:00:00Z' }
  const made = await app.post(appUrl('seasons'), { ...season, endsAt: new Date(midnight).toISOString() })
  expect(made).toMatchObject({ status: 201 })
  const sessions: string[] = []
  for (let i = 0; i < 2; i++) {
    const { id } = await makeSession(app, { miniGameTypeId: typeId })
    for (const playerId of players) await app.post(appUrl(`game-sessions/${id}/players`), { playerId })
    sessions.push(id)
  }
  for (const more of ['', '&segment=country:DE']) {
    const { body } = await app.get(appUrl(`leaderboards/mini-game?miniGameTypeId=${typeId}&window=day${more}`))
    expect(body).toMatchObject({ period: { endsAt: new Date(midnight).toISOString() } })
  }
  return { typeId, seasonId: made.body.id as string, sessions, midnight }
}

/** A time zone in which a moment, in whole seconds, is midnight; POSIX counts it westward. */
function zoneAt(midnight: number): string {
  const seconds = (midnight / 1000) % 86_400
  const west = seconds > 43_200 ? seconds - 86_400 : seconds
  const parts = [3600, 60, 1].map((unit) => Math.floor(Math.abs(west) / unit) % (unit === 3600 ? 24 : 60))
  return `<soon>${west < 0 ? '-' : '+'}${parts.join(':')}`
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!
