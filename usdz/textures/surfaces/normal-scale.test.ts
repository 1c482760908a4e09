import { describe, expect, test } from 'vitest'
import { painted, texture } from '../../test/painted.ts'

describe('normal scales', () => {
  test('flatten a normal map by its scale and keep its normals of unit length', async () => {
    const { pixel, usd, sourceOf } = await painted(async (model, material) => {
      material.setNormalTexture(await texture(model, [218, 128, 218])).setNormalScale(0.5)
    })
    const [x, y, z] = (await pixel('normal')).map((value) => (value * 2) / 255 - 1)
    expect(x! / z!).toBeCloseTo(0.5, 1)
    expect(Math.hypot(x!, y!, z!)).toBeCloseTo(1, 1)
    expect(usd.text(`${sourceOf('normal')!.path}.inputs:sourceColorSpace`)).toBe('raw')
  })

  test.each([
    { scale: 4, codes: [] },
    { scale: 10, codes: ['normal_scale'] },
    { scale: -10, codes: ['normal_scale'] },
  ])('name a normal scale above 4 in a note: $scale', async ({ scale, codes }) => {
    const made = await painted(async (model, material) => {
      material.setNormalTexture(await texture(model, [218, 128, 218])).setNormalScale(scale)
    })
    expect(made.codes).toEqual(codes)
  })
})
