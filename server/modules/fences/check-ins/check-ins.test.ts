import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { away, type FenceWorld, fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
afterAll(() => service.stop())

let world: FenceWorld
beforeAll(async () => {
  service = await startService()

  world = await fenceWorldOn(service)
})

let metres = 0
/** A place of its own for each test. */
const somewhere = () => {
  metres += 500
  return away({ lat: 48.1, lon: 11.5 }, metres)
}
const checkIn = (player: Caller, fenceId: string, fix: object) =>
  player.post('/api/v1/apps/check-ins', { fenceId, fix })

test('an accepted check-in adds its points to the score of the player', async () => {
  const [one, two] = [somewhere(), somewhere()]
  const rule = { award: { points: 10 } }
  const [first, second] = [
    await world.circle(one, 20, { checkIn: rule }),
    await world.circle(two, 20, { checkIn: rule }),
  ]
  const player = await world.player()
  expect((await checkIn(player, first.id, fixAt(one, { ago: 100 }))).body).toMatchObject({
    state: 'accepted',
    reason: null,
    awards: [{ miniGameTypeId: null, points: 10, score: 10 }],
  })
  expect((await checkIn(player, second.id, fixAt(two))).body.awards).toMatchObject([{ points: 10, score: 20 }])
  const { body } = await world.app.get(`/api/v1/apps/players/${player.id}/global-ranking`)
  expect(body).toMatchObject({ highestScore: 20 })
})

test('the same position again gets the same answer, and no points', async () => {
  const place = somewhere()
  const fence = await world.circle(place, 20, { checkIn: { award: { points: 1 } } })
  const player = await world.player()
  const fix = fixAt(place)
  const answers = await Promise.all(Array.from({ length: 5 }, () => checkIn(player, fence.id, fix)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(answers[0]!.body.awards).toMatchObject([{ score: 1 }])
})

test('of many check-ins at one fence at the same time, one is accepted', async () => {
  const place = somewhere()
  const fence = await world.circle(place, 20, { checkIn: { award: { points: 3 } } })
  const player = await world.player()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => checkIn(player, fence.id, fixAt(place, { ago: 10 + i }))),
  )
  const states = answers.map(({ body }) => body.reason ?? body.state)
  expect(states.toSorted()).toEqual(['accepted', ...Array(7).fill('already')])
})

test.each([
  ['accuracy', {}, { accuracy: 60 }],
  ['old_fix', {}, { ago: 310 }],
  [
    'closed',
    {
      within: [
        {
          from: '00:00',
          to: '00:01',
          days: [['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(new Date().getUTCDay() + 3) % 7]],
        },
      ],
    },
    {},
  ],
])('a check-in is refused with the reason %s, and leaves nothing', async (reason, rule, fix) => {
  const place = somewhere()
  const fence = await world.circle(place, 20, { checkIn: rule })
  const answer = await checkIn(await world.player(), fence.id, fixAt(place, fix))
  expect(answer.body).toMatchObject({ state: 'refused', reason, id: null, message: expect.any(String), awards: [] })
  expect((await world.app.get(`/api/v1/apps/check-ins?fenceId=${fence.id}`)).body.checkIns).toEqual([])
})

test('a check-in from outside by more than the accuracy is refused', async () => {
  const place = somewhere()
  const fence = await world.circle(place, 20, { checkIn: {} })
  const player = await world.player()
  expect((await checkIn(player, fence.id, fixAt(away(place, 32), { accuracy: 10 }))).body.reason).toBe('outside')
  expect((await checkIn(player, fence.id, fixAt(away(place, 28), { accuracy: 10 }))).body.state).toBe('accepted')
})

test('a fence without a rule accepts no check-ins', async () => {
  const place = somewhere()
  const fence = await world.circle(place, 20)
  expect((await checkIn(await world.player(), fence.id, fixAt(place))).body.reason).toBe('no_check_ins')
})

test('a player who jumps is refused, also after having reported the far place', async () => {
  const place = somewhere()
  const far = away(place, 100_000)
  const fence = await world.circle(far, 20, { checkIn: {} })
  const player = await world.player()
  await player.post('/api/v1/apps/positions', { fixes: [fixAt(place, { ago: 60 })] })
  await player.post('/api/v1/apps/positions', { fixes: [fixAt(far, { ago: 50 })] })
  expect((await checkIn(player, fence.id, fixAt(far))).body).toMatchObject({ state: 'refused', reason: 'speed' })
})

test('of check-ins at places far apart at the same time, one is plausible', async () => {
  for (let round = 0; round < 5; round++) {
    const place = somewhere()
    const far = away(place, 100_000)
    const fences = [await world.circle(place, 20, { checkIn: {} }), await world.circle(far, 20, { checkIn: {} })]
    const player = await world.player()
    const answers = await Promise.all(
      [place, far].map((there, i) => checkIn(player, fences[i]!.id, fixAt(there, { ago: i }))),
    )
    expect(answers.map(({ body }) => body.reason ?? body.state).toSorted()).toEqual(['accepted', 'speed'])
  }
})

test('a jump is judged by when its fixes were received, whatever times they claim', async () => {
  const place = somewhere()
  const [far, near] = [away(place, 18_000, 0), away(place, 3000, 180)]
  const fences = [await world.circle(far, 20, { checkIn: {} }), await world.circle(near, 20, { checkIn: {} })]
  const player = await world.player()
  await player.post('/api/v1/apps/positions', { fixes: [fixAt(place, { ago: 299 })] })
  const jump = fixAt(far, { ago: -55 })
  expect((await checkIn(player, fences[0]!.id, jump)).body).toMatchObject({ state: 'refused', reason: 'speed' })
  expect((await checkIn(player, fences[1]!.id, fixAt(near))).body.state).toBe('accepted')
})

test('a jump in steps, sent together, is no farther than one', async () => {
  const place = somewhere()
  const at = (km: number) => away(place, km * 1000, 0)
  const fence = await world.circle(at(12), 20, { checkIn: {} })
  const player = await world.player()
  await player.post('/api/v1/apps/positions', { fixes: [fixAt(place, { ago: 299 })] })
  const steps = [3, 6, 9, 12].map((km) => fixAt(at(km), { ago: 260 - 20 * km }))
  await player.post('/api/v1/apps/positions', { fixes: steps })
  expect((await checkIn(player, fence.id, fixAt(at(12)))).body).toMatchObject({ state: 'refused', reason: 'speed' })
})

test('a rule with a cooldown says from when the next check-in is possible', async () => {
  const place = somewhere()
  const fence = await world.circle(place, 20, { checkIn: { once: 60 } })
  const player = await world.player()
  await checkIn(player, fence.id, fixAt(place, { ago: 5 }))
  const { body } = await checkIn(player, fence.id, fixAt(place))
  expect(body.reason).toBe('already')
  expect(Date.parse(body.nextAt) - Date.now()).toBeGreaterThan(50_000)
})

test('a mocked position is held, scores nothing, and counts once it is accepted', async () => {
  const place = somewhere()
  const fence = await world.circle(place, 20, { checkIn: { award: { points: 5 } } })
  const player = await world.player()
  const { body: held } = await checkIn(player, fence.id, fixAt(place, { mocked: true }))
  expect(held).toMatchObject({ state: 'held', reason: 'mocked', awards: [] })
  const path = `/api/v1/apps/check-ins/${held.id}`
  expect((await checkIn(player, fence.id, fixAt(place))).body.reason).toBe('pending')
  const reviews = await Promise.all(
    [1, 2, 3].map(() => world.app.post(`${path}/review`, { decision: 'accept', note: 'Met them' })),
  )
  expect(reviews.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect((await world.app.get(path)).body).toMatchObject({
    state: 'accepted',
    note: 'Met them',
    awards: [{ score: 5 }],
  })
})

test('a fix that three other players have sent is held', async () => {
  const place = somewhere()
  const fence = await world.circle(place, 20, { checkIn: {} })
  const states: string[] = []
  for (let i = 0; i < 4; i++)
    states.push((await checkIn(await world.player(), fence.id, fixAt(place, { ago: i }))).body.reason ?? 'accepted')
  expect(states).toEqual(['accepted', 'accepted', 'accepted', 'shared_fix'])
})

test('an award that leaves the bounds of its type is refused, and nothing is written', async () => {
  const { body: type } = await world.app.post('/api/v1/apps/mini-game-types', { name: 'Bounded', maxScore: 7 })
  const place = somewhere()
  const fence = await world.circle(place, 20, { checkIn: { award: { points: 8, miniGameTypeId: type.id } } })
  const answer = await checkIn(await world.player(), fence.id, fixAt(place))
  expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('bounds') } })
  expect((await world.app.get(`/api/v1/apps/check-ins?fenceId=${fence.id}`)).body.checkIns).toEqual([])
})

test('negative points are taken off the score', async () => {
  const [one, two] = [somewhere(), somewhere()]
  const player = await world.player()
  for (const [place, points, score] of [
    [one, 10, 10],
    [two, -4, 6],
  ] as const) {
    const { id } = await world.circle(place, 20, { checkIn: { award: { points } } })
    expect((await checkIn(player, id, fixAt(place, { ago: points > 0 ? 60 : 0 }))).body.awards).toMatchObject([
      { points, score },
    ])
  }
  const { body } = await world.app.get(`/api/v1/apps/players/${player.id}/global-ranking`)
  expect(body.highestScore).toBe(6)
})

test('points cannot be awarded in a type where less is better', async () => {
  const { body: type } = await world.app.post('/api/v1/apps/mini-game-types', { name: 'Race', sortOrder: 'asc' })
  const place = somewhere()
  await expect(world.circle(place, 20, { checkIn: { award: { points: 8, miniGameTypeId: type.id } } })).rejects.toThrow(
    '400',
  )
})

test('the fence of another app is not found', async () => {
  const place = somewhere()
  const other = await fenceWorldOn(service)
  const fence = await other.circle(place, 20, { checkIn: {} })
  expect((await checkIn(await world.player(), fence.id, fixAt(place))).status).toBe(404)
})

test('a rule whose once is another word is refused, and says what it takes', async () => {
  const rule = { name: 'Well', pinId: 1, radius: 20, checkIn: { once: 'week' } }
  const { status, body } = await world.app.post('/api/v1/apps/fences', rule)
  expect(status).toBe(400)
  expect(body.error).toMatchObject([{ path: ['checkIn', 'once'], message: expect.stringContaining('"ever", "day"') }])
})

test('the token of a banned player checks in nowhere and reports no positions', async () => {
  const player = await world.player()
  const place = somewhere()
  const { id: fenceId } = await world.circle(place, 20, { checkIn: {} })
  expect((await world.app.patch(`/api/v1/apps/players/${player.id}`, { standing: 'banned' })).status).toBe(200)
  const refused = { status: 403, body: { error: 'This player is banned' } }
  expect(await checkIn(player, fenceId, fixAt(place))).toMatchObject(refused)
  expect(await player.post('/api/v1/apps/positions', { fixes: [fixAt(place)] })).toMatchObject(refused)
})

test('a check-in that is under way when the player is banned is 403, too', async () => {
  const player = await world.player()
  const place = somewhere()
  const { id: fenceId } = await world.circle(place, 20, { checkIn: {} })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query("update players set standing = 'banned' where id = $1", [player.id])
  const answer = checkIn(player, fenceId, fixAt(place))
  await vi.waitFor(async () => {
    const { rows } = await client.query("select from pg_stat_activity where wait_event_type = 'Lock'")
    expect(rows.length).toBeGreaterThan(0)
  })
  await client.query('commit')
  await client.end()
  expect(await answer).toMatchObject({ status: 403, body: { error: 'This player is banned' } })
})
