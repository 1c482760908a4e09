import { expect, test } from 'vitest'
import { painted, surface, texture } from '../../test/painted.ts'

test.each(['quicklook', 'spec'] as const)('alpha of 255 everywhere does not enable blending: %s', async (profile) => {
  for (const alpha of [255, 254]) {
    const { usd, sourceOf } = await painted(
      async (model, material) => {
        material.setAlphaMode('BLEND').setBaseColorTexture(await texture(model, [9, 99, 199, alpha]))
      },
      { profile },
    )
    expect(sourceOf('diffuseColor')).toMatchObject({ output: 'rgb' })
    expect(Boolean(sourceOf('opacity')), `alpha ${alpha}`).toBe(alpha < 255)
    expect(usd.number(`${surface}opacity`)).toBe(alpha < 255 ? undefined : 1)
  }
})

test('a transparent factor stays transparent, with any alpha of the image', async () => {
  const { usd, sourceOf } = await painted(async (model, material) => {
    const paint = await texture(model, [9, 99, 199, 255])
    material.setAlphaMode('BLEND').setBaseColorFactor([1, 1, 1, 0.5]).setBaseColorTexture(paint)
  })
  expect(sourceOf('opacity')).toBeUndefined()
  expect(usd.number(`${surface}opacity`)).toBe(0.5)
})
