import { afterAll, beforeAll, expect, test } from 'vitest'
import { away, type FenceWorld, fenceWorldOn, fixAt } from '../../test/fences/fence-world.ts'
import { type Receiver, startReceiver } from '../../test/network/receiver.ts'
import { type Service, startService } from '../../test/service.ts'

let receiver: Receiver
let service: Service
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

let world: FenceWorld
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host })

  world = await fenceWorldOn(service)
  const eventTypes = ['fence.entered', 'fence.exited', 'fence.dwelled', 'check_in.accepted', 'check_in.held']
  await world.owner.post(`/api/v1/apps/${world.app.id}/webhooks`, { url: receiver.url, eventTypes })
})

const WELL = { lat: 48.1, lon: 11.5 }
const next = (type: string, playerId: string) =>
  receiver.next((one) => one.type === type && one.data.playerId === playerId)

test('webhooks get what positions have shown at every fence, in order and without coordinates', async () => {
  const fence = await world.circle(WELL, 20, { dwellSeconds: 10 })
  const player = await world.player()
  const fixes = [fixAt(WELL, { ago: 60 }), fixAt(WELL, { ago: 40 }), fixAt(away(WELL, 100), { ago: 20 })]
  const { body } = await player.post('/api/v1/apps/positions', { fixes })
  await next('fence.exited', player.id)
  const received = receiver.received.filter(({ data }) => data.playerId === player.id)
  expect(received.map(({ type }) => type)).toEqual(['fence.entered', 'fence.dwelled', 'fence.exited'])
  const expected = body.events.map(({ type: _type, ...event }: { type: string }) => ({ playerId: player.id, ...event }))
  expect(received.map(({ data }) => data)).toEqual(expected)
  expect(expected[0]).toEqual({
    ...{ playerId: player.id, fenceId: fence.id, name: 'Well', zoneId: null, pinId: fence.pinId },
    at: fixes[0]!.at,
    doubts: [],
  })
})

test('webhooks get a check-in as GET returns it', async () => {
  const place = away(WELL, 1000)
  const fence = await world.circle(place, 20, { checkIn: { award: { points: 4 } } })
  const player = await world.player()
  const { body } = await player.post('/api/v1/apps/check-ins', { fenceId: fence.id, fix: fixAt(place) })
  const event = await next('check_in.accepted', player.id)
  expect(event!.data).toEqual((await world.app.get(`/api/v1/apps/check-ins/${body.id}`)).body)
})
