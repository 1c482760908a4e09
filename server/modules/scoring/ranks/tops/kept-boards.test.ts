import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../../test/builders.ts'
import { jpeg } from '../../../../test/content/pictures.ts'
import { profileImagesOf } from '../../../../test/content/profile-images.ts'
import { appUrl, makeSession, makeType, playSession, setScore } from '../../../../test/scoring/scoring-steps.ts'
import { expectShown } from '../../../../test/scoring/shown-board.ts'
import { type Answer, type Service, startService } from '../../../../test/service.ts'
import { type Sql, sqlOn } from '../../../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const boardOf = (typeId: string, more = '') => appUrl(`leaderboards/mini-game?miniGameTypeId=${typeId}${more}`)

async function playedBoard(scores: number[]) {
  const app = await given.app()
  const type = await makeType(app, 'Hill run')
  const session = await makeSession(app, { miniGameTypeId: type.id })
  const players = await playSession(given, app, session.id, scores)
  return { app, type, session, players }
}

/** Runs `work` while no statement can read what boards are made of. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table player_best, players, session_players, mini_game_types in access exclusive mode')
    return await work()
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

/** Waits until a read needs no query: its rank index is loaded, and its top is kept. */
const untilKept = (read: () => Promise<Answer>) =>
  expect
    .poll(async () => {
      await read()
      return whileLocked(() => Promise.race([read().then(({ status }) => status), sleep(200, 'waits for the lock')]))
    })
    .toBe(200)

describe('the top of a leaderboard', () => {
  test('is answered without a query of the database while nothing changes it', async () => {
    const { app, type } = await playedBoard([30, 20, 10])
    const read = () => app.get(boardOf(type.id, '&limit=2'))
    const expected = await read()
    await untilKept(read)
    const kept = await whileLocked(read)
    expect(kept).toMatchObject({ status: 200, body: expected.body })
    for (const name of ['x-total-count', 'link', 'content-type'])
      expect(kept.headers.get(name)).toBe(expected.headers.get(name))
    expect((await whileLocked(() => app.get(boardOf(type.id, '&limit=1')))).body.leaderboard).toHaveLength(1)
  })

  test('and the rank of a player need no query, and the rank follows a score at once', async () => {
    const { app, type, session, players } = await playedBoard([30, 20, 10])
    const read = () => app.get(appUrl(`players/${players[2]!.id}/global-ranking?miniGameTypeId=${type.id}`))
    await untilKept(read)
    expect((await whileLocked(read)).body).toMatchObject({ highestScore: 10, ranking: 3 })
    await setScore(app, session.id, players[2]!.id, 25)
    expect((await read()).body).toMatchObject({ highestScore: 25, ranking: 2 })
    expect((await whileLocked(read)).body).toMatchObject({ highestScore: 25, ranking: 2 })
  })

  test('that is kept needs a valid key all the same', async () => {
    const { app, type } = await playedBoard([30])
    await untilKept(() => app.get(boardOf(type.id)))
    expect((await service.anonymous.get(boardOf(type.id))).status).toBe(401)
    expect((await (await given.app()).get(boardOf(type.id))).status).toBe(404)
  })

  test('shows a name, an image and a user as soon as they are changed, and their removal', async () => {
    const { app, type, players } = await playedBoard([30, 20])
    const { id } = players[0]!
    const user = await given.user()
    const images = profileImagesOf(app, given)
    const picture = await jpeg(600, 600)
    const steps = [
      () => app.patch(appUrl(`players/${id}`), { displayName: 'Ada', userId: user.id }),
      () => images.send(id, picture),
      () => app.delete(images.imageOf(id)),
      () => user.delete('/api/v1/user'),
    ]
    await untilKept(() => app.get(boardOf(type.id)))
    for (const step of steps) {
      const { status } = await step()
      expect([200, 204]).toContain(status)
      for (let twice = 0; twice < 2; twice++) await expectShown({ app, sql, url: service.url }, type.id, [1, 2])
    }
  })

  test('is that of the type by its new name, and 404 once the type is hidden', async () => {
    const { app, type } = await playedBoard([30])
    const byName = (name: string) => app.get(appUrl(`leaderboards/mini-game?miniGameTypeName=${name}`))
    await untilKept(() => byName('hill%20run'))
    await app.patch(appUrl(`mini-game-types/${type.id}`), { name: 'Dune run' })
    expect((await byName('hill%20run')).status).toBe(404)
    expect((await byName('dune%20run')).body).toMatchObject({ miniGameTypeName: 'Dune run' })
    expect((await app.get(boardOf(type.id))).body).toMatchObject({ miniGameTypeName: 'Dune run' })
    await app.delete(appUrl(`mini-game-types/${type.id}`))
    for (const path of [boardOf(type.id), appUrl('leaderboards/mini-game?miniGameTypeName=dune%20run')])
      expect((await app.get(path)).status).toBe(404)
    await app.post(appUrl(`mini-game-types/${type.id}/restore`))
    expect((await byName('dune%20run')).body.leaderboard).toHaveLength(1)
  })

  test('follows a change that was made beside the service, by the change feed', async () => {
    const { app, type, players } = await playedBoard([30])
    await untilKept(() => app.get(boardOf(type.id)))
    await sql(`update players set display_name = 'Renamed beside' where app_id = $1 and id = $2`, [
      app.id,
      players[0]!.id,
    ])
    await expect
      .poll(async () => (await app.get(boardOf(type.id))).body.leaderboard[0].playerDisplayName)
      .toBe('Renamed beside')
  })

  test('shows a hidden player its own entry beside a kept one for others', async () => {
    const { app, type, session, players } = await playedBoard([30, 20])
    await untilKept(() => app.get(boardOf(type.id)))
    await app.patch(appUrl(`players/${players[0]!.id}`), { standing: 'hidden' })
    const { body } = await app.post('/auth/player-token', { playerId: players[0]!.id })
    const hidden = service.as({ ...app.headers, authorization: `Bearer ${body.playerToken}` })
    for (let twice = 0; twice < 2; twice++) {
      expect((await app.get(boardOf(type.id))).body.leaderboard).toHaveLength(1)
      expect((await hidden.get(boardOf(type.id))).body.leaderboard).toHaveLength(2)
    }
    await setScore(app, session.id, players[1]!.id, 25)
    await expectShown({ app, sql, url: service.url }, type.id, [1, 2])
  })
})
