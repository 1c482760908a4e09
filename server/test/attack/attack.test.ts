// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inconsistencies } from './consistency.ts'
import { attack } from './suite.ts'
import { startWorld, type World } from './world.ts'

/** The same requests in every run, so that a failure is caused by a change. `npm run attack` sends others, and ten times as many. */
const SEED = 20_261_122

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('4,000 generated requests are answered as described, and every operation is reached', async () => {
  const { failures, reached } = await attack(world, { count: 4000, seed: SEED })
  expect(failures).toEqual([])
  expect([...reached].filter(([, { succeeded }]) => succeeded === 0).map(([name]) => name)).toEqual([])
  expect(await inconsistencies(world.service)).toEqual([])
  // Takes minutes on a busy machine.
}, 900_000)
