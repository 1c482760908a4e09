import { afterAll, beforeAll, expect, test } from 'vitest'
import { away, type FenceWorld, fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

let service: Service
afterAll(() => service.stop())
let world: FenceWorld
beforeAll(async () => {
  service = await startService()

  world = await fenceWorldOn(service)
})

const path = '/api/v1/apps/fences/simulate'
const WELL = { lat: 48.1, lon: 11.5 }
let places = 0
const somewhere = () => away(WELL, 1000 * ++places)

test('a walk shows the events and the accepted check-in that a player would get, and writes nothing', async () => {
  const place = somewhere()
  const fence = await world.circle(place, 20, { dwellSeconds: 30, checkIn: { award: { points: 7 } } })
  const fixes = [100, 0, 0, 100].map((metres, i) => fixAt(away(place, metres), { ago: 200 - 40 * i }))
  const { status, body } = await world.app.post(path, { fixes })
  const player = await world.player()
  const real = await player.post('/api/v1/apps/positions', { fixes })
  expect(status).toBe(200)
  expect(body).toEqual({
    events: real.body.events,
    checkIns: [
      {
        ...{ fenceId: fence.id, name: 'Well', at: fixes[1]!.at, state: 'accepted', reason: null },
        ...{ message: null, points: 7 },
      },
    ],
    isCut: false,
  })
  expect(body.events.map(({ type }: { type: string }) => type)).toEqual(['enter', 'dwell', 'exit'])
  const [{ count }] = (await sqlOn(service)(
    'select count(*)::int from (select app_id from player_positions union all select app_id from check_ins) x where app_id = $1',
    [world.app.id],
  )) as [{ count: number }]
  expect(count).toBe(1)
})

test('a check-in is judged again when its outcome changes, until it is accepted', async () => {
  const place = somewhere()
  await world.circle(place, 20, { checkIn: {} })
  const fixes = [
    fixAt(away(place, 20_000), { ago: 100 }),
    // Too far for the time, then uncertain, then good.
    fixAt(place, { ago: 90 }),
    fixAt(place, { ago: 80, accuracy: 80 }),
    fixAt(place, { ago: 70, accuracy: 80 }),
    fixAt(place, { ago: -400 }),
    fixAt(place, { ago: -500, mocked: true }),
  ]
  const { body } = await world.app.post(path, { fixes })
  expect(body.checkIns).toMatchObject([
    { state: 'refused', reason: 'speed', message: expect.stringContaining('too fast'), points: null },
    { state: 'refused', reason: 'accuracy' },
    { state: 'accepted', reason: null, at: fixes[4]!.at },
  ])
})

test('opening hours are those at the times of the walk', async () => {
  const place = somewhere()
  await world.circle(place, 20, { checkIn: { within: [{ from: '10:00', to: '11:00' }] } })
  const at = (time: string) => ({ ...fixAt(place), at: `2031-05-04T${time}:00.000Z` })
  const { body } = await world.app.post(path, { fixes: [at('09:58'), at('10:02')] })
  expect(body.checkIns).toMatchObject([{ reason: 'closed' }, { state: 'accepted' }])
})

test('a viewer of the app may simulate, and a player may not', async () => {
  const fixes = [fixAt(WELL)]
  expect((await (await world.player()).post(path, { fixes })).status).toBe(403)
  expect((await world.game.post(path, { fixes })).status).toBe(403)
  const member = service.as({ ...world.owner.headers, 'x-app-id': world.app.id } as Record<string, string>)
  expect((await member.post(path, { fixes })).body).toEqual({ events: [], checkIns: [], isCut: false })
})
