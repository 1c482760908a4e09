import { expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { withJson } from '../../test/content/models.ts'
import { movingModel } from '../../test/features/models/animated-model.ts'

type Animated = { animations: { channels: { target: object }[] }[] }

/** A square that moves; the target of its first channel can be changed. */
async function withTarget(target: object): Promise<Uint8Array> {
  const model = movingModel()
  const node = model.node('Square', model.mesh('Square', model.square()))
  for (const path of ['translation', 'scale'] as const)
    model.move(
      'Go',
      node,
      path,
      [0, 1],
      [
        [1, 1, 1],
        [2, 1, 1],
      ],
    )
  return withJson(await model.glb(), (json) => {
    const { animations } = json as Animated
    animations[0]!.channels[0]!.target = target
  })
}

test('omits a channel without a pointer with a note, and keeps the others', async () => {
  for (const target of [{ path: 'pointer' }, { path: 'pointer', extensions: {} }]) {
    const { report } = await convert(await withTarget(target))
    expect(report.animations).toBe(1)
    expect(report.notes).toMatchObject([
      { code: 'animation_pointer', message: expect.stringContaining('without a pointer') },
    ])
  }
})

test('refuses a pointer that is not text', async () => {
  const target = { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: 3 } } }
  await expect(convert(await withTarget(target))).rejects.toThrow('animation 0 "Go", channel 0: it has no pointer.')
})

test('leaves out the weights of a node without morph targets with a note, and keeps the other channels', async () => {
  const { report } = await convert(await withTarget({ node: 0, path: 'weights' }))
  expect(report.animations).toBe(1)
  expect(report.notes).toMatchObject([{ code: 'animation_values', effect: 'left_out' }])
})
