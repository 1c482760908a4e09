import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { away, type FenceWorld, fenceWorldOn, fixAt } from '../../../../test/fences/fence-world.ts'
import { type Service, startService } from '../../../../test/service.ts'
import { type Sql, sqlOn } from '../../../../test/sql.ts'

const HERE = { lat: 50, lon: 8 }
const counts = '/api/v1/apps/check-ins/counts'

let service: Service
let world: FenceWorld
let sql: Sql
beforeAll(async () => {
  service = await startService()
  world = await fenceWorldOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const read = async (query = '', app: FenceWorld['app'] = world.app) => {
  const { status, body } = await app.get(`${counts}${query}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}
/** Accepted check-ins of a player at a fence, one a minute before a time. */
const past = (fenceId: string, playerId: string, n: number, before: string) =>
  sql(`insert into check_ins (app_id, id, fence_id, player_id, state, fix_at, created_at)
       select '${world.app.id}', gen_random_uuid(), '${fenceId}', '${playerId}', 'accepted', t, t
         from (select timestamptz '${before}' - make_interval(mins => i) as t from generate_series(1, ${n}) i) x`)

describe('counts of check-ins', () => {
  test('are exact for each fence, with its pin or zone and its players, and those with most come first', async () => {
    const well = await world.circle(HERE, 100, { checkIn: {}, name: 'Well' })
    const ring = [0, 90, 180, 270, 0].map((angle) => {
      const { lat, lon } = away(HERE, 200, -angle)
      return [lon, lat] as [number, number]
    })
    const park = await world.area(ring, { checkIn: {}, name: 'Park' })
    await world.circle(HERE, 5, { name: 'Never visited' })
    const players = [await world.player(), await world.player(), await world.player()]
    for (const [i, player] of players.entries())
      for (const fence of i === 0 ? [well, park] : [well]) {
        const fix = fixAt(away(HERE, 1 + i))
        const { body } = await player.post('/api/v1/apps/check-ins', { fenceId: fence.id, fix })
        expect(body.state).toBe('accepted')
      }
    const mocked = await world.player()
    const held = await mocked.post('/api/v1/apps/check-ins', { fenceId: well.id, fix: fixAt(HERE, { mocked: true }) })
    expect(held.body.state).toBe('held')
    await past(park.id, players[1]!.id, 12_000, '2020-06-01T00:00:00Z')

    expect(await read()).toMatchObject({
      total: 4,
      fenceCount: 2,
      fences: [
        { fenceId: well.id, name: 'Well', pinId: well.pinId, zoneId: null, checkIns: 3, players: 3 },
        { fenceId: park.id, name: 'Park', pinId: null, zoneId: park.zoneId, checkIns: 1, players: 1 },
      ],
    })
    // More than a list of check-ins counts.
    const year = '?from=2020-01-01T00:00:00Z&to=2020-12-31T00:00:00Z'
    expect(await read(year)).toMatchObject({
      ...{ from: '2020-01-01T00:00:00.000Z', to: '2020-12-31T00:00:00.000Z', total: 12_000, fenceCount: 1 },
      fences: [{ fenceId: park.id, checkIns: 12_000, players: 1 }],
    })
    expect(await read('?limit=1')).toMatchObject({ total: 4, fenceCount: 2, fences: [{ fenceId: well.id }] })
  })

  test('begin with `from` and end before `to`', async () => {
    const fence = await world.circle(HERE, 5)
    const player = await world.player()
    await past(fence.id, player.id, 10, '2019-06-01T00:00:00Z')
    const total = async (from: string, to: string) => (await read(`?from=${from}&to=${to}`)).total
    expect(await total('2019-05-31T23:55:00Z', '2019-05-31T23:57:00Z')).toBe(2)
    expect(await total('2019-05-31T23:55:00Z', '2019-05-31T23:55:00Z')).toBe(0)
  })

  test('of more than 366 days, of a time that ends before it begins, or of a time before 1970, are 400', async () => {
    const queries = ['?from=2020-01-01T00:00:00Z&to=2021-01-02T00:00:00Z', '?from=2999-01-01T00:00:00Z']
    for (const query of [
      ...queries,
      '?to=0001-06-01T00:00:00Z',
      '?from=1969-06-01T00:00:00Z&to=1969-07-01T00:00:00Z',
    ]) {
      const { status, body } = await world.app.get(`${counts}${query}`)
      expect([status, body.error[0].path]).toEqual([400, ['from']])
    }
  })

  test('have nothing of another app, and a client key does not read them', async () => {
    const { app } = await fenceWorldOn(service)
    expect(await read('', app)).toMatchObject({ total: 0, fenceCount: 0, fences: [] })
    expect((await world.game.get(counts)).status).toBe(403)
  })
})
