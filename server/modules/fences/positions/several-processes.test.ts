import { afterAll, beforeAll, expect, test } from 'vitest'
import { away, fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { type Service, startSecondService, startService } from '../../../test/service.ts'

let first: Service
let second: Service
beforeAll(async () => {
  first = await startService()
  second = await startSecondService(first)
})
afterAll(async () => {
  await second.stop()
  await first.stop()
})

const WELL = { lat: 48.1, lon: 11.5 }

test('a fence that one process creates is entered at the other at once', async () => {
  const world = await fenceWorldOn(first)
  for (let i = 0; i < 5; i++) {
    const place = away(WELL, 1000 * i)
    const fence = await world.circle(place, 20)
    const player = second.as((await world.player()).headers)
    const { body } = await player.post('/api/v1/apps/positions', { fixes: [fixAt(place)] })
    expect(body.events).toMatchObject([{ type: 'enter', fenceId: fence.id }])
  }
})

test('reports each event once when many devices send one walk to two processes, in 300 rounds', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const world = await fenceWorldOn(first)
  const places = [0, 1, 2, 3].map((i) => away(WELL, 50_000 + 100 * i))
  const fences = []
  for (const place of places) fences.push((await world.circle(place, 20)).id)
  const walk = places.map((place, i) => fixAt(place, { ago: 100 - 10 * i }))
  const expected = [...fences.map((id) => `enter ${id}`), ...fences.slice(0, -1).map((id) => `exit ${id}`)].toSorted()
  for (let round = 0; round < 15; round++) {
    const players = await Promise.all(Array.from({ length: 20 }, () => world.player()))
    const reported = await Promise.all(
      players.map(async (player) => {
        const { headers } = player
        await player.post('/api/v1/apps/positions', { fixes: [fixAt(away(WELL, 40_000), { ago: 200 })] })
        const answers = await Promise.all(
          Array.from({ length: 16 }, (_, i) =>
            [first, second]
              [i % 2]!.as(headers)
              .post('/api/v1/apps/positions', { fixes: i % 3 ? walk : walk.toReversed() }),
          ),
        )
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
        return answers.flatMap(({ body }) => body.events as { type: string; fenceId: string }[])
      }),
    )
    for (const events of reported)
      expect(events.map(({ type, fenceId }) => `${type} ${fenceId}`).toSorted()).toEqual(expected)
  }
})
