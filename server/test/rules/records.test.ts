import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../builders.ts'
import { appUrl, makeSession, makeType, setScore } from '../scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const text = expect.any(String)
const made = { createdAt: moment, updatedAt: moment }

/** The members of each record in the interface, with all nullable ones null. The last ones of a type are additive. */
const App = {
  id,
  name: 'Trail',
  description: text,
  imageUrl: null,
  apiKey: text,
  visibility: 'PRIVATE',
  environment: 'production',
  ...made,
  role: 'owner',
}
const Player = { id, displayName: text, userId: null, imageUrl: null, ...made }
const Ranking = { highestScore: 5, ranking: 1, miniGameTypeName: null, miniGameTypeId: null }
const bounds = {
  sortOrder: 'desc',
  scoreMode: 'best',
  ties: 'first',
  minScore: null,
  maxScore: null,
  submittedBy: 'server',
  timeZone: 'UTC',
  historyDays: 400,
  rules: null,
  segments: [],
}
const MiniGameType = { id, name: 'Race', description: '', imageUrl: null, createdAt: moment, ...bounds }
const GameSession = {
  ...{ id, name: null, description: null, status: 'ACTIVE', startTime: moment, endTime: null },
  ...{ miniGameType: null, playerCount: 0, ...made },
}
const SessionPlayer = { score: 0, playerId: id, displayName: text, imageUrl: null, user: null, ...made }
const Entry = {
  ...{ playerId: id, playerDisplayName: text, playerScore: 5, gameSessionId: id, playerImageUrl: null, userId: null },
  ...{ ranking: 1, ...made },
}
const Board = { miniGameTypeId: null, miniGameTypeName: null, leaderboard: [Entry] }

const bodyOf = async (answer: ReturnType<Caller['get']>) => (await answer).body

describe('each record has exactly the members of the interface: null if empty, UUIDv7 IDs, times in UTC with milliseconds', () => {
  test('App, from every operation that returns one', async () => {
    const user = await given.user()
    const app = await bodyOf(user.post('/api/v1/apps', { name: 'Trail', description: 'A game' }))
    const path = `/api/v1/apps/${app.id}`
    expect(app).toEqual(App)
    expect(await bodyOf(user.get('/api/v1/apps'))).toEqual({ apps: [App] })
    for (const answer of [() => user.get(path), () => user.patch(path, {}), () => user.post(`${path}/api-key/rotate`)])
      expect(await bodyOf(answer())).toEqual(App)
    await user.patch(path, { visibility: 'PUBLIC' })
    const { role: _role, ...others } = App
    const seen = { ...others, visibility: 'PUBLIC', apiKey: expect.stringMatching(/^cairn_[0-9A-Za-z]{8}_…$/) }
    expect(await bodyOf(service.anonymous.get(path))).toEqual(seen)
    expect(await bodyOf(service.anonymous.get('/api/v1/apps/public'))).toEqual({ apps: [seen] })
  })

  test('Player, also with global rankings, and PlayerRankingResponse', async () => {
    const app = await given.app()
    const player = await bodyOf(app.post(appUrl('players'), { displayName: 'Ada' }))
    const path = appUrl(`players/${player.id}`)
    expect(player).toEqual(Player)
    for (const answer of [() => app.get(path), () => app.get(`${path}?includeGlobalRankings=false`)])
      expect(await bodyOf(answer())).toEqual(Player)
    expect(await bodyOf(app.patch(path, { displayName: 'Bea' }))).toEqual(Player)
    expect(await bodyOf(app.get(appUrl('players')))).toEqual({ players: [Player] })
    const session = await makeSession(app)
    await app.post(appUrl(`game-sessions/${session.id}/players`), { playerId: player.id })
    const ranked = (globalRankings: object[]) => ({ ...Player, globalRankings, appName: 'Trail' })
    expect(await bodyOf(app.get(`${path}?includeGlobalRankings=true`))).toEqual(ranked([]))
    await setScore(app, session.id, player.id, 5)
    expect(await bodyOf(app.get(`${path}?includeGlobalRankings=true`))).toEqual(ranked([Ranking]))
    expect(await bodyOf(app.get(`${path}/global-ranking`))).toEqual(Ranking)
  })

  test('Mini game type and Game session', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Race')
    expect(type).toEqual(MiniGameType)
    expect(await bodyOf(app.get(appUrl('mini-game-types')))).toEqual({ miniGameTypes: [MiniGameType] })
    for (const answer of [
      () => app.get(appUrl(`mini-game-types/${type.id}`)),
      () => app.patch(appUrl(`mini-game-types/${type.id}`), {}),
    ])
      expect(await bodyOf(answer())).toEqual(MiniGameType)
    const session = await makeSession(app)
    const path = appUrl(`game-sessions/${session.id}`)
    expect(session).toEqual(GameSession)
    for (const answer of [() => app.get(path), () => app.patch(path, {})])
      expect(await bodyOf(answer())).toEqual(GameSession)
    const paused = { ...GameSession, paused: true }
    expect(await bodyOf(app.patch(path, { status: 'PAUSED' }))).toEqual(paused)
    expect(await bodyOf(app.get(appUrl('game-sessions')))).toEqual({ gameSessions: [paused] })
    const completed = { ...GameSession, status: 'COMPLETED', endTime: moment }
    expect(await bodyOf(app.patch(path, { status: 'COMPLETED' }))).toEqual(completed)
    expect(await makeSession(app, { miniGameTypeId: type.id })).toEqual({ ...GameSession, miniGameType: MiniGameType })
  })

  test('Game session player and leaderboards', async () => {
    const app = await given.app()
    const [session, player] = [await makeSession(app), await given.player(app)]
    const path = appUrl(`game-sessions/${session.id}`)
    expect(await bodyOf(app.post(`${path}/players`, { playerId: player.id }))).toEqual(SessionPlayer)
    expect(await bodyOf(app.get(`${path}/players`))).toEqual({ players: [SessionPlayer] })
    const scored = { ...SessionPlayer, score: 5 }
    const one = `${path}/players/${player.id}`
    for (const answer of [() => app.patch(one, { score: 5 }), () => app.get(one)])
      expect(await bodyOf(answer())).toEqual(scored)
    const scores = [{ playerId: player.id, score: 5 }]
    expect(await bodyOf(app.post(`${path}/scores`, { scores }))).toEqual({ players: [scored] })
    for (const board of [appUrl('leaderboards/mini-game'), `${path}/leaderboard`])
      expect(await bodyOf(app.get(board))).toEqual(Board)
    expect(await bodyOf(app.get(appUrl('leaderboards')))).toEqual({ leaderboards: [Board] })
  })

  test('Code record, token-from-code response, and response of /auth/sync', async () => {
    const [user, app] = [await given.user(), await given.app()]
    const player = await given.player(app)
    const code = expect.stringMatching(/^[0-9]{6}$/)
    const made = await bodyOf(user.post('/auth/codes', {}))
    expect(made).toEqual({ code, expiryTime: moment })
    const exchange = (body: object) => bodyOf(service.anonymous.post('/auth/codes/exchange', body))
    expect(await exchange(made)).toEqual({ status: 'VALID', sessionToken: text, expiryTime: moment })
    expect(await exchange(made)).toEqual({ status: 'INVALID', error: text })
    const ofApp = await bodyOf(app.post('/auth/codes', { playerId: player.id }))
    expect(ofApp).toEqual({ code, playerId: player.id, expiryTime: moment })
    expect(await exchange(ofApp)).toEqual({ status: 'VALID', expiryTime: moment })
    const nobody = { email: null, firstName: null, lastName: null, roles: [], isAdmin: false, hasOpsAccess: false }
    expect(await bodyOf(user.post('/auth/sync'))).toEqual({
      user: { id: user.id, ...nobody },
      sessionToken: text,
      expiryTime: moment,
    })
  })
})

describe('limits of input', () => {
  const edges: [path: string, body: object, member: string, largest: number, status: number][] = [
    ['mini-game-types', {}, 'name', 255, 201],
    ['mini-game-types', { name: 'Bounds' }, 'description', 2000, 201],
    ['game-sessions', {}, 'name', 255, 201],
    ['game-sessions', {}, 'description', 2000, 201],
    ['players', {}, 'displayName', 255, 200],
  ]
  test.each(edges)(
    'POST %s %j: %s has at most %i characters, of any planes',
    async (path, body, member, largest, status) => {
      for (const letter of ['x', '🎲']) {
        const app = await given.app()
        const post = (length: number) => app.post(appUrl(path), { ...body, [member]: letter.repeat(length) })
        expect(await post(largest + 1)).toMatchObject({
          status: 400,
          body: { error: [{ code: 'too_big', path: [member] }] },
        })
        expect(await post(largest)).toMatchObject({ status, body: { [member]: letter.repeat(largest) } })
      }
    },
  )

  test('URLs have at most 2,048 characters', async () => {
    const app = await given.app()
    const post = (length: number) =>
      app.post(appUrl('mini-game-types'), {
        name: `Of ${length}`,
        imageUrl: 'https://cairn.example/'.padEnd(length, 'x'),
      })
    expect(await post(2048)).toMatchObject({ status: 201 })
    expect(await post(2049)).toMatchObject({ status: 400, body: { error: [{ code: 'too_big', path: ['imageUrl'] }] } })
  })

  const lists: [path: string, largest: number][] = [
    ['players', 10_000],
    ['public', 10_000],
    ['mini-game-types', 10_000],
    ['game-sessions', 10_000],
    ['game-sessions/:session/players', 10_000],
    ['game-sessions/:session/leaderboard', 1000],
    ['leaderboards', 1000],
    ['leaderboards/mini-game', 1000],
  ]
  test.each(lists)('GET %s: limit is an integer from 1 to %i, sent once', async (path, largest) => {
    const app = await given.app()
    const list = appUrl(path.replace(':session', (await makeSession(app)).id))
    for (const limit of ['1', String(largest)])
      expect(await app.get(`${list}?limit=${limit}`)).toMatchObject({ status: 200 })
    for (const limit of [
      '0',
      '-1',
      String(largest + 1),
      '',
      '1e',
      '1e2',
      '12,5',
      '1.5',
      'NaN',
      'Infinity',
      '1&limit=2',
    ])
      expect(await app.get(`${list}?limit=${limit}`), limit).toMatchObject({
        status: 400,
        body: { error: [{ path: ['limit'] }] },
      })
  })

  test('includeGlobalRankings is true or false', async () => {
    const app = await given.app()
    const { id: player } = await given.player(app)
    for (const value of ['', '1', 'yes', 'TRUE', 'true&includeGlobalRankings=true'])
      expect(await app.get(appUrl(`players/${player}?includeGlobalRankings=${value}`)), value).toMatchObject({
        status: 400,
        body: { error: [{ path: ['includeGlobalRankings'] }] },
      })
  })
})
