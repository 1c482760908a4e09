// @module-tag long
import { expect, test } from 'vitest'
import { attempt } from './attempt.ts'
import { mutants } from './mutants.ts'
import { seeds } from './seeds.ts'
import { fuzz } from './watch.ts'

test('a thousand damaged models are converted or refused with a reason: none crashes, hangs or takes much memory', async () => {
  const { counts, wrong } = await fuzz({ count: 1000, seed: 7 })
  expect(wrong).toEqual([])
  // Some damage must pass the first checks to be useful.
  expect(counts.converted).toBeGreaterThan(150)
  expect(counts.malformed).toBeGreaterThan(300)
}, 300_000)

test('the seed models are valid, and mutation is deterministic', async () => {
  const models = await seeds()
  for (const { name, glb } of models) expect(await attempt(glb, {}), name).toEqual({ kind: 'converted' })
  const [one, other] = [mutants(models, 1)(5), mutants(models, 1)(5)]
  expect(Buffer.compare(one.glb, other.glb)).toBe(0)
  expect(Buffer.compare(one.glb, mutants(models, 2)(5).glb)).not.toBe(0)
})
