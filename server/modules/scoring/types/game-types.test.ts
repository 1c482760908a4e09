import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import {
  appUrl,
  makeSession,
  makeType,
  nextOf,
  playSession,
  setScore,
  unknownId,
} from '../../../test/scoring/scoring-steps.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

describe('mini game types', () => {
  test('a created type answers 201 with the whole record and is listed by name', async () => {
    const app = await given.app()
    const zoo = await app.post(appUrl('mini-game-types'), { name: ' Zoo ' })
    expect(zoo).toMatchObject({
      status: 201,
      body: { name: 'Zoo', description: '', imageUrl: null, sortOrder: 'desc' },
    })
    expect(zoo.body).toMatchObject({ minScore: null, maxScore: null })
    expect(zoo.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const ant = await makeType(app, 'ant', { description: 'Small', imageUrl: 'https://example.org/ant.png' })
    expect((await app.get(appUrl('mini-game-types'))).body).toEqual({ miniGameTypes: [ant, zoo.body] })
  })

  test('a name is unique in an app, ignoring case and outer spaces', async () => {
    const app = await given.app()
    await makeType(app, 'Hunt')
    expect(await app.post(appUrl('mini-game-types'), { name: ' hunt ' })).toMatchObject({
      status: 409,
      body: { error: 'This app already has a mini game type named "hunt"' },
    })
    await makeType(await given.app(), 'Hunt')
  })

  test('what is missing or malformed is 400 with its place', async () => {
    const app = await given.app()
    for (const [body, path] of [
      [{}, ['name']],
      [{ name: ' ' }, ['name']],
      [{ name: 'A', imageUrl: 'javascript:alert(1)' }, ['imageUrl']],
      [{ name: 'A', minScore: 2, maxScore: 1 }, ['maxScore']],
    ] as const) {
      expect(await app.post(appUrl('mini-game-types'), body)).toMatchObject({
        status: 400,
        body: { error: [{ path }] },
      })
    }
  })

  test('are listed by name in pages: the Link leads to the next one, x-total-count says how many there are', async () => {
    const app = await given.app()
    for (const name of ['delta', 'Alpha', 'charlie', 'Bravo', 'echo']) await makeType(app, name)
    const names: string[][] = []
    let path: string | undefined = appUrl('mini-game-types?limit=2')
    while (path) {
      const { status, body, headers }: Answer = await app.get(path)
      expect([status, headers.get('x-total-count')]).toEqual([200, '5'])
      names.push(body.miniGameTypes.map(({ name }: { name: string }) => name))
      path = nextOf(headers)
    }
    expect(names).toEqual([['Alpha', 'Bravo'], ['charlie', 'delta'], ['echo']])
    for (const query of ['cursor=nonsense', 'limit=0', 'limit=10001', 'limit=1.5'])
      expect(await app.get(appUrl(`mini-game-types?${query}`)), query).toMatchObject({ status: 400 })
  })

  test('pages continue after the longest names too', async () => {
    const app = await given.app()
    // Four bytes each; and one character that is 18 when it is folded.
    const names = ['\u{20000}'.repeat(255), '\ufdfa'.repeat(255), 'a']
    for (const name of names) await makeType(app, name)
    const seen: string[] = []
    let path: string | undefined = appUrl('mini-game-types?limit=1')
    while (path) {
      const { status, body, headers }: Answer = await app.get(path)
      expect(status).toBe(200)
      seen.push(...body.miniGameTypes.map(({ name }: { name: string }) => name))
      path = nextOf(headers)
    }
    expect(seen.sort()).toEqual(names.sort())
  })

  test('one is read by its id; those of other apps, unknown ones and malformed ids are 404', async () => {
    const [app, other] = [await given.app(), await given.app()]
    const hunt = await makeType(app, 'Hunt')
    expect(await app.get(appUrl(`mini-game-types/${hunt.id}`))).toMatchObject({ status: 200, body: hunt })
    for (const id of [(await makeType(other, 'Theirs')).id, unknownId, 'no-id']) {
      const path = appUrl(`mini-game-types/${id}`)
      for (const answer of [await app.get(path), await app.patch(path, { name: 'Mine' }), await app.delete(path)])
        expect(answer).toMatchObject({ status: 404, body: { error: 'Mini game type not found' } })
    }
  })

  test('PATCH changes what is named, clears what is null and leaves the rest', async () => {
    const app = await given.app()
    const full = { description: 'Old', imageUrl: 'https://example.org/a.png', minScore: 0, maxScore: 10 }
    const hunt = await makeType(app, 'Hunt', full)
    const path = appUrl(`mini-game-types/${hunt.id}`)
    expect((await app.patch(path, {})).body).toEqual(hunt)
    expect((await app.patch(path, { name: ' Chase ', description: '' })).body).toEqual({
      ...hunt,
      name: 'Chase',
      description: '',
    })
    expect((await app.patch(path, { imageUrl: null, minScore: null, maxScore: 5 })).body).toEqual({
      ...hunt,
      name: 'Chase',
      description: '',
      imageUrl: null,
      minScore: null,
      maxScore: 5,
    })
    for (const [body, at] of [
      [{ name: ' ' }, 'name'],
      [{ name: null }, 'name'],
      [{ sortOrder: 'up' }, 'sortOrder'],
      [{ minScore: 6 }, 'minScore'],
      [{ minScore: 3, maxScore: 2 }, 'maxScore'],
    ] as const)
      expect(await app.patch(path, body), at).toMatchObject({ status: 400, body: { error: [{ path: [at] }] } })
    expect((await app.get(path)).body).toMatchObject({ name: 'Chase', minScore: null, maxScore: 5 })
  })

  test('a name that another type has is 409; its own in another case is not; of 20 that want one name one gets it', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    const race = await makeType(app, 'Race')
    expect(await app.patch(appUrl(`mini-game-types/${race.id}`), { name: 'HUNT' })).toMatchObject({
      status: 409,
      body: { error: 'This app already has a mini game type named "HUNT"' },
    })
    expect(await app.patch(appUrl(`mini-game-types/${hunt.id}`), { name: 'HUNT' })).toMatchObject({ status: 200 })
    const many = await Promise.all(Array.from({ length: 20 }, (_, i) => makeType(app, `Type ${i}`)))
    const answers = await Promise.all(
      many.map(({ id }) => app.patch(appUrl(`mini-game-types/${id}`), { name: 'Only' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  test('the sort order can change until a score is written; a refused score does not count', async () => {
    const app = await given.app()
    const race = await makeType(app, 'Race', { maxScore: 100 })
    const path = appUrl(`mini-game-types/${race.id}`)
    const { id } = await makeSession(app, { miniGameTypeId: race.id })
    const [player] = await playSession(given, app, id, [undefined])
    const score = (playerId: string, value: number) =>
      app.patch(appUrl(`game-sessions/${id}/players/${playerId}`), { score: value })
    expect(await score((await given.player(app)).id, 5)).toMatchObject({ status: 404 })
    expect(await score(player!.id, 101)).toMatchObject({ status: 400 })
    const batch = { scores: [{ playerId: player!.id, score: 101 }] }
    expect(await app.post(appUrl(`game-sessions/${id}/scores`), batch)).toMatchObject({ status: 400 })
    expect(await app.patch(path, { sortOrder: 'asc' })).toMatchObject({ status: 200, body: { sortOrder: 'asc' } })
    await setScore(app, id, player!.id, 5)
    expect(await app.patch(path, { sortOrder: 'desc', name: 'Other' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('sort order') },
    })
    expect(await app.patch(path, { sortOrder: 'asc', description: 'Fast' })).toMatchObject({
      status: 200,
      body: { name: 'Race', sortOrder: 'asc', description: 'Fast' },
    })
    await app.delete(appUrl(`game-sessions/${id}/players/${player!.id}`))
    expect(await app.patch(path, { sortOrder: 'desc' })).toMatchObject({ status: 409 }) // fixed for good
  })

  test('a change of the sort order waits for a first score under way, and is then refused', async () => {
    const app = await given.app()
    const race = await makeType(app, 'Race')
    const { id } = await makeSession(app, { miniGameTypeId: race.id })
    const [player] = await playSession(given, app, id, [undefined])
    const writer = new pg.Client({ connectionString: service.databaseUrl })
    await writer.connect()
    await writer.query('begin')
    await writer.query('select save_score($1, $2, $3, 5)', [app.id, id, player!.id])
    const change = app.patch(appUrl(`mini-game-types/${race.id}`), { sortOrder: 'asc' })
    const isWaiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await writer.query(isWaiting)).rowCount === 0) await sleep(5)
    await writer.query('commit')
    await writer.end()
    expect(await change).toMatchObject({ status: 409 })
  })

  test('of a first score and a change of the sort order at once, the board is by the order that the type shows', {
    tags: ['long'],
  }, async () => {
    const app = await given.app()
    for (let turn = 0; turn < 12; turn++) {
      const race = await makeType(app, `Race ${turn}`)
      const { id } = await makeSession(app, { miniGameTypeId: race.id })
      const players = await playSession(given, app, id, [undefined, undefined, undefined])
      await Promise.all([
        ...players.map(({ id: playerId }, i) => setScore(app, id, playerId, i)),
        app.patch(appUrl(`mini-game-types/${race.id}`), { sortOrder: 'asc' }),
      ])
      const { sortOrder } = (await app.get(appUrl(`mini-game-types/${race.id}`))).body
      const { leaderboard } = (await app.get(appUrl(`leaderboards/mini-game?miniGameTypeId=${race.id}`))).body
      const shown = leaderboard.map((entry: { playerScore: number }) => entry.playerScore)
      expect(shown).toEqual(sortOrder === 'asc' ? [0, 1, 2] : [2, 1, 0])
    }
  })

  test('DELETE hides a type and frees its name; its sessions and scores stay and still show it', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    const session = await makeSession(app, { miniGameTypeId: hunt.id })
    const [player] = await playSession(given, app, session.id, [7])
    expect(await app.delete(appUrl(`mini-game-types/${hunt.id}`))).toMatchObject({ status: 204, body: '' })
    expect(await app.delete(appUrl(`mini-game-types/${hunt.id}`))).toMatchObject({ status: 404 })
    expect((await app.get(appUrl('mini-game-types'))).body).toEqual({ miniGameTypes: [] })
    expect((await app.get(appUrl('leaderboards'))).body.leaderboards).toHaveLength(1)
    const rankings = (await app.get(appUrl(`players/${player!.id}?includeGlobalRankings=true`))).body.globalRankings
    expect(rankings).toEqual([])
    for (const path of [
      `leaderboards/mini-game?miniGameTypeId=${hunt.id}`,
      'leaderboards/mini-game?miniGameTypeName=Hunt',
      `players/${player!.id}/global-ranking?miniGameTypeId=${hunt.id}`,
      `game-sessions?miniGameTypeId=${hunt.id}`,
    ])
      expect(await app.get(appUrl(path)), path).toMatchObject({
        status: 404,
        body: { error: 'Mini game type not found' },
      })
    expect(await app.post(appUrl('game-sessions'), { miniGameTypeId: hunt.id })).toMatchObject({ status: 404 })

    expect((await app.get(appUrl(`game-sessions/${session.id}`))).body.miniGameType).toEqual(hunt)
    expect((await app.get(appUrl(`game-sessions/${session.id}/leaderboard`))).body).toMatchObject({
      miniGameTypeId: hunt.id,
      miniGameTypeName: 'Hunt',
      leaderboard: [{ playerId: player!.id, playerScore: 7, ranking: 1 }],
    })
    await setScore(app, session.id, player!.id, 8) // it can be played to its end
    const again = await makeType(app, 'Hunt')
    expect(again.id).not.toBe(hunt.id)
    expect((await app.get(appUrl('leaderboards/mini-game?miniGameTypeName=hunt'))).body).toMatchObject({
      miniGameTypeId: again.id,
      leaderboard: [],
    })
  })

  test('a hidden type is listed as hidden, and restored with its scores, also those written while hidden', async () => {
    const app = await given.app()
    const [hunt, race] = [await makeType(app, 'Hunt'), await makeType(app, 'Race')]
    const session = await makeSession(app, { miniGameTypeId: hunt.id })
    const [player, other] = await playSession(given, app, session.id, [7, 9])
    await app.delete(appUrl(`mini-game-types/${hunt.id}`))
    await setScore(app, session.id, player!.id, 12)
    expect((await app.get(appUrl('mini-game-types?hidden=true'))).body).toEqual({ miniGameTypes: [hunt] })
    expect((await app.get(appUrl('mini-game-types'))).body).toEqual({ miniGameTypes: [race] })

    const restore = () => app.post(appUrl(`mini-game-types/${hunt.id}/restore`))
    expect(await restore()).toMatchObject({ status: 200, body: hunt })
    expect(await restore(), 'a second time changes nothing').toMatchObject({ status: 200, body: hunt })
    expect((await app.get(appUrl('mini-game-types?hidden=true'))).body).toEqual({ miniGameTypes: [] })
    expect((await app.get(appUrl(`leaderboards/mini-game?miniGameTypeId=${hunt.id}`))).body.leaderboard).toMatchObject([
      { playerId: player!.id, playerScore: 12, ranking: 1 },
      { playerId: other!.id, playerScore: 9, ranking: 2 },
    ])
    expect((await app.get(appUrl(`players/${player!.id}/global-ranking?miniGameTypeName=hunt`))).body).toMatchObject({
      highestScore: 12,
      ranking: 1,
    })
  })

  test('a hidden type whose name another has by now is not restored until that one has another name', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    await app.delete(appUrl(`mini-game-types/${hunt.id}`))
    const again = await makeType(app, 'HUNT')
    const restore = () => app.post(appUrl(`mini-game-types/${hunt.id}/restore`))
    expect(await restore()).toMatchObject({ status: 409, body: { error: expect.stringContaining('another name') } })
    await app.patch(appUrl(`mini-game-types/${again.id}`), { name: 'Hunt II' })
    expect(await restore()).toMatchObject({ status: 200, body: hunt })
    const stranger = await given.app()
    expect(await stranger.post(appUrl(`mini-game-types/${hunt.id}/restore`))).toMatchObject({ status: 404 })
  })
})
