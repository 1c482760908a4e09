import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import {
  appUrl,
  makeSession,
  makeType,
  nextOf,
  playSession,
  rankOf,
  setScore,
} from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const boardOf = (app: Caller, query: string) => app.get(appUrl(`leaderboards/mini-game?${query}`))
const playersOf = async (app: Caller, query: string) => {
  const { status, body } = await boardOf(app, query)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.leaderboard.map(({ playerId, ranking }: { playerId: string; ranking: number }) => [playerId, ranking])
}

/** The caller that a player's token makes. */
async function playing(app: Caller, playerId: string): Promise<Caller> {
  const { body } = await app.post('/auth/player-token', { playerId })
  return service.as({ ...app.headers, authorization: `Bearer ${body.playerToken}` })
}

/** A type with the segments country and team, and players of one session: their scores, and their countries. */
async function game(scores: (readonly [score: number, country?: string])[], segments = ['country', 'team']) {
  const app = await given.app()
  const type = await makeType(app, 'Hunt', { segments })
  const session = await makeSession(app, { miniGameTypeId: type.id })
  const players = await playSession(
    given,
    app,
    session.id,
    scores.map(([score]) => score),
  )
  const ids = players.map(({ id }) => id)
  const attribute = (n: number, attributes: object | null) => app.patch(appUrl(`players/${ids[n]}`), { attributes })
  for (const [n, [, country]] of scores.entries())
    if (country)
      expect(await attribute(n, { country })).toMatchObject({ status: 200, body: { attributes: { country } } })
  return { app, type, session, ids, attribute, of: (segment: string) => `miniGameTypeId=${type.id}&segment=${segment}` }
}

describe('the leaderboard of a segment', () => {
  test('ranks the players whose attribute has the value, among each other', async () => {
    const { app, ids, of, type } = await game([[30, 'DE'], [20, 'FR'], [20, 'DE'], [20, 'DE'], [10, 'DE'], [99]])
    const { body, headers } = await boardOf(app, of('country:DE'))
    expect(body).toMatchObject({ miniGameTypeId: type.id, segment: 'country:DE' })
    expect(headers.get('x-total-count')).toBe('4')
    expect(await playersOf(app, of('country:DE'))).toEqual([
      [ids[0], 1],
      [ids[2], 2],
      [ids[3], 2],
      [ids[4], 4],
    ])
    expect(await rankOf(app, ids[4]!, `?${of('country:DE')}`)).toBe(4)
    expect(await rankOf(app, ids[4]!, `?miniGameTypeId=${type.id}`)).toBe(6)
    expect(await rankOf(app, ids[1]!, `?${of('country:DE')}`)).toBeUndefined()
    expect(await playersOf(app, `${of('country:DE')}&aroundPlayerId=${ids[3]}&limit=1`)).toEqual([[ids[3], 2]])
    expect(await playersOf(app, `${of('country:DE')}&playerIds=${ids[1]},${ids[4]}`)).toEqual([[ids[4], 1]])
  })

  test('follows the attributes of a player, and its scores', async () => {
    const { app, session, ids, attribute, of } = await game([
      [30, 'DE'],
      [20, 'FR'],
      [10, 'DE'],
    ])
    expect(await rankOf(app, ids[2]!, `?${of('country:DE')}`)).toBe(2)
    expect(await rankOf(app, ids[1]!, `?${of('country:FR')}`)).toBe(1)
    await attribute(0, { country: 'FR', team: 'red' })
    expect(await rankOf(app, ids[2]!, `?${of('country:DE')}`)).toBe(1)
    expect(await rankOf(app, ids[1]!, `?${of('country:FR')}`)).toBe(2)
    expect(await playersOf(app, of('team:red'))).toEqual([[ids[0], 1]])
    await setScore(app, session.id, ids[1]!, 40)
    expect(await rankOf(app, ids[1]!, `?${of('country:FR')}`)).toBe(1)
    await attribute(0, null)
    expect(await playersOf(app, of('country:FR'))).toEqual([[ids[1], 1]])
    await app.delete(appUrl(`players/${ids[1]}`))
    expect(await playersOf(app, of('country:FR'))).toEqual([])
  })

  test('exists for windows', async () => {
    const { app, session, ids, of } = await game([
      [30, 'DE'],
      [20, 'FR'],
      [10, 'DE'],
    ])
    const window = `${of('country:DE')}&window=week`
    expect(await playersOf(app, window)).toEqual([
      [ids[0], 1],
      [ids[2], 2],
    ])
    await setScore(app, session.id, ids[2]!, 50)
    expect(await playersOf(app, window)).toEqual([
      [ids[2], 1],
      [ids[0], 2],
    ])
    expect((await boardOf(app, window)).body.period).toMatchObject({ window: 'week' })
  })

  test('leaves out hidden players, and shows one to itself where it would stand', async () => {
    const { app, ids, of } = await game([
      [30, 'DE'],
      [20, 'DE'],
      [10, 'FR'],
    ])
    await app.patch(appUrl(`players/${ids[0]}`), { standing: 'hidden' })
    expect(await playersOf(app, of('country:DE'))).toEqual([[ids[1], 1]])
    const own = await playing(app, ids[0]!)
    expect(await playersOf(own, of('country:DE'))).toEqual([
      [ids[0], 1],
      [ids[1], 1],
    ])
    expect(await playersOf(own, of('country:FR'))).toEqual([[ids[2], 1]])
    await app.patch(appUrl(`players/${ids[0]}`), { standing: 'normal' })
    expect(await rankOf(app, ids[1]!, `?${of('country:DE')}`)).toBe(2)
  })

  test('has pages, of any segment', async () => {
    const countries = ['DE', 'FR', 'IT', 'JP', 'US']
    const { app, ids, of } = await game(countries.flatMap((country) => [[2, country] as const, [1, country] as const]))
    for (const [n, country] of countries.entries()) {
      const first = await boardOf(app, `${of(`country:${country}`)}&limit=1`)
      const second = await app.get(nextOf(first.headers)!)
      expect([country, second.status]).toEqual([country, 200])
      expect(second.body.leaderboard).toMatchObject([{ playerId: ids[2 * n + 1], ranking: 2 }])
    }
  })

  test('has the scores from before the type declared it', async () => {
    const { app, type, ids, of } = await game(
      [
        [30, 'DE'],
        [20, 'FR'],
        [10, 'DE'],
      ],
      [],
    )
    expect(await boardOf(app, of('country:DE'))).toMatchObject({ status: 400 })
    await app.patch(appUrl(`mini-game-types/${type.id}`), { segments: ['country'] })
    expect(await playersOf(app, of('country:DE'))).toEqual([
      [ids[0], 1],
      [ids[2], 2],
    ])
    await app.patch(appUrl(`mini-game-types/${type.id}`), { segments: [] })
    expect(await boardOf(app, of('country:DE'))).toMatchObject({
      status: 400,
      body: { error: '"country" is not a segment of this mini game type: add it to the segments of the type' },
    })
  })
})

describe('what is refused', () => {
  test.each(['country', ':DE', 'country:', 'no name:DE', `country:${'x'.repeat(65)}`])(
    'a segment that is no name and value: %s',
    async (segment) => {
      const { app, of } = await game([])
      expect(await boardOf(app, of(encodeURIComponent(segment)))).toMatchObject({
        status: 400,
        body: { error: [{ path: ['segment'] }] },
      })
    },
  )

  test('a segment at a past time, and of the default game', async () => {
    const { app, of } = await game([])
    const at = '2026-01-01T00:00:00Z'
    expect(await boardOf(app, `${of('country:DE')}&at=${at}`)).toMatchObject({ status: 400 })
    expect(await boardOf(app, 'segment=country:DE')).toMatchObject({ status: 400 })
  })

  test('more than four segments, or one twice', async () => {
    const app = await given.app()
    for (const segments of [['a', 'b', 'c', 'd', 'e'], ['a', 'a'], ['1']])
      expect(await app.post(appUrl('mini-game-types'), { name: 'Hunt', segments })).toMatchObject({ status: 400 })
  })

  test.each([
    ['more than 16', Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`a${n}`, 'x']))],
    ['a long value', { country: 'x'.repeat(65) }],
    ['an empty value', { country: '' }],
    ['a number', { level: 3 }],
    ['a name with a colon', { 'a:b': 'x' }],
    ['a control character', { country: 'D\u0000E' }],
  ])('attributes: %s', async (_what, attributes) => {
    const app = await given.app()
    expect(await app.post(appUrl('players'), { displayName: 'Ada', attributes })).toMatchObject({ status: 400 })
  })

  test('attributes set by a player token, which sees its own', async () => {
    const app = await given.app()
    const { body } = await app.post(appUrl('players'), { displayName: 'Ada', attributes: { country: 'DE' } })
    expect(body.attributes).toEqual({ country: 'DE' })
    const own = await playing(app, body.id)
    expect(await own.patch(appUrl(`players/${body.id}`), { attributes: null })).toMatchObject({ status: 403 })
    expect((await own.get(appUrl(`players/${body.id}`))).body.attributes).toEqual({ country: 'DE' })
    const other = await given.player(app)
    const stranger = await playing(app, other.id)
    expect((await stranger.get(appUrl(`players/${body.id}`))).body).not.toHaveProperty('attributes')
  })
})

test('the erasure of a user removes the attributes of its players, which leave their segments', async () => {
  const { app, ids, of } = await game([
    [30, 'DE'],
    [20, 'DE'],
  ])
  const user = await given.user()
  await app.patch(appUrl(`players/${ids[0]}`), { displayName: 'Ada', userId: user.id })
  expect(await rankOf(app, ids[1]!, `?${of('country:DE')}`)).toBe(2)
  expect(await user.delete('/api/v1/user')).toMatchObject({ status: 204 })
  expect((await app.get(appUrl(`players/${ids[0]}`))).body).not.toHaveProperty('attributes')
  await expect.poll(() => rankOf(app, ids[1]!, `?${of('country:DE')}`)).toBe(1)
})

test('what is wrong says what to change: segments of the default game, names of attributes, too many friends', async () => {
  const { app, attribute } = await game([[30]])
  expect((await boardOf(app, 'segment=country:DE')).body.error).toContain('The default game has no segments')
  expect((await attribute(0, { 'no name': 'x' })).body.error[0].message).toContain('begin with a letter')
  const friends = Array.from({ length: 201 }, () => crypto.randomUUID()).join(',')
  expect((await boardOf(app, `playerIds=${friends}`)).body.error[0].message).toBe('must be at most 200 players')
})
