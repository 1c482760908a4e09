import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { appUrl, makeSession, playSession, rankOf } from '../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const players = '/api/v1/apps/players'

describe('players', () => {
  test('a created player answers 200 with the whole record, and is listed', async () => {
    const app = await given.app()
    const created = await app.post(players, { displayName: '  Ada ' })
    expect(created).toMatchObject({
      status: 200,
      body: { id: expect.any(String), displayName: 'Ada', userId: null, imageUrl: null },
    })
    expect(created.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect((await app.get(players)).body).toEqual({ players: [created.body] })
    expect((await app.get(`${players}/${created.body.id}`)).body).toEqual(created.body)
  })

  test('a display name is unique in an app, ignoring case, and free in another app', async () => {
    const app = await given.app()
    await given.player(app, 'Straße')
    expect(await app.post(players, { displayName: ' STRASSE' })).toMatchObject({
      status: 409,
      body: { error: 'This app already has a player named "STRASSE"' },
    })
    expect(await (await given.app()).post(players, { displayName: 'Straße' })).toMatchObject({ status: 200 })
  })

  test('of 64 simultaneous creations of one name, one wins; of 64 renamings to one name too', async () => {
    const app = await given.app()
    const one = [200, ...Array(63).fill(409)]
    const answers = await Promise.all(Array.from({ length: 64 }, () => app.post(players, { displayName: 'Only' })))
    expect(answers.map(({ status }) => status).sort()).toEqual(one)
    const others = await Promise.all(Array.from({ length: 64 }, () => given.player(app)))
    const renamed = await Promise.all(others.map(({ id }) => app.patch(`${players}/${id}`, { displayName: 'Another' })))
    expect(renamed.map(({ status }) => status).sort()).toEqual(one)
  })

  test('a name freed by a renaming or a deletion can be taken', async () => {
    const app = await given.app()
    const { id } = await given.player(app, 'Old')
    await app.patch(`${players}/${id}`, { displayName: 'New' })
    const second = await given.player(app, 'Old')
    await app.delete(`${players}/${id}`)
    await app.delete(`${players}/${second.id}`)
    for (const name of ['Old', 'New']) await given.player(app, name)
  })

  test('a player of another app is 404 to GET and 403 to PATCH; an unknown or malformed id is 404', async () => {
    const [mine, other] = [await given.app(), await given.app()]
    const theirs = await given.player(other)
    expect(await mine.get(`${players}/${theirs.id}`)).toMatchObject({
      status: 404,
      body: { error: 'Player not found' },
    })
    expect(await mine.patch(`${players}/${theirs.id}`, { displayName: 'Mine now' })).toMatchObject({ status: 403 })
    expect(await mine.get(`${players}/not-an-id`)).toMatchObject({ status: 404, body: { error: 'Player not found' } })
    expect(await mine.patch(`${players}/not-an-id`, { displayName: 'x' })).toMatchObject({ status: 404 })
    expect((await other.get(`${players}/${theirs.id}`)).body.displayName).toBe(theirs.displayName)
  })

  test('DELETE answers 204; the player, its scores and its rank go; another app’s player, or an unknown one, is 404', async () => {
    const [app, other] = [await given.app(), await given.app()]
    const session = await makeSession(app)
    const [best, second] = await playSession(given, app, session.id, [9, 5])
    expect(await rankOf(app, second!.id)).toBe(2)
    expect(await other.delete(`${players}/${best!.id}`)).toMatchObject({ status: 404 })
    expect(await rankOf(app, second!.id)).toBe(2)

    expect(await app.delete(`${players}/${best!.id}`)).toMatchObject({ status: 204, body: '' })
    expect(await rankOf(app, second!.id)).toBe(1)
    expect(await app.get(`${players}/${best!.id}`)).toMatchObject({ status: 404 })
    expect((await app.get(appUrl('leaderboards/mini-game'))).body.leaderboard).toHaveLength(1)
    expect((await app.get(appUrl(`game-sessions/${session.id}/players`))).body.players).toHaveLength(1)
    for (const id of [best!.id, 'not-an-id', crypto.randomUUID()])
      expect(await app.delete(`${players}/${id}`)).toMatchObject({ status: 404, body: { error: 'Player not found' } })
  })

  test('of 8 deletions at once one or more answer 204, the others 404, and the player is gone', async () => {
    const app = await given.app()
    const { id } = await given.player(app)
    const answers = await Promise.all(Array.from({ length: 8 }, () => app.delete(`${players}/${id}`)))
    for (const { status } of answers) expect([204, 404]).toContain(status)
    expect(answers.some(({ status }) => status === 204)).toBe(true)
    expect((await app.get(players)).body.players).toEqual([])
  })

  test('PATCH without userId leaves it, null unlinks, an unknown user is 400', async () => {
    const app = await given.app()
    const user = await given.user()
    const { id } = await given.player(app, 'Linked')
    const path = `${players}/${id}`
    expect(await app.patch(path, { displayName: 'Linked', userId: user.id })).toMatchObject({
      status: 200,
      body: { userId: user.id },
    })
    expect(await app.patch(path, { displayName: 'Renamed' })).toMatchObject({
      body: { displayName: 'Renamed', userId: user.id },
    })
    expect(await app.patch(path, { displayName: 'Renamed', userId: null })).toMatchObject({ body: { userId: null } })
    for (const userId of ['nobody', '', crypto.randomUUID()])
      expect(await app.patch(path, { displayName: 'Renamed', userId }), userId).toMatchObject({
        status: 400,
        body: { error: [{ code: 'custom', path: ['userId'] }] },
      })
  })

  test('creation takes a user too; one user may be linked to players of many apps, and to many of one', async () => {
    const user = await given.user()
    for (const app of [await given.app(), await given.app()])
      for (const displayName of ['One', 'Two'])
        expect(await app.post(players, { displayName, userId: user.id })).toMatchObject({
          status: 200,
          body: { userId: user.id },
        })
    const app = await given.app()
    for (const userId of ['nobody', crypto.randomUUID(), 7])
      expect(await app.post(players, { displayName: 'Three', userId }), `${userId}`).toMatchObject({
        status: 400,
        body: { error: [{ path: ['userId'] }] },
      })
    expect((await app.get(players)).body.players).toEqual([])
  })

  test('a bad name is 400 and says where', async () => {
    const app = await given.app()
    for (const displayName of [undefined, '', '   ', 7, 'x'.repeat(256)])
      expect(await app.post(players, { displayName })).toMatchObject({
        status: 400,
        body: { error: [{ path: ['displayName'] }] },
      })
    expect((await app.get(players)).body).toEqual({ players: [] })
  })

  test('without a key, with a wrong one and with a mistyped one: 401 before the body is looked at', async () => {
    const { key } = await given.app()
    const mistyped = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    for (const headers of [{}, { 'x-app-api-key': 'nonsense' }, { 'x-app-api-key': mistyped }])
      expect(await service.as(headers as Record<string, string>).post(players, { displayName: 7 })).toMatchObject({
        status: 401,
        body: { error: expect.stringContaining('API key') },
      })
  })
})

describe('the list of players', () => {
  type Seen = { id: string }

  /** Follows Link to the end; `between` runs after each page. */
  async function follow(app: Caller, limit: number, between: () => Promise<unknown> = async () => {}) {
    const seen: string[] = []
    let path: string | undefined = `${players}?limit=${limit}`
    while (path) {
      const { status, body, headers } = await app.get(path)
      expect({ status, body }).toMatchObject({ status: 200, body: { players: expect.any(Array) } })
      expect(Object.keys(body)).toEqual(['players'])
      seen.push(...body.players.map(({ id }: Seen) => id))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      if (path) await between()
    }
    return seen
  }

  test('followed by Link to the end gives each player once, oldest first; x-total-count is how many there are', async () => {
    const app = await given.app()
    const made = []
    for (let i = 0; i < 7; i++) made.push((await given.player(app)).id)
    for (const limit of [1, 2, 3, 7, 100]) expect(await follow(app, limit), `limit ${limit}`).toEqual(made)
    const { headers } = await app.get(`${players}?limit=2`)
    expect(headers.get('x-total-count')).toBe('7')
    expect((await app.get(`${players}?limit=7`)).headers.get('link')).toBeNull()
  })

  test('stays right while players are added and deleted between the pages', async () => {
    const app = await given.app()
    const made: string[] = []
    for (let i = 0; i < 12; i++) made.push((await given.player(app)).id)
    const gone = [made[1]!, made[4]!, made[7]!]
    const left = made.filter((id) => !gone.includes(id))
    const seen = await follow(app, 3, async () => {
      const id = gone.shift()
      if (!id) return
      await app.delete(`${players}/${id}`)
      await given.player(app)
    })
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(left))
    expect(seen.filter((id) => left.includes(id))).toEqual(left)
  })

  test('a cursor with a moment that no calendar has is 400', async () => {
    const app = await given.app()
    for (const moment of [
      '2026-02-30 10:00:00+00',
      '9999-99-99 99:99:99+00',
      '999999-01-01 00:00:00+00',
      '0000-01-01 00:00:00+00',
    ]) {
      const cursor = Buffer.from(JSON.stringify([moment, '0193a7c0-0000-7000-8000-000000000000'])).toString('base64url')
      for (const list of [players, '/api/v1/apps/game-sessions', '/api/v1/apps/public'])
        expect(await app.get(`${list}?cursor=${cursor}`), moment).toMatchObject({
          status: 400,
          body: { error: [{ path: ['cursor'] }] },
        })
    }
  })

  test('a cursor of another list, a bad one, and a bad limit are 400', async () => {
    const app = await given.app()
    const foreign = Buffer.from('[1]').toString('base64url')
    for (const query of [
      'cursor=bad',
      `cursor=${foreign}`,
      'cursor=',
      'limit=0',
      'limit=10001',
      'limit=1.5',
      'limit=1&limit=2',
    ])
      expect(await app.get(`${players}?${query}`), query).toMatchObject({
        status: 400,
        body: { error: [{ path: [query.split('=')[0]] }] },
      })
  })
})
