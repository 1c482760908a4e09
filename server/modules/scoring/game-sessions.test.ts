import { afterAll, describe, expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { at, makeSession, makeType, setScore, unknownId } from '../../test/scoring-steps.ts'
import { startService } from '../../test/service.ts'

const service = await startService()
const given = givenOn(service)
afterAll(() => service.stop())

describe('mini game types', () => {
  test('a created type answers 201 with the whole record and is listed by name', async () => {
    const app = await given.app()
    const zoo = await app.post(at('mini-game-types'), { name: ' Zoo ' })
    expect(zoo).toMatchObject({
      status: 201,
      body: { name: 'Zoo', description: '', imageUrl: null, sortOrder: 'desc' },
    })
    expect(zoo.body).toMatchObject({ minScore: null, maxScore: null })
    expect(zoo.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const ant = await makeType(app, 'ant', { description: 'Small', imageUrl: 'https://example.org/ant.png' })
    expect((await app.get(at('mini-game-types'))).body).toEqual({ miniGameTypes: [ant, zoo.body] })
  })

  test('a name belongs to one type of an app, whatever its case and outer spaces', async () => {
    const app = await given.app()
    await makeType(app, 'Hunt')
    expect(await app.post(at('mini-game-types'), { name: ' hunt ' })).toMatchObject({
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
      expect(await app.post(at('mini-game-types'), body)).toMatchObject({ status: 400, body: { error: [{ path }] } })
    }
  })
})

describe('game sessions', () => {
  test('a session without a type is one of the default game, and starts ACTIVE', async () => {
    const app = await given.app()
    const session = await app.post(at('game-sessions'), {})
    expect(session).toMatchObject({
      status: 201,
      body: { name: null, description: null, status: 'ACTIVE', endTime: null, miniGameType: null, playerCount: 0 },
    })
    expect(session.body).not.toHaveProperty('paused')
    expect((await app.get(at(`game-sessions/${session.body.id}`))).body).toEqual(session.body)
    expect(await app.post(at('game-sessions'))).toMatchObject({ status: 201, body: { status: 'ACTIVE' } }) // all is optional
  })

  test('a type is named by id, by name in whatever case, or by both if they agree', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    const race = await makeType(app, 'Race')
    for (const choice of [
      { miniGameTypeId: hunt.id },
      { miniGameTypeName: 'HUNT' },
      { miniGameTypeId: hunt.id, miniGameTypeName: 'hunt' },
    ]) {
      expect(await app.post(at('game-sessions'), choice)).toMatchObject({ status: 201, body: { miniGameType: hunt } })
    }
    const disagreeing = { miniGameTypeId: hunt.id, miniGameTypeName: race.name }
    expect(await app.post(at('game-sessions'), disagreeing)).toMatchObject({ status: 400 })
    const others = await makeType(await given.app(), 'Elsewhere')
    for (const unknown of [
      { miniGameTypeId: unknownId },
      { miniGameTypeId: 'no-id' },
      { miniGameTypeId: others.id },
      { miniGameTypeName: 'Nothing' },
    ]) {
      expect(await app.post(at('game-sessions'), unknown)).toMatchObject({
        status: 404,
        body: { error: 'Mini game type not found' },
      })
    }
  })

  test('are listed newest first, by status and type; a paused one counts as ACTIVE', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    const running = await makeSession(app, { miniGameTypeId: hunt.id })
    const paused = await makeSession(app, { status: 'PAUSED' })
    const over = await makeSession(app, { status: 'COMPLETED', miniGameTypeName: 'hunt' })
    const list = async (query: string) =>
      ((await app.get(at(`game-sessions${query}`))).body.gameSessions as { id: string }[]).map(({ id }) => id)
    expect(await list('')).toEqual([over.id, paused.id, running.id])
    expect(await list('?status=ACTIVE')).toEqual([paused.id, running.id])
    expect(await list('?status=PAUSED')).toEqual([paused.id])
    expect(await list('?status=COMPLETED')).toEqual([over.id])
    expect(await list(`?miniGameTypeId=${hunt.id}`)).toEqual([over.id, running.id])
    expect(await list('?miniGameTypeName=Hunt&status=ACTIVE')).toEqual([running.id])
    expect(await app.get(at('game-sessions?miniGameTypeName=None'))).toMatchObject({ status: 404 })
    expect(await app.get(at('game-sessions?status=active'))).toMatchObject({ status: 400 })
    expect(await (await given.app()).get(at('game-sessions'))).toMatchObject({ body: { gameSessions: [] } })
  })

  test('ACTIVE and PAUSED change places, either becomes COMPLETED, and that is final', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const move = (status: string) => app.patch(at(`game-sessions/${id}`), { status })
    expect(await move('PAUSED')).toMatchObject({ status: 200, body: { status: 'ACTIVE', paused: true, endTime: null } })
    const resumed = await move('ACTIVE')
    expect(resumed.body).toMatchObject({ status: 'ACTIVE', endTime: null })
    expect(resumed.body).not.toHaveProperty('paused')
    await move('PAUSED')
    const over = await move('COMPLETED')
    expect(over).toMatchObject({ status: 200, body: { status: 'COMPLETED', endTime: expect.any(String) } })
    expect(await move('ACTIVE')).toMatchObject({ status: 409 })
    expect(await move('PAUSED')).toMatchObject({ status: 409 })
    expect((await move('COMPLETED')).body).toEqual(over.body)
    expect(await app.patch(at(`game-sessions/${id}`), { name: 'Final' })).toMatchObject({
      status: 200,
      body: { name: 'Final', endTime: over.body.endTime },
    })
  })

  test('PATCH changes what is named, clears what is null, and changes nothing when the move is refused', async () => {
    const app = await given.app()
    const { id } = await makeSession(app, { name: 'One', description: 'First' })
    expect((await app.patch(at(`game-sessions/${id}`), { name: null })).body).toMatchObject({
      name: null,
      description: 'First',
    })
    await app.patch(at(`game-sessions/${id}`), { status: 'COMPLETED' })
    expect(await app.patch(at(`game-sessions/${id}`), { name: 'Two', status: 'ACTIVE' })).toMatchObject({ status: 409 })
    expect((await app.get(at(`game-sessions/${id}`))).body).toMatchObject({ name: null })
  })

  test('those of other apps, unknown ones and malformed ids are 404', async () => {
    const app = await given.app()
    const theirs = await makeSession(await given.app())
    for (const id of [theirs.id, unknownId, 'no-id']) {
      for (const answer of [
        await app.get(at(`game-sessions/${id}`)),
        await app.patch(at(`game-sessions/${id}`), { status: 'COMPLETED' }),
        await app.get(at(`game-sessions/${id}/players`)),
        await app.post(at(`game-sessions/${id}/players`), { playerId: unknownId }),
        await app.patch(at(`game-sessions/${id}/players/${unknownId}`), { score: 1 }),
        await app.post(at(`game-sessions/${id}/scores`), { scores: [{ playerId: unknownId, score: 1 }] }),
      ]) {
        expect(answer).toMatchObject({ status: 404, body: { error: 'Game session not found' } })
      }
    }
    expect(await service.anonymous.get(at('game-sessions'))).toMatchObject({ status: 401 })
  })
})

describe('players of a session', () => {
  test('registering answers 201, again 200 with the same row, and never resets the score', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const player = await given.player(app, 'Ada')
    const path = at(`game-sessions/${id}/players`)
    const first = await app.post(path, { playerId: player.id })
    expect(first).toMatchObject({
      status: 201,
      body: { score: 0, playerId: player.id, displayName: 'Ada', imageUrl: null, user: null },
    })
    expect(await app.post(path, { playerId: player.id })).toMatchObject({ status: 200, body: first.body })
    await setScore(app, id, player.id, 7)
    expect(await app.post(path, { playerId: player.id })).toMatchObject({ status: 200, body: { score: 7 } })
    expect((await app.get(path)).body).toMatchObject({ players: [{ playerId: player.id, score: 7 }] })
    expect((await app.get(at(`game-sessions/${id}`))).body.playerCount).toBe(1)
  })

  test('a player linked to a user shows that user', async () => {
    const app = await given.app()
    const user = await given.user({ name: 'ada-l' })
    const { body: player } = await app.post(at('players'), { displayName: 'Linked', userId: user.id })
    const { id } = await makeSession(app)
    const registered = await app.post(at(`game-sessions/${id}/players`), { playerId: player.id })
    expect(registered.body.user).toEqual({ id: user.id, username: 'ada-l' })
    const scored = await app.patch(at(`game-sessions/${id}/players/${player.id}`), { score: 3 })
    expect(scored.body).toEqual({ ...registered.body, score: 3, updatedAt: scored.body.updatedAt })
  })

  test('an unknown player, or one of another app, is 404; a completed session takes none', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const theirs = await given.player(await given.app())
    for (const playerId of [theirs.id, unknownId, 'no-id']) {
      expect(await app.post(at(`game-sessions/${id}/players`), { playerId })).toMatchObject({
        status: 404,
        body: { error: 'Player not found' },
      })
    }
    expect(await app.post(at(`game-sessions/${id}/players`), {})).toMatchObject({
      status: 400,
      body: { error: [{ path: ['playerId'], code: 'invalid_type' }] },
    })
    const [player, late] = [await given.player(app), await given.player(app)]
    await app.patch(at(`game-sessions/${id}`), { status: 'PAUSED' })
    expect(await app.post(at(`game-sessions/${id}/players`), { playerId: player.id })).toMatchObject({ status: 201 })
    await app.patch(at(`game-sessions/${id}`), { status: 'COMPLETED' })
    expect(await app.post(at(`game-sessions/${id}/players`), { playerId: late.id })).toMatchObject({ status: 409 })
    expect(await app.post(at(`game-sessions/${id}/players`), { playerId: player.id })).toMatchObject({ status: 200 })
  })
})
