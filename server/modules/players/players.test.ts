import { afterAll, describe, expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { startService } from '../../test/service.ts'

const service = await startService()
const given = givenOn(service)
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

  test('a display name is unique in an app whatever its case, and free in another app', async () => {
    const app = await given.app()
    await given.player(app, 'Straße')
    expect(await app.post(players, { displayName: ' STRASSE' })).toMatchObject({
      status: 409,
      body: { error: 'This app already has a player named "STRASSE"' },
    })
    expect(await (await given.app()).post(players, { displayName: 'Straße' })).toMatchObject({ status: 200 })
  })

  test('of 20 simultaneous creations of one name, one wins', async () => {
    const app = await given.app()
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.post(players, { displayName: 'Only' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
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
    expect((await other.get(`${players}/${theirs.id}`)).body.displayName).toBe(theirs.displayName)
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
