import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import {
  appUrl,
  makeSession,
  makeType,
  playSession,
  rankOf,
  setScore,
  unknownId,
} from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

async function makeSeason(app: Caller, season: object) {
  const { status, body } = await app.post(appUrl('seasons'), { name: 'Spring', ...season })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body as { id: string; startsAt: string; endsAt: string }
}
const boardOf = async (app: Caller, season: string) =>
  (await app.get(appUrl(`leaderboards/mini-game?season=${season}`))).body.leaderboard.map(
    ({ playerScore }: { playerScore: number }) => playerScore,
  )
/** Ends a season now: its end was an hour ago in all that is stored. */
const end = async (id: string) => {
  await sql(
    `update seasons set starts_at = starts_at - interval '2 days', ends_at = clock_timestamp() - interval '1 hour' where id = '${id}'`,
  )
  await sql(
    `update period_boards set starts_at = starts_at - interval '2 days', ends_at = clock_timestamp() - interval '1 hour' where board_key = '${id}'`,
  )
}

describe('a season', () => {
  test('counts the scores written since its start', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [10])
    const past = await makeSeason(app, { startsAt: inHours(-1) })
    expect(await boardOf(app, past.id)).toEqual([10])
    await setScore(app, id, player!.id, 12)
    expect(await boardOf(app, past.id)).toEqual([12])
    expect(await rankOf(app, player!.id, `?season=${past.id}`)).toBe(1)
  })

  test('has an empty board until it starts', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const season = await makeSeason(app, { startsAt: inHours(1) })
    await playSession(given, app, id, [10])
    expect(await boardOf(app, season.id)).toEqual([])
    expect(season).toMatchObject({ state: 'upcoming', endsAt: null, repeat: null, number: 1 })
  })

  test('does not change after its end when scores are written or sessions deleted', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [one, other] = await playSession(given, app, id, [10, 20])
    const season = await makeSeason(app, { startsAt: inHours(-1), endsAt: inHours(1) })
    expect(await boardOf(app, season.id)).toEqual([20, 10])
    await end(season.id)
    await setScore(app, id, one!.id, 99)
    await app.delete(appUrl(`game-sessions/${id}/players/${other!.id}`))
    expect(await boardOf(app, season.id)).toEqual([20, 10])
    await app.delete(appUrl(`game-sessions/${id}`))
    expect(await boardOf(app, season.id)).toEqual([20, 10])
    expect(await rankOf(app, one!.id, `?season=${season.id}`)).toBe(2)
  })

  test('loses a player who is deleted, also after its end', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [one] = await playSession(given, app, id, [10, 20])
    const season = await makeSeason(app, { startsAt: inHours(-1), endsAt: inHours(1) })
    await boardOf(app, season.id)
    await end(season.id)
    await app.delete(appUrl(`players/${one!.id}`))
    expect(await boardOf(app, season.id)).toEqual([20])
  })

  test('that repeats is followed by the next one, at the same local time', async () => {
    const app = await given.app()
    const startsAt = inHours(-1)
    const season = await makeSeason(app, { startsAt, repeat: { every: 'week', timeZone: 'Europe/Berlin' } })
    const { seasons } = (await app.get(appUrl('seasons'))).body
    expect(seasons.map(({ number, state }: { number: number; state: string }) => [number, state])).toEqual([
      [2, 'upcoming'],
      [1, 'running'],
    ])
    expect(seasons[0].startsAt).toBe(season.endsAt)
    const local = (at: string) => new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })
    expect(local(seasons[0].endsAt)).toBe(local(startsAt))
  })

  test('that repeats goes on after a time without the service, with the first score', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const season = await makeSeason(app, { startsAt: inHours(-1), repeat: { every: 'day', timeZone: 'UTC' } })
    for (const table of ['seasons', 'period_boards'])
      await sql(
        `update ${table} set starts_at = starts_at - interval '5 days', ends_at = ends_at - interval '5 days' where app_id = '${app.id}'`,
      )
    await sql(`update seasons set series_starts_at = series_starts_at - interval '5 days' where app_id = '${app.id}'`)
    await playSession(given, app, id, [3])
    const { seasons } = (await app.get(appUrl('seasons'))).body
    const running = seasons.find(({ state }: { state: string }) => state === 'running')
    expect(running.number).toBe(6)
    expect(await boardOf(app, running.id)).toEqual([3])
    expect(await boardOf(app, season.id)).toEqual([])
  })

  test('ends its series with repeat null', async () => {
    const app = await given.app()
    const { id } = await makeSeason(app, { startsAt: inHours(-1), repeat: { every: 'month', timeZone: 'UTC' } })
    expect(await app.patch(appUrl(`seasons/${id}`), { repeat: null })).toMatchObject({
      status: 200,
      body: { repeat: null },
    })
    expect((await app.get(appUrl('seasons'))).body.seasons).toHaveLength(1)
  })

  test('is of the type that is named, and is found by that name', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Hunt')
    await makeSeason(app, { name: 'Of all', startsAt: inHours(-1) })
    const named = await makeSeason(app, { startsAt: inHours(-1), miniGameTypeName: 'hunt' })
    expect(named).toMatchObject({ miniGameTypeId: type.id })
    const { seasons } = (await app.get(appUrl('seasons?miniGameTypeName=HUNT'))).body
    expect(seasons).toMatchObject([{ id: named.id }])
  })

  test('needs no mini game type beside its ID, and refuses another one', async () => {
    const app = await given.app()
    const [hunt, race] = [await makeType(app, 'Hunt'), await makeType(app, 'Race')]
    const season = await makeSeason(app, { startsAt: inHours(-1), miniGameTypeId: hunt.id })
    expect((await app.get(appUrl(`leaderboards/mini-game?season=${season.id}`))).body).toMatchObject({
      miniGameTypeName: 'Hunt',
      period: { seasonId: season.id, window: null },
    })
    for (const other of [`miniGameTypeId=${race.id}`, 'window=day'])
      expect((await app.get(appUrl(`leaderboards/mini-game?season=${season.id}&${other}`))).status).toBe(400)
  })

  test('is exported as CSV with ranks', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    await playSession(given, app, id, [10, 20, 20])
    const season = await makeSeason(app, { startsAt: inHours(-1) })
    await boardOf(app, season.id)
    const { headers, body } = await app.get(appUrl(`seasons/${season.id}/export`))
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = String(body).trim().split('\r\n')
    expect(lines[0]).toBe('ranking,playerId,playerDisplayName,playerScore,gameSessionId,createdAt,updatedAt')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['1', '1', '3'])
  })

  test('is deleted with its board', async () => {
    const app = await given.app()
    const { id } = await makeSeason(app, { startsAt: inHours(-1) })
    expect((await app.delete(appUrl(`seasons/${id}`))).status).toBe(204)
    for (const path of [`seasons/${id}`, `leaderboards/mini-game?season=${id}`])
      expect(await app.get(appUrl(path))).toMatchObject({ status: 404, body: { error: 'Season not found' } })
  })

  test('of another app is unknown', async () => {
    const [app, other] = [await given.app(), await given.app()]
    const { id } = await makeSeason(app, { startsAt: inHours(-1) })
    for (const path of [`seasons/${id}`, `seasons/${id}/export`, `leaderboards/mini-game?season=${id}`])
      expect((await other.get(appUrl(path))).status).toBe(404)
    expect((await other.patch(appUrl(`seasons/${id}`), { name: 'Mine' })).status).toBe(404)
    expect((await other.delete(appUrl(`seasons/${id}`))).status).toBe(404)
  })

  test.each([
    ['before its start', { startsAt: inHours(2), endsAt: inHours(1) }],
    ['at its start', { startsAt: inHours(2), endsAt: inHours(2) }],
    ['in a thousand years', { startsAt: inHours(2), endsAt: inHours(24 * 365_250) }],
    ['in the past', { startsAt: inHours(-2), endsAt: inHours(-1) }],
  ])('cannot end %s', async (_case, season) => {
    const app = await given.app()
    expect(await app.post(appUrl('seasons'), { name: 'Spring', ...season })).toMatchObject({
      status: 400,
      body: { error: [{ path: ['endsAt'] }] },
    })
  })

  test('that repeats cannot begin so long ago that its first would have ended, and the start is named', async () => {
    const app = await given.app()
    const season = { name: 'Daily', startsAt: inHours(-48), repeat: { every: 'day', timeZone: 'UTC' } }
    expect(await app.post(appUrl('seasons'), season)).toMatchObject({
      status: 400,
      body: { error: [{ path: ['startsAt'] }] },
    })
  })

  test.each(['startsAt', 'miniGameTypeId', 'miniGameTypeName'])('cannot change its %s', async (member) => {
    const app = await given.app()
    const { id } = await makeSeason(app, { startsAt: inHours(-1) })
    expect(await app.patch(appUrl(`seasons/${id}`), { name: 'New', [member]: inHours(1) })).toMatchObject({
      status: 400,
      body: { error: [{ path: [member], message: expect.stringContaining('cannot be changed') }] },
    })
    expect((await app.get(appUrl(`seasons/${id}`))).body.name).toBe('Spring')
  })

  test('cannot last longer than until the next one of its series', async () => {
    const app = await given.app()
    const season = { startsAt: inHours(1), endsAt: inHours(30), repeat: { every: 'day', timeZone: 'UTC' } }
    expect((await app.post(appUrl('seasons'), { name: 'Spring', ...season })).status).toBe(400)
  })

  test('of an unknown type is refused with 404, and a fifth at the same time with 409', async () => {
    const app = await given.app()
    const unknown = { name: 'Spring', startsAt: inHours(1), miniGameTypeId: unknownId }
    expect((await app.post(appUrl('seasons'), unknown)).status).toBe(404)
    for (let i = 0; i < 4; i++) await makeSeason(app, { startsAt: inHours(i) })
    const fifth = await app.post(appUrl('seasons'), { name: 'Spring', startsAt: inHours(5) })
    expect(fifth).toMatchObject({ status: 409, body: { error: expect.stringContaining('at most 3 others') } })
  })

  test('cannot be extended over as many others as may overlap', async () => {
    const app = await given.app()
    const first = await makeSeason(app, { startsAt: inHours(1), endsAt: inHours(2) })
    for (let i = 0; i < 4; i++) await makeSeason(app, { startsAt: inHours(3 + i) })
    expect((await app.patch(appUrl(`seasons/${first.id}`), { endsAt: null })).status).toBe(409)
    expect((await app.patch(appUrl(`seasons/${first.id}`), { endsAt: inHours(2.5) })).status).toBe(200)
  })

  test('of a type that is hidden keeps its board', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Hunt')
    const { id } = await makeSession(app, { miniGameTypeId: type.id })
    await playSession(given, app, id, [4])
    const season = await makeSeason(app, { startsAt: inHours(-1), miniGameTypeId: type.id })
    await app.delete(appUrl(`mini-game-types/${type.id}`))
    expect(await boardOf(app, season.id)).toEqual([4])
  })

  test('can be ended early, with notice, and not once it has ended', async () => {
    const app = await given.app()
    const { id } = await makeSeason(app, { startsAt: inHours(-1), endsAt: inHours(9) })
    const soon = inHours(0.01)
    expect(await app.patch(appUrl(`seasons/${id}`), { endsAt: soon, name: 'Short' })).toMatchObject({
      status: 200,
      body: { endsAt: soon, name: 'Short' },
    })
    expect((await app.patch(appUrl(`seasons/${id}`), { endsAt: inHours(0) })).status).toBe(400)
    await end(id)
    expect((await app.patch(appUrl(`seasons/${id}`), { endsAt: inHours(3) })).status).toBe(409)
  })
})
