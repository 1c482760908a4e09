import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import {
  appUrl,
  makeSession,
  nextOf,
  playSession,
  rankOf,
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

describe('players of a session', () => {
  test('registering answers 201, again 200 with the same row, and never resets the score', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const player = await given.player(app, 'Ada')
    const path = appUrl(`game-sessions/${id}/players`)
    const first = await app.post(path, { playerId: player.id })
    expect(first).toMatchObject({
      status: 201,
      body: { score: 0, playerId: player.id, displayName: 'Ada', imageUrl: null, user: null },
    })
    expect(await app.post(path, { playerId: player.id })).toMatchObject({ status: 200, body: first.body })
    await setScore(app, id, player.id, 7)
    expect(await app.post(path, { playerId: player.id })).toMatchObject({ status: 200, body: { score: 7 } })
    expect((await app.get(path)).body).toMatchObject({ players: [{ playerId: player.id, score: 7 }] })
    expect((await app.get(appUrl(`game-sessions/${id}`))).body.playerCount).toBe(1)
  })

  test('a player linked to a user shows that user', async () => {
    const app = await given.app()
    const user = await given.user({ name: 'ada-l' })
    const { body: player } = await app.post(appUrl('players'), { displayName: 'Linked', userId: user.id })
    const { id } = await makeSession(app)
    const registered = await app.post(appUrl(`game-sessions/${id}/players`), { playerId: player.id })
    expect(registered.body.user).toEqual({ id: user.id, username: 'ada-l' })
    const scored = await app.patch(appUrl(`game-sessions/${id}/players/${player.id}`), { score: 3 })
    expect(scored.body).toEqual({ ...registered.body, score: 3, updatedAt: scored.body.updatedAt })
  })

  test('an unknown player, or one of another app, is 404; a completed session takes none', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const theirs = await given.player(await given.app())
    for (const playerId of [theirs.id, unknownId, 'no-id']) {
      expect(await app.post(appUrl(`game-sessions/${id}/players`), { playerId })).toMatchObject({
        status: 404,
        body: { error: 'Player not found' },
      })
    }
    expect(await app.post(appUrl(`game-sessions/${id}/players`), {})).toMatchObject({
      status: 400,
      body: { error: [{ path: ['playerId'], code: 'invalid_type' }] },
    })
    const [player, late] = [await given.player(app), await given.player(app)]
    await app.patch(appUrl(`game-sessions/${id}`), { status: 'PAUSED' })
    expect(await app.post(appUrl(`game-sessions/${id}/players`), { playerId: player.id })).toMatchObject({
      status: 201,
    })
    await app.patch(appUrl(`game-sessions/${id}`), { status: 'COMPLETED' })
    expect(await app.post(appUrl(`game-sessions/${id}/players`), { playerId: late.id })).toMatchObject({ status: 409 })
    expect(await app.post(appUrl(`game-sessions/${id}/players`), { playerId: player.id })).toMatchObject({
      status: 200,
    })
  })

  test('are listed in the order they joined, in pages', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(given, app, id, [5, undefined, 3, 9, undefined])
    const seen: string[] = []
    let path: string | undefined = appUrl(`game-sessions/${id}/players?limit=2`)
    while (path) {
      const { body, headers }: Answer = await app.get(path)
      seen.push(...body.players.map(({ playerId }: { playerId: string }) => playerId))
      expect(headers.get('x-total-count')).toBe('5')
      path = nextOf(headers)
    }
    expect(seen).toEqual(players.map(({ id }) => id))
  })

  test('one is read by its id; one that is not in the session is 404', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [5])
    const { players } = (await app.get(appUrl(`game-sessions/${id}/players`))).body
    expect((await app.get(appUrl(`game-sessions/${id}/players/${player!.id}`))).body).toEqual(players[0])
    for (const playerId of [(await given.player(app)).id, unknownId, 'no-id']) {
      for (const answer of [
        await app.get(appUrl(`game-sessions/${id}/players/${playerId}`)),
        await app.delete(appUrl(`game-sessions/${id}/players/${playerId}`)),
      ])
        expect(answer).toMatchObject({ status: 404, body: { error: 'Game session player not found' } })
    }
  })

  test('DELETE removes a player and its score, also from a completed session; it can register again, without a score', async () => {
    const app = await given.app()
    const [a, b] = [await makeSession(app), await makeSession(app)]
    const [player, rival] = await playSession(given, app, a.id, [50, 40])
    await app.post(appUrl(`game-sessions/${b.id}/players`), { playerId: player!.id })
    await setScore(app, b.id, player!.id, 30)
    expect(await rankOf(app, rival!.id)).toBe(2)
    expect(await app.delete(appUrl(`game-sessions/${a.id}/players/${player!.id}`))).toMatchObject({
      status: 204,
      body: '',
    })
    expect((await app.get(appUrl(`players/${player!.id}/global-ranking`))).body).toMatchObject({
      highestScore: 30,
      ranking: 2,
    })
    expect(await rankOf(app, rival!.id)).toBe(1)
    expect((await app.get(appUrl(`game-sessions/${a.id}`))).body.playerCount).toBe(1)
    expect(await app.post(appUrl(`game-sessions/${a.id}/players`), { playerId: player!.id })).toMatchObject({
      status: 201,
      body: { score: 0 },
    })
    expect((await app.get(appUrl(`players/${player!.id}/global-ranking`))).body).toMatchObject({ highestScore: 30 })
    await app.patch(appUrl(`game-sessions/${b.id}`), { status: 'COMPLETED' })
    expect(await app.delete(appUrl(`game-sessions/${b.id}/players/${player!.id}`))).toMatchObject({ status: 204 })
    expect(await rankOf(app, player!.id)).toBeUndefined()
  })
})
