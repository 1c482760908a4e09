import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { away, type FenceWorld, fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { eventStreams } from '../../../test/network/event-stream.ts'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { type Caller, type Service, startSecondService, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

let receiver: Receiver
let service: Service
let other: Service
let world: FenceWorld
const { open, closeAll } = eventStreams()
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host })
  other = await startSecondService(service, { CAIRN_WEBHOOK_HOSTS: receiver.host })
  world = await fenceWorldOn(service)
})
afterEach(closeAll)
afterAll(async () => {
  await other.stop()
  await service.stop()
  await receiver.stop()
})

let places = 0
const somewhere = () => away({ lat: 48.1, lon: 11.5 }, 2000 * ++places)
const report = (player: Caller, ...fixes: object[]) => player.post('/api/v1/apps/positions', { fixes })
type Answer = { body: { events: { type: string; doubts: string[] }[] } }
const doubtsOf = ({ body }: Answer) => body.events.map(({ type, doubts }) => `${type} ${doubts.join(' ')}`.trim())

test('a walk without doubt reports events without doubts, also by late fixes', async () => {
  const place = somewhere()
  await world.circle(place, 20, { dwellSeconds: 20 })
  const player = await world.player()
  const at = (metres: number, ago: number) => fixAt(away(place, metres), { ago })
  expect(doubtsOf(await report(player, at(-60, 100), at(0, 60), at(0, 30), at(60, 10)))).toEqual([
    'enter',
    'dwell',
    'exit',
  ])
  const near = away(place, 200)
  await world.circle(near, 20)
  expect(doubtsOf(await report(player, fixAt(near, { ago: 200 })))).toEqual(['enter', 'exit'])
})

test('events of a mocked position carry mocked, until the player enters again', async () => {
  const place = somewhere()
  await world.circle(place, 20, { dwellSeconds: 10 })
  const player = await world.player()
  const fixes = [
    fixAt(place, { ago: 80, mocked: true }),
    fixAt(place, { ago: 60 }),
    fixAt(away(place, 100), { ago: 50 }),
    fixAt(place, { ago: 30 }),
  ]
  expect(doubtsOf(await report(player, ...fixes))).toEqual(['enter mocked', 'dwell mocked', 'exit mocked', 'enter'])
})

test('a fence whose rule allows mocked positions has no doubt about them', async () => {
  const place = somewhere()
  await world.circle(place, 20, { checkIn: { allowMocked: true } })
  expect(doubtsOf(await report(await world.player(), fixAt(place, { mocked: true })))).toEqual(['enter'])
})

test('a jump carries speed, whichever process gets the fixes, and a fence with a rule sets the limit', async () => {
  const place = somewhere()
  const [far, near] = [away(place, 100_000, 0), away(place, 300, 180)]
  await world.circle(far, 20)
  await world.circle(near, 20, { checkIn: { maxSpeed: 5 } })
  await world.circle(place, 20)
  const player = await world.player()
  const elsewhere = other.as(player.headers)
  expect(doubtsOf(await report(player, fixAt(place, { ago: 100 })))).toEqual(['enter'])
  expect(doubtsOf(await report(elsewhere, fixAt(far, { ago: 60 })))).toEqual(['exit speed', 'enter speed'])
  // Back where it was plausible: nothing speaks against it but the stay that is left.
  expect(doubtsOf(await report(player, fixAt(place, { ago: 50 })))).toEqual(['exit speed', 'enter'])
  expect(doubtsOf(await report(elsewhere, fixAt(near, { ago: 20 })))).toEqual(['exit', 'enter speed'])
})

test('webhooks and streams carry the doubts', async () => {
  const place = somewhere()
  await world.circle(place, 20)
  await world.owner.post(`/api/v1/apps/${world.app.id}/webhooks`, { url: receiver.url, eventTypes: ['fence.entered'] })
  const stream = await open(`${other.url}/api/v1/apps/fences/stream`, world.app.headers as Record<string, string>)
  const player = await world.player()
  await report(player, fixAt(place, { mocked: true }))
  const event = await receiver.next(({ data }) => data.playerId === player.id)
  expect(event!.data).toMatchObject({ doubts: ['mocked'] })
  expect(await stream.next()).toMatchObject({ data: { type: 'enter', playerId: player.id, doubts: ['mocked'] } })
})

test('of players who enter with one position at the same moment, through two processes, at most three have no doubt', async () => {
  const place = somewhere()
  await world.circle(place, 20)
  const players = await Promise.all(Array.from({ length: 8 }, () => world.player()))
  const fix = fixAt(place)
  const answers = await Promise.all(
    players.map(({ headers }, i) => report([service, other][i % 2]!.as(headers), fix) as Promise<Answer>),
  )
  const doubts = answers.flatMap(doubtsOf)
  expect(doubts.filter((one) => one === 'enter').length).toBeLessThanOrEqual(3)
  expect(new Set(doubts)).toContain('enter shared_fix')
  expect(doubtsOf(await report(await world.player(), fix))).toEqual(['enter shared_fix'])
  expect(doubtsOf(await report(await world.player(), fixAt(away(place, 1))))).toEqual(['enter'])
})

test('a position that others have sent more than an hour ago is not shared', async () => {
  const place = somewhere()
  await world.circle(place, 20)
  for (let i = 0; i < 3; i++) await report(await world.player(), fixAt(place))
  await sqlOn(service)("update entering_fixes set at = at - interval '61 minutes' where app_id = $1", [world.app.id])
  expect(doubtsOf(await report(await world.player(), fixAt(place)))).toEqual(['enter'])
})
