import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { away, type FenceWorld, fenceWorldOn, fixAt, type Place } from '../../../test/fences/fence-world.ts'
import { eventStreams } from '../../../test/network/event-stream.ts'
import { type Caller, type Service, startSecondService, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

/** Streams are opened at one process, and positions are reported to the other. */
let service: Service
let other: Service
let world: FenceWorld
const { open, closeAll } = eventStreams()
beforeAll(async () => {
  service = await startService()
  other = await startSecondService(service, { CAIRN_ROLE: 'api' })
  world = await fenceWorldOn(service)
})
afterEach(closeAll)
afterAll(async () => {
  await other.stop()
  await service.stop()
})

const WELL = { lat: 48.1, lon: 11.5 }
let places = 0
/** A fence in a place of its own. */
async function newFence(rule: object = {}) {
  const place = away(WELL, 1000 * ++places)
  return { place, ...(await world.circle(place, 20, rule)) }
}
const all = (headers: object = {}) =>
  open(`${other.url}/api/v1/apps/fences/stream`, { ...world.app.headers, ...headers })
const own = ({ headers }: Caller, others: object = {}) =>
  open(`${other.url}/api/v1/apps/positions/stream`, { ...headers, ...others })
const visit = async (player: Caller, place: Place) => {
  const fixes = [fixAt(place, { ago: 20 }), fixAt(away(place, 300), { ago: 10 })]
  const { body } = await player.post('/api/v1/apps/positions', { fixes })
  expect(body.events).toHaveLength(2)
  return body.events as { type: string }[]
}

describe('the stream of fence events', () => {
  test('sends what positions show, in order, with the player, from any process', async () => {
    const { place } = await newFence({ dwellSeconds: 5 })
    const stream = await all()
    const player = await world.player()
    const fixes = [fixAt(place, { ago: 30 }), fixAt(place, { ago: 20 }), fixAt(away(place, 300), { ago: 10 })]
    const { body } = await player.post('/api/v1/apps/positions', { fixes })
    expect(body.events).toHaveLength(3)
    for (const event of body.events)
      expect(await stream.next()).toMatchObject({ event: '', data: { ...event, playerId: player.id } })
  })

  test('sends a client that reconnects what it has missed, once, to any process', async () => {
    const { place } = await newFence()
    const stream = await all()
    const [first, second] = [await world.player(), await world.player()]
    await visit(first, place)
    await stream.next()
    const { id } = await stream.next()
    stream.close()
    const events = await visit(second, place)
    const again = await open(`${service.url}/api/v1/apps/fences/stream`, { ...world.app.headers, 'last-event-id': id })
    const third = await world.player()
    const later = await visit(third, place)
    for (const event of events) expect((await again.next()).data).toEqual({ ...event, playerId: second.id })
    for (const event of later) expect((await again.next()).data).toEqual({ ...event, playerId: third.id })
  })

  test('starts now for an ID that is not one of its own', async () => {
    const { place } = await newFence()
    await visit(await world.player(), place)
    for (const id of ['x', '5:4:', '1:9:4,3', '1:2:5', '0:1:', '9223372036854775808:9223372036854775809:']) {
      const stream = await all({ 'last-event-id': id })
      const player = await world.player()
      await visit(player, place)
      expect((await stream.next()).data).toMatchObject({ playerId: player.id })
      stream.close()
    }
  })

  test('sends nothing of another app', async () => {
    const neighbour = await fenceWorldOn(service)
    const stream = await all()
    const place = away(WELL, 90_000)
    await neighbour.circle(place, 20)
    await visit(await neighbour.player(), place)
    const { place: mine } = await newFence()
    const player = await world.player()
    await visit(player, mine)
    expect((await stream.next()).data).toMatchObject({ playerId: player.id })
  })

  test('stores no events while nobody follows the app', async () => {
    const quiet = await fenceWorldOn(service)
    await quiet.circle(WELL, 20)
    await visit(await quiet.player(), WELL)
    const stored = await sqlOn(service)('select from fence_events where app_id = $1', [quiet.app.id])
    expect(stored).toHaveLength(0)
  })

  test('is open to a member, and ends when the user is no longer one', async () => {
    const member = await buildersOn(service).user()
    const membership = `/api/v1/apps/${world.app.id}/members`
    await world.owner.post(membership, { userId: member.id, role: 'viewer' })
    const headers = { ...member.headers, 'x-app-id': world.app.id }
    const stream = await open(`${other.url}/api/v1/apps/fences/stream`, headers as Record<string, string>)
    const { place } = await newFence()
    const player = await world.player()
    await visit(player, place)
    expect((await stream.next()).data).toMatchObject({ playerId: player.id })
    expect((await world.owner.delete(`${membership}/${member.id}`)).status).toBe(204)
    await stream.ended
  })

  test('is closed to players and to client keys', async () => {
    const player = await world.player()
    for (const { headers } of [player, world.game])
      expect((await open(`${other.url}/api/v1/apps/fences/stream`, headers as Record<string, string>)).status).toBe(403)
  })
})

describe('the stream of a player', () => {
  test('sends the events of this player alone, also those missed', async () => {
    const { place } = await newFence()
    const [player, stranger] = [await world.player(), await world.player()]
    const stream = await own(player)
    await visit(stranger, place)
    const events = await visit(player, place)
    for (const event of events.slice(0, 1))
      expect((await stream.next()).data).toEqual({ ...event, playerId: player.id })
    const { id } = await stream.next()
    stream.close()
    const next = await newFence()
    await visit(stranger, next.place)
    const { body } = await player.post('/api/v1/apps/positions', { fixes: [fixAt(next.place)] })
    const again = await own(player, { 'last-event-id': id })
    expect((await again.next()).data).toEqual({ ...body.events[0], playerId: player.id })
  })

  test('ends when the token stops working', async () => {
    const player = await world.player()
    const stream = await own(player)
    expect(stream.status).toBe(200)
    await world.app.delete(`/api/v1/apps/players/${player.id}`)
    await stream.ended
  })

  test('is gone with the player: nothing is kept', async () => {
    const { place } = await newFence()
    await all()
    const player = await world.player()
    await visit(player, place)
    const kept = () => sqlOn(service)('select from fence_events where player_id = $1', [player.id])
    expect(await kept()).toHaveLength(2)
    await world.app.delete(`/api/v1/apps/players/${player.id}`)
    expect(await kept()).toHaveLength(0)
  })
})
