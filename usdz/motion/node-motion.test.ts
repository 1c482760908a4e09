import { expect, test } from 'vitest'
import { convert } from '../index.ts'
import { floatsOf } from '../layers/read-values.ts'
import { movingModel, turn } from '../test/features/models/animated-model.ts'
import { openUsdz } from '../test/open-usdz.ts'

/** The scale and rotation at rest of a square that moves along x. */
async function written(scale: [number, number, number], rotation = turn([0, 0, 1], 0)) {
  const model = movingModel()
  const node = model.node('Square', model.mesh('Square', model.square())).setScale(scale).setRotation(rotation)
  const way = [0, 1].map((x) => [x, 0, 0])
  model.move('Go', node, 'translation', [0, 1], way)
  const usd = openUsdz((await convert(await model.glb())).usdz)
  const at = (name: string) => `/Root/Square.xformOp:${name}`
  return {
    scale: usd.vector(at('scale')),
    rotation: usd.vector(at('orient')),
    keys: ['scale', 'orient'].map((name) => usd.samples(at(name), floatsOf)?.times.length ?? 0),
  }
}

test('at most the scale of x is negative: two more are half a turn', async () => {
  expect(await written([-1, -2, -3])).toMatchObject({ scale: [-1, 2, 3], rotation: [1, 0, 0, 0] })
  expect(await written([1, -2, -3])).toMatchObject({ scale: [1, 2, 3], rotation: [1, 0, 0, 0] })
  expect(await written([1, 2, -3])).toMatchObject({ scale: [-1, 2, 3], rotation: [0, 1, 0, 0] })
  expect(await written([-1, 2, 3])).toMatchObject({ scale: [-1, 2, 3], keys: [0, 0] })
})

test('a scale of zero and the rotation that it hides have a key', async () => {
  expect(await written([1, 0, 1], turn([0, 0, 1], 90))).toMatchObject({ scale: [1, 0, 1], keys: [1, 1] })
  expect(await written([1, 0, 1])).toMatchObject({ scale: [1, 0, 1], keys: [1, 0] })
  expect(await written([1, 2, 1], turn([0, 0, 1], 90))).toMatchObject({ keys: [0, 0] })
})
