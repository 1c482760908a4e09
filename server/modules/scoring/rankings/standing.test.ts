import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, playSession, rankOf, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
afterAll(() => service.stop())

type App = Awaited<ReturnType<typeof given.app>>
let app: App
let client: Caller
let clientKey: string
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)

  const owner = await given.user()
  app = await given.app({ owner })
  const made = await owner.post(appUrl(`${app.id}/api-keys`), { kind: 'client', name: 'Build' })
  clientKey = made.body.apiKey
  client = service.as({ 'x-app-api-key': clientKey })
})

const setStanding = (playerId: string, standing: string, more: object = {}) =>
  app.patch(appUrl(`players/${playerId}`), { standing, ...more })
const tokenOf = (playerId: string) => app.post('/auth/player-token', { playerId })
const asPlayer = async (playerId: string) =>
  service.as({
    'x-app-api-key': clientKey,
    authorization: `Bearer ${(await tokenOf(playerId)).body.playerToken}`,
  })

/** A type with players of the scores 30, 20 and 10, in one session. */
async function inRound(more: object = {}) {
  const type = await makeType(app, `Type ${crypto.randomUUID()}`, more)
  const session = await makeSession(app, { miniGameTypeId: type.id })
  const players = await playSession(given, app, session.id, [30, 20, 10])
  const [first, second, third] = players.map(({ id }) => id) as [string, string, string]
  const query = `?miniGameTypeId=${type.id}`
  return { type, session, first, second, third, query }
}
type Entry = { playerId: string; ranking: number }
const board = async (caller: Caller, query: string) =>
  (await caller.get(appUrl(`leaderboards/mini-game${query}`))).body.leaderboard.map((entry: Entry) => [
    entry.playerId,
    entry.ranking,
  ])

describe('a hidden player', () => {
  test('leaves every running leaderboard and counts in no rank, and returns with its exact rank', async () => {
    const { type, session, first, second, third, query } = await inRound()
    const now = Date.now()
    const season = await app.post(appUrl('seasons'), {
      name: 'Now',
      miniGameTypeId: type.id,
      startsAt: new Date(now - 3_600_000).toISOString(),
    })
    const boards = [query, `${query}&window=day`, `${query}&window=week`, `?season=${season.body.id}`]
    const whole = [
      [first, 1],
      [second, 2],
      [third, 3],
    ]
    for (const one of boards) expect(await board(app, one)).toEqual(whole)

    expect(await setStanding(first, 'hidden')).toMatchObject({ status: 200, body: { standing: 'hidden' } })
    for (const one of boards) {
      expect(await board(app, one)).toEqual([
        [second, 1],
        [third, 2],
      ])
      expect(await rankOf(app, second, one)).toBe(1)
      expect(await rankOf(app, first, one)).toBeUndefined()
    }
    const ofSession = await app.get(appUrl(`game-sessions/${session.id}/leaderboard`))
    expect(ofSession.body.leaderboard.map(({ playerId }: Entry) => playerId)).toEqual([second, third])

    await setStanding(first, 'normal')
    for (const one of boards) {
      expect(await board(app, one)).toEqual(whole)
      expect(await rankOf(app, third, one)).toBe(3)
    }
  })

  test('stays off leaderboards when it writes scores, which count once it is normal again', async () => {
    const { session, first, third, query } = await inRound()
    await board(app, `${query}&window=day`)
    await setStanding(first, 'hidden')
    await setScore(app, session.id, first, 50)
    await setScore(app, session.id, first, 15)
    const again = await makeSession(app, { miniGameTypeId: new URLSearchParams(query).get('miniGameTypeId') })
    await app.post(appUrl(`game-sessions/${again.id}/players`), { playerId: first })
    await app.post(appUrl(`game-sessions/${again.id}/scores`), { scores: [{ playerId: first, score: 16 }] })
    for (const one of [query, `${query}&window=day`]) expect(await rankOf(app, third, one)).toBe(2)
    await setStanding(first, 'normal')
    for (const one of [query, `${query}&window=day`]) {
      expect(await rankOf(app, first, one)).toBe(2)
      expect(await rankOf(app, third, one)).toBe(3)
    }
  })

  test('that first plays while it is hidden is on no board until it is normal', async () => {
    const { session, query } = await inRound()
    await board(app, `${query}&window=day`)
    const { id } = await given.player(app)
    await setStanding(id, 'hidden')
    await app.post(appUrl(`game-sessions/${session.id}/players`), { playerId: id })
    await setScore(app, session.id, id, 99)
    for (const one of [query, `${query}&window=day`]) expect((await board(app, one)).length).toBe(3)
    await setStanding(id, 'normal')
    for (const one of [query, `${query}&window=day`]) expect((await board(app, one))[0]).toEqual([id, 1])
  })

  test('is shown to itself where it would stand, and changes no rank of others', async () => {
    const { session, first, second, third, query } = await inRound()
    await setStanding(second, 'hidden')
    const self = await asPlayer(second)
    const seen = [
      [first, 1],
      [second, 2],
      [third, 2],
    ]
    for (const one of [query, `${query}&window=day`]) {
      expect(await board(self, one)).toEqual(seen)
      expect(await board(self, `${one}&aroundPlayerId=${second}&limit=3`)).toEqual(seen)
      expect(await board(self, `${one}&playerIds=${second},${third}`)).toEqual([
        [second, 1],
        [third, 1],
      ])
      expect(await rankOf(self, second, one)).toBe(2)
      expect(await board(client, one)).toEqual([
        [first, 1],
        [third, 2],
      ])
      expect(await rankOf(client, second, one)).toBeUndefined()
    }
    const top = await self.get(appUrl(`leaderboards/mini-game${query}&limit=1`))
    const next = /cursor=([^&>]+)/.exec(top.headers.get('link') ?? '')?.[1]
    expect(await board(self, `${query}&limit=1&cursor=${next}`)).toEqual([[second, 2]])
    const ofSession = await self.get(appUrl(`game-sessions/${session.id}/leaderboard`))
    expect(ofSession.body.leaderboard.map((entry: Entry) => [entry.playerId, entry.ranking])).toEqual(seen)
    const whole = await self.get(appUrl(`players/${second}?includeGlobalRankings=true`))
    expect(whole.body.globalRankings).toMatchObject([{ ranking: 2, highestScore: 20 }])
  })

  test('in the last place sees the rank after all others', async () => {
    const { third, query } = await inRound()
    await setStanding(third, 'hidden')
    expect(await rankOf(await asPlayer(third), third, query)).toBe(3)
  })

  test('shows its scores to server keys and itself, not to client keys', async () => {
    const { session, first } = await inRound()
    await setStanding(first, 'hidden')
    const self = await asPlayer(first)
    const scores = async (caller: Caller) => [
      (await caller.get(appUrl(`players/${first}/scores`))).body.scores.length,
      (await caller.get(appUrl(`game-sessions/${session.id}/players/${first}`))).body.score,
    ]
    expect(await scores(app)).toEqual([1, 30])
    expect(await scores(self)).toEqual([1, 30])
    expect(await scores(client)).toEqual([0, 0])
  })

  test('keeps its place on a season that has ended', async () => {
    const { first, type } = await inRound()
    const season = await app.post(appUrl('seasons'), {
      name: 'Over',
      miniGameTypeId: type.id,
      startsAt: new Date(Date.now() - 3_600_000).toISOString(),
    })
    await board(app, `?season=${season.body.id}`)
    await sql(`update period_boards set ends_at = clock_timestamp() where board_key = $1`, [season.body.id])
    await sql(`update seasons set ends_at = clock_timestamp() where id = $1`, [season.body.id])
    await setStanding(first, 'hidden')
    expect((await board(app, `?season=${season.body.id}`))[0]).toEqual([first, 1])
  })
})

describe('a banned player', () => {
  test('is off leaderboards, and its scores and registrations are 403 until it is normal', async () => {
    const { session, first, second, query } = await inRound()
    await setStanding(first, 'banned')
    expect(await rankOf(app, second, query)).toBe(1)
    const path = appUrl(`game-sessions/${session.id}/players`)
    expect(await app.patch(`${path}/${first}`, { score: 99 })).toMatchObject({ status: 403 })
    expect(await app.post(path, { playerId: first })).toMatchObject({ status: 403 })
    const scores = [first, second].map((playerId) => ({ playerId, score: 99 }))
    expect(await app.post(appUrl(`game-sessions/${session.id}/scores`), { scores })).toMatchObject({ status: 403 })
    await setStanding(first, 'normal')
    expect(await rankOf(app, first, query)).toBe(1)
    expect(await rankOf(app, second, query)).toBe(2)
  })

  test('does not keep others from writing at the same moment', async () => {
    const { session, first, second, third } = await inRound()
    await setStanding(first, 'banned')
    const answers = await Promise.all(
      [first, second, third, first, second].map((id, i) =>
        app.patch(appUrl(`game-sessions/${session.id}/players/${id}`), { score: 40 + i }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([403, 200, 200, 403, 200])
  })

  test('has no tokens: those it has are 403 within a second, and new ones are, too', async () => {
    const { first } = await inRound()
    const self = await asPlayer(first)
    await setStanding(first, 'banned')
    await expect.poll(async () => (await self.get(appUrl('players'))).status).toBe(403)
    expect(await tokenOf(first)).toMatchObject({ status: 403 })
  })
})

describe('a change of standing', () => {
  test('is in the audit log, and its note is for server keys alone', async () => {
    const { id } = await given.player(app)
    await setStanding(id, 'hidden', { standingNote: 'Too fast' })
    await setStanding(id, 'banned')
    await setStanding(id, 'normal')
    expect(await sql('select action, actor from audit_log where subject = $1 order by id', [id])).toEqual(
      ['player.hidden', 'player.banned', 'player.restored'].map((action) => ({ action, actor: `app:${app.id}` })),
    )
    await setStanding(id, 'hidden', { standingNote: 'Too fast' })
    expect((await app.get(appUrl(`players/${id}`))).body).toMatchObject({
      standing: 'hidden',
      standingNote: 'Too fast',
    })
    for (const caller of [client, await asPlayer(id)]) {
      expect((await caller.get(appUrl(`players/${id}`))).body).not.toHaveProperty('standing')
      expect((await caller.get(appUrl('players'))).body.players[0]).not.toHaveProperty('standing')
    }
  })

  test('is 403 for the player itself, and 400 for a note without a standing', async () => {
    const { id } = await given.player(app)
    const self = await asPlayer(id)
    expect(await self.patch(appUrl(`players/${id}`), { standing: 'normal' })).toMatchObject({ status: 403 })
    expect(await app.patch(appUrl(`players/${id}`), { displayName: id, standingNote: 'x' })).toMatchObject({
      status: 400,
    })
    expect(await app.patch(appUrl(`players/${id}`), {})).toMatchObject({ status: 400 })
  })
})
