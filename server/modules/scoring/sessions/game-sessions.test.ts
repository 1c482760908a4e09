import pg from 'pg'
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

describe('game sessions', () => {
  test('a session without a type is one of the default game, and starts ACTIVE', async () => {
    const app = await given.app()
    const session = await app.post(appUrl('game-sessions'), {})
    expect(session).toMatchObject({
      status: 201,
      body: { name: null, description: null, status: 'ACTIVE', endTime: null, miniGameType: null, playerCount: 0 },
    })
    expect(session.body).not.toHaveProperty('paused')
    expect((await app.get(appUrl(`game-sessions/${session.body.id}`))).body).toEqual(session.body)
    expect(await app.post(appUrl('game-sessions'))).toMatchObject({ status: 201, body: { status: 'ACTIVE' } }) // all is optional
  })

  test('a type is named by id, by name ignoring case, or by both if they agree', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    const race = await makeType(app, 'Race')
    for (const choice of [
      { miniGameTypeId: hunt.id },
      { miniGameTypeName: 'HUNT' },
      { miniGameTypeId: hunt.id, miniGameTypeName: 'hunt' },
    ]) {
      expect(await app.post(appUrl('game-sessions'), choice)).toMatchObject({
        status: 201,
        body: { miniGameType: hunt },
      })
    }
    const disagreeing = { miniGameTypeId: hunt.id, miniGameTypeName: race.name }
    expect(await app.post(appUrl('game-sessions'), disagreeing)).toMatchObject({ status: 400 })
    const others = await makeType(await given.app(), 'Elsewhere')
    for (const unknown of [
      { miniGameTypeId: unknownId },
      { miniGameTypeId: 'no-id' },
      { miniGameTypeId: others.id },
      { miniGameTypeName: 'Nothing' },
    ]) {
      expect(await app.post(appUrl('game-sessions'), unknown)).toMatchObject({
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
      ((await app.get(appUrl(`game-sessions${query}`))).body.gameSessions as { id: string }[]).map(({ id }) => id)
    expect(await list('')).toEqual([over.id, paused.id, running.id])
    expect(await list('?status=ACTIVE')).toEqual([paused.id, running.id])
    expect(await list('?status=PAUSED')).toEqual([paused.id])
    expect(await list('?status=COMPLETED')).toEqual([over.id])
    expect(await list(`?miniGameTypeId=${hunt.id}`)).toEqual([over.id, running.id])
    expect(await list('?miniGameTypeName=Hunt&status=ACTIVE')).toEqual([running.id])
    expect(await app.get(appUrl('game-sessions?miniGameTypeName=None'))).toMatchObject({ status: 404 })
    expect(await app.get(appUrl('game-sessions?status=active'))).toMatchObject({ status: 400 })
    expect(await (await given.app()).get(appUrl('game-sessions'))).toMatchObject({ body: { gameSessions: [] } })
  })

  test('ACTIVE and PAUSED change places, either becomes COMPLETED, and that is final', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const move = (status: string) => app.patch(appUrl(`game-sessions/${id}`), { status })
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
    expect(await app.patch(appUrl(`game-sessions/${id}`), { name: 'Final' })).toMatchObject({
      status: 200,
      body: { name: 'Final', endTime: over.body.endTime },
    })
  })

  test('PATCH changes what is named, clears what is null, and changes nothing when the move is refused', async () => {
    const app = await given.app()
    const { id } = await makeSession(app, { name: 'One', description: 'First' })
    expect((await app.patch(appUrl(`game-sessions/${id}`), { name: null })).body).toMatchObject({
      name: null,
      description: 'First',
    })
    await app.patch(appUrl(`game-sessions/${id}`), { status: 'COMPLETED' })
    expect(await app.patch(appUrl(`game-sessions/${id}`), { name: 'Two', status: 'ACTIVE' })).toMatchObject({
      status: 409,
    })
    expect((await app.get(appUrl(`game-sessions/${id}`))).body).toMatchObject({ name: null })
  })

  test('those of other apps, unknown ones and malformed ids are 404', async () => {
    const app = await given.app()
    const theirs = await makeSession(await given.app())
    for (const id of [theirs.id, unknownId, 'no-id']) {
      for (const answer of [
        await app.get(appUrl(`game-sessions/${id}`)),
        await app.patch(appUrl(`game-sessions/${id}`), { status: 'COMPLETED' }),
        await app.delete(appUrl(`game-sessions/${id}`)),
        await app.get(appUrl(`game-sessions/${id}/leaderboard`)),
        await app.get(appUrl(`game-sessions/${id}/players/${unknownId}`)),
        await app.delete(appUrl(`game-sessions/${id}/players/${unknownId}`)),
        await app.get(appUrl(`game-sessions/${id}/players`)),
        await app.post(appUrl(`game-sessions/${id}/players`), { playerId: unknownId }),
        await app.patch(appUrl(`game-sessions/${id}/players/${unknownId}`), { score: 1 }),
        await app.post(appUrl(`game-sessions/${id}/scores`), { scores: [{ playerId: unknownId, score: 1 }] }),
      ]) {
        expect(answer).toMatchObject({ status: 404, body: { error: 'Game session not found' } })
      }
    }
    expect(await service.anonymous.get(appUrl('game-sessions'))).toMatchObject({ status: 401 })
  })

  test('are listed in pages that stay right while sessions come and go', async () => {
    const app = await given.app()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.unshift((await makeSession(app, { status: i % 2 ? 'PAUSED' : 'ACTIVE' })).id)
    const seen: string[] = []
    let path: string | undefined = appUrl('game-sessions?limit=3&status=ACTIVE')
    while (path) {
      const { body, headers }: Answer = await app.get(path)
      seen.push(...body.gameSessions.map(({ id }: { id: string }) => id))
      if (seen.length === 3) {
        expect(headers.get('x-total-count')).toBe('7')
        await makeSession(app) // newer than all that was seen
        await app.delete(appUrl(`game-sessions/${seen[2]}`)) // the very one that the cursor names
      }
      path = nextOf(headers)
    }
    expect(seen).toEqual(ids)
    expect((await app.get(appUrl('game-sessions?limit=1&status=PAUSED'))).headers.get('x-total-count')).toBe('3')
    expect(await app.get(appUrl('game-sessions?cursor=W10'))).toMatchObject({ status: 400 })
  })

  test('every move to another state is made or refused as the table of states says', async () => {
    const app = await given.app()
    const states = ['ACTIVE', 'PAUSED', 'COMPLETED'] as const
    for (const from of states) {
      for (const to of states) {
        const { id } = await makeSession(app, from === 'COMPLETED' ? {} : { status: from })
        if (from === 'COMPLETED') await app.patch(appUrl(`game-sessions/${id}`), { status: from })
        const before = (await app.get(appUrl(`game-sessions/${id}`))).body
        const { status, body } = await app.patch(appUrl(`game-sessions/${id}`), { status: to })
        if (from === 'COMPLETED' && to !== 'COMPLETED') {
          expect([status, body.error], `${from} to ${to}`).toEqual([409, expect.stringContaining('final')])
          expect((await app.get(appUrl(`game-sessions/${id}`))).body).toEqual(before)
          continue
        }
        expect([status, body.status, body.paused], `${from} to ${to}`).toEqual([
          200,
          to === 'COMPLETED' ? to : 'ACTIVE',
          to === 'PAUSED' ? true : undefined,
        ])
        expect(body.endTime !== null).toBe(to === 'COMPLETED')
        if (from === to) expect(body).toEqual(before)
      }
    }
    for (const status of ['active', 'ENDED', '', null, 1])
      expect(await app.post(appUrl('game-sessions'), { status })).toMatchObject({
        status: 400,
        body: { error: [{ path: ['status'], code: 'invalid_value' }] },
      })
  })

  test('a game recorded after the fact takes players and scores for 24 hours, and then no more', async () => {
    const app = await given.app()
    const { id } = await makeSession(app, { status: 'COMPLETED' })
    const [first] = await playSession(given, app, id, [3])
    const late = await given.player(app)
    await movedBack(id, '23 hours 59 minutes')
    await setScore(app, id, first!.id, 4)
    await movedBack(id, '2 minutes')
    const path = appUrl(`game-sessions/${id}`)
    const batch = { scores: [{ playerId: first!.id, score: 5 }] }
    expect(await app.patch(`${path}/players/${first!.id}`, { score: 5 })).toMatchObject({ status: 409 })
    expect(await app.post(`${path}/scores`, batch)).toMatchObject({ status: 409 })
    expect(await app.post(`${path}/players`, { playerId: late.id })).toMatchObject({ status: 409 })
    expect(await app.post(`${path}/players`, { playerId: first!.id })).toMatchObject({
      status: 200,
      body: { score: 4 },
    })
  })

  test('DELETE removes a session in any state with its scores, and all rankings follow at once', async () => {
    const app = await given.app()
    for (const status of ['ACTIVE', 'PAUSED', 'COMPLETED']) {
      const [a, b] = [await makeSession(app), await makeSession(app)]
      const [player, rival] = await playSession(given, app, a.id, [50, 40])
      await app.post(appUrl(`game-sessions/${b.id}/players`), { playerId: player!.id })
      await setScore(app, b.id, player!.id, 30)
      expect(await rankOf(app, player!.id)).toBe(1)
      await app.patch(appUrl(`game-sessions/${a.id}`), { status })
      expect(await app.delete(appUrl(`game-sessions/${a.id}`))).toMatchObject({ status: 204, body: '' })
      expect((await app.get(appUrl(`players/${player!.id}/global-ranking`))).body).toMatchObject({
        highestScore: 30,
        ranking: 1,
      })
      expect(await rankOf(app, rival!.id)).toBeUndefined()
      expect((await app.get(appUrl('leaderboards/mini-game'))).body.leaderboard).toMatchObject([
        { playerId: player!.id },
      ])
      for (const answer of [
        await app.delete(appUrl(`game-sessions/${a.id}`)),
        await app.get(appUrl(`game-sessions/${a.id}`)),
        await app.get(appUrl(`game-sessions/${a.id}/players`)),
        await app.get(appUrl(`game-sessions/${a.id}/leaderboard`)),
      ])
        expect(answer).toMatchObject({ status: 404, body: { error: 'Game session not found' } })
      await app.delete(appUrl(`game-sessions/${b.id}`))
    }
  })
})

/** Lets the day of a recorded game pass, in part. */
async function movedBack(sessionId: string, by: string) {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query('update game_sessions set open_until = open_until - $2::interval where id = $1', [sessionId, by])
  await client.end()
}
