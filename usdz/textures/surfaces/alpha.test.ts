import type { Material } from '@gltf-transform/core'
import { expect, test } from 'vitest'
import type { GivenModel } from '../../test/content/models.ts'
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

test.each([
  { alpha: 218, cut: 0 },
  { alpha: 219, cut: 255 },
])('alpha times a factor of 0.7 is cut out at the cutoff of 0.6: $alpha becomes $cut', async ({ alpha, cut }) => {
  const paint = async (model: GivenModel, material: Material) => {
    material
      .setBaseColorTexture(await texture(model, [1, 2, 3, alpha]))
      .setBaseColorFactor([1, 1, 1, 0.7])
      .setAlphaMode('MASK')
      .setAlphaCutoff(0.6)
  }
  const baked = await painted(paint)
  expect(baked.usd.number(`${surface}opacityThreshold`)).toBeCloseTo(0.6 / 0.7, 6)
  expect((await baked.pixel('opacity', 4))[3]).toBe(cut)
  const plain = await painted(paint, { profile: 'spec' })
  expect((await plain.pixel('opacity', 4))[3]).toBe(alpha)
})

test.each([
  { alpha: 150, codes: ['alpha_cutoff'] },
  { alpha: 100, codes: [] },
])('cut-outs whose hidden pixels are half opaque are named: $alpha', async ({ alpha, codes }) => {
  const made = await painted(async (model, material) => {
    material
      .setBaseColorTexture(await texture(model, [1, 2, 3, alpha]))
      .setAlphaMode('MASK')
      .setAlphaCutoff(0.8)
  })
  expect(made.codes).toEqual(codes)
  expect((await made.pixel('opacity', 4))[3]).toBe(0)
})
