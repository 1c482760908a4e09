import { afterAll, beforeAll, expect, test } from 'vitest'
import { away, type FenceWorld, fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
afterAll(() => service.stop())

let world: FenceWorld
beforeAll(async () => {
  service = await startService()

  world = await fenceWorldOn(service)
})

const WELL = { lat: 48.1, lon: 11.5 }
const report = (player: Caller, ...fixes: object[]) => player.post('/api/v1/apps/positions', { fixes })
const types = (answer: { body: { events: { type: string }[] } }) => answer.body.events.map(({ type }) => type)

test('a player who walks through a fence enters, dwells and leaves, each once', async () => {
  const fence = await world.circle(away(WELL, 1000), 20, { dwellSeconds: 30 })
  const at = (metres: number, ago: number) => fixAt(away(WELL, 1000 + metres), { ago })
  const player = await world.player()
  const answer = await report(player, at(-60, 100), at(-15, 90), at(0, 80), at(10, 55), at(15, 50), at(60, 40))
  expect(answer.status).toBe(200)
  expect(answer.body.events).toMatchObject([
    { type: 'enter', fenceId: fence.id, pinId: fence.pinId, zoneId: null, name: 'Well' },
    { type: 'dwell' },
    { type: 'exit' },
  ])
  const [enter, dwell] = answer.body.events.map((event: { at: string }) => Date.parse(event.at))
  expect(dwell - enter).toBe(30_000)
})

test('a fix that is less accurate than the fence counts does not enter it', async () => {
  const place = away(WELL, 2000)
  await world.circle(place, 20, { maxAccuracy: 30 })
  expect(types(await report(await world.player(), fixAt(place, { accuracy: 31 })))).toEqual([])
})

test('a player does not leave with a fix that may still be inside by its accuracy', async () => {
  const place = away(WELL, 3000)
  await world.circle(place, 20)
  const player = await world.player()
  await report(player, fixAt(place, { ago: 60 }))
  expect(types(await report(player, fixAt(away(place, 40), { ago: 50, accuracy: 25 })))).toEqual([])
  expect(types(await report(player, fixAt(away(place, 40), { ago: 40, accuracy: 15 })))).toEqual(['exit'])
})

test('a zone is a fence, and its hysteresis is the distance to its nearest side', async () => {
  const [west, south] = [11.6, 48.2]
  const east = away({ lat: south, lon: west }, 100).lon
  const north = away({ lat: south, lon: west }, 100, 0).lat
  const fence = await world.area([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ])
  const middle = away({ lat: south, lon: east }, 50, 0)
  const player = await world.player()
  const answer = await report(
    player,
    fixAt(away(middle, 10), { ago: 60, accuracy: 5 }),
    fixAt(away(middle, -10), { ago: 50, accuracy: 5 }),
    fixAt(away(middle, 10), { ago: 40, accuracy: 11 }),
    fixAt(away(middle, 10), { ago: 30, accuracy: 9 }),
  )
  expect(answer.body.events).toMatchObject([
    { type: 'enter', fenceId: fence.id, zoneId: fence.zoneId, pinId: null },
    { type: 'exit', fenceId: fence.id },
  ])
})

test('the same fixes again change nothing', async () => {
  const place = away(WELL, 4000)
  await world.circle(place, 20)
  const player = await world.player()
  const fixes = [fixAt(place, { ago: 20 }), fixAt(away(place, 5), { ago: 10 })]
  expect(types(await report(player, ...fixes))).toEqual(['enter'])
  const again = await report(player, ...fixes)
  expect(again.body).toEqual({ events: [], ignored: [{ index: 1, reason: 'duplicate' }] })
})

test('a late fix reports a stay that no other has shown, once', async () => {
  const place = away(WELL, 5000)
  await world.circle(place, 20)
  const player = await world.player()
  await report(player, fixAt(away(place, 100), { ago: 10 }))
  const late = fixAt(place, { ago: 100 })
  expect(types(await report(player, late))).toEqual(['enter', 'exit'])
  expect(types(await report(player, late))).toEqual([])
})

test('a fix more than 5 minutes older than the newest is ignored', async () => {
  const player = await world.player()
  await report(player, fixAt(WELL))
  expect((await report(player, fixAt(WELL, { ago: 301 }))).body.ignored).toEqual([{ index: 0, reason: 'too_old' }])
})

test('fixes more than 60 seconds in the future are refused, and all of them are named', async () => {
  const ahead = fixAt(WELL, { ago: -90 })
  const answer = await report(await world.player(), fixAt(WELL), ahead, fixAt(WELL, { ago: 10 }), ahead)
  const error = [1, 3].map((i) => ({ code: 'clock_ahead', path: ['fixes', i, 'at'] }))
  expect(answer).toMatchObject({ status: 400, body: { error } })
})

test('a fence that has moved with its pin is entered at its new place, at once', async () => {
  const [before, after] = [away(WELL, 6000), away(WELL, 6500)]
  const fence = await world.circle(before, 20)
  await report(await world.player(), fixAt(before))
  const moved = { title: 'Well', contentType: 'GLB', latitude: after.lat, longitude: after.lon }
  expect((await world.owner.put(`/api/location/pins/${fence.pinId}`, moved)).status).toBe(200)
  expect(types(await report(await world.player(), fixAt(before)))).toEqual([])
  expect(types(await report(await world.player(), fixAt(after)))).toEqual(['enter'])
})

test('a server key without a player token reports no positions', async () => {
  expect((await report(world.app, fixAt(WELL))).status).toBe(403)
  expect((await report(world.game, fixAt(WELL))).status).toBe(403)
})
