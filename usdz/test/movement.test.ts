// @module-tag long
import { beforeAll, describe, expect, test } from 'vitest'
import { convert, type Profile } from '../index.ts'
import { sampleModels } from './content/sample-models.ts'
import { expectedOf } from './expected.ts'
import { motionModels } from './features/models/motion-models.ts'
import { judgeAll } from './judgement.ts'
import { judgeMovement, type Moved } from './movement.ts'

const profiles: readonly Profile[] = ['quicklook', 'spec']

async function moved(name: string, glb: Uint8Array, profile: Profile): Promise<Moved> {
  return { name: `${name} (${profile})`, glb, ...(await convert(glb, { profile })) }
}

/** Models in both profiles, except those changed by Quick Look's limit of four joints a vertex. */
async function allModels(): Promise<Moved[]> {
  const all: Moved[] = []
  const add = async (name: string, glb: Uint8Array) => {
    for (const profile of profiles) {
      if (profile === 'spec' || !reduced.has(name)) all.push(await moved(name, glb, profile))
    }
  }
  for (const [name, given] of Object.entries(motionModels)) await add(name, await given())
  for (const [name, glb] of sampleModels()) {
    await add(name, glb)
  }
  return all
}
const reduced = new Set(['six weights a vertex'])

const failures = (judged: readonly { name: string; complaints: string[] }[]) =>
  judged.flatMap(({ name, complaints }) => complaints.map((complaint) => `${name}: ${complaint}`))

describe('a converted model', () => {
  let all: Moved[]
  beforeAll(async () => {
    all = await allModels()
  })

  test('moves like the GLB: every vertex within a ten-thousandth of the diagonal, at twenty times of every clip', async () => {
    const judged = await judgeMovement(all)
    expect(failures(judged)).toEqual([])
    expect(judged.every(({ errors }) => 'openusd' in errors && 'three' in errors)).toBe(true)
  }, 300_000)

  test('has the joints and blend shapes of the GLB in every reader that reports them', async () => {
    const judged = await judgeAll(
      await Promise.all(all.map(async (one) => ({ ...one, expected: await expectedOf(one.glb) }))),
    )
    expect(failures(judged)).toEqual([])
  }, 300_000)

  test('with more than four joints a vertex follows the four largest weights for Quick Look, and the note states the loss', async () => {
    const glb = await motionModels['six weights a vertex']!()
    const one = await moved('six', glb, 'quicklook')
    expect(failures(await judgeMovement([one], 4))).toEqual([])
    const [whole] = await judgeMovement([one])
    const note = one.report.notes.find(({ code }) => code === 'skin_weights')
    expect(whole!.errors.openusd).toBeGreaterThan(1e-4)
    expect(note?.message).toMatch(/keep the 4 largest weights/)
  })
})
