import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { letTimePass } from '../../../test/scoring/let-time-pass.ts'
import {
  appUrl,
  makeSession,
  makeType,
  nextOf,
  playSession,
  setScore,
  unknownId,
} from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { historyCleanup } from './history-cleanup.ts'

let service: Service
let given: Builders
let pool: pg.Pool
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 })
})
afterAll(async () => {
  await pool.end()
  await service.stop()
})

type Item = { score: number; gameSessionId: string; writtenAt: string; replacedAt: string | null }
const historyOf = async (app: Caller, player: { id: string }, query = ''): Promise<Item[]> => {
  const { status, body } = await app.get(appUrl(`players/${player.id}/score-history${query}`))
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.scoreHistory
}
const scoresOf = (items: Item[]) => items.map(({ score }) => score)

describe("a player's score history", () => {
  test('has every accepted write with its metadata, the last first, and when it was replaced or removed', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [1])
    const path = appUrl(`game-sessions/${id}/players/${player!.id}`)
    await app.patch(path, { score: 2, metadata: { n: 2 } })
    await app.patch(path, { score: 2 })
    const [last, second, first] = await historyOf(app, player!)
    const shared = { gameSessionId: id, miniGameTypeId: null, miniGameTypeName: null }
    expect(last).toEqual({ ...shared, score: 2, writtenAt: expect.any(String), replacedAt: null })
    expect(second).toEqual({
      ...shared,
      score: 2,
      metadata: { n: 2 },
      writtenAt: expect.any(String),
      replacedAt: last!.writtenAt,
    })
    expect(first).toMatchObject({ score: 1, replacedAt: second!.writtenAt })
    await app.delete(path)
    const removed = await historyOf(app, player!)
    expect(scoresOf(removed)).toEqual([2, 2, 1])
    expect(removed[0]!.replacedAt).toEqual(expect.any(String))
  })

  test('has pages and a filter by type, and counts all', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Hunt')
    const { id } = await makeSession(app, { miniGameTypeId: type.id })
    const other = await makeSession(app)
    const [player] = await playSession(given, app, id, [1, undefined])
    for (const score of [2, 3, 4]) await setScore(app, id, player!.id, score)
    await app.post(appUrl(`game-sessions/${other.id}/players`), { playerId: player!.id })
    await setScore(app, other.id, player!.id, 9)
    const pages: number[] = []
    let next: string | undefined = appUrl(`players/${player!.id}/score-history?limit=2`)
    while (next) {
      const { body, headers }: Awaited<ReturnType<Caller['get']>> = await app.get(next)
      expect(headers.get('x-total-count')).toBe('5')
      pages.push(...scoresOf(body.scoreHistory))
      next = nextOf(headers)
    }
    expect(pages).toEqual([9, 4, 3, 2, 1])
    expect(scoresOf(await historyOf(app, player!, `?miniGameTypeId=${type.id}`))).toEqual([4, 3, 2, 1])
    expect(scoresOf(await historyOf(app, player!, '?miniGameTypeId=default'))).toEqual([9])
  })

  test('of an unknown player or type is 404, of a player without scores empty', async () => {
    const app = await given.app()
    const player = await given.player(app)
    expect(await app.get(appUrl(`players/${unknownId}/score-history`))).toMatchObject({ status: 404 })
    expect(await app.get(appUrl(`players/${player.id}/score-history?miniGameTypeId=${unknownId}`))).toMatchObject({
      status: 404,
    })
    expect(await historyOf(app, player)).toEqual([])
  })

  test('loses what was replaced more than historyDays ago, and no current score', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Hunt', { historyDays: 3 })
    const { id } = await makeSession(app, { miniGameTypeId: type.id })
    const other = await makeSession(app)
    const [player] = await playSession(given, app, id, [1])
    await setScore(app, id, player!.id, 2)
    await app.post(appUrl(`game-sessions/${other.id}/players`), { playerId: player!.id })
    for (const score of [7, 8]) await setScore(app, other.id, player!.id, score)
    await letTimePass(service, app.id, 2)
    await setScore(app, id, player!.id, 3)
    await letTimePass(service, app.id, 2)
    await historyCleanup(pool)()
    expect(scoresOf(await historyOf(app, player!))).toEqual([3, 8, 7, 2])
  })

  test('is not kept with historyDays 0', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Hunt', { historyDays: 0 })
    const { id } = await makeSession(app, { miniGameTypeId: type.id })
    const [player] = await playSession(given, app, id, [1])
    await setScore(app, id, player!.id, 2)
    expect(scoresOf(await historyOf(app, player!))).toEqual([2])
    await app.delete(appUrl(`game-sessions/${id}`))
    expect(await historyOf(app, player!)).toEqual([])
  })
})
