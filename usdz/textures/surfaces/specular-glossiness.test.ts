import { KHRMaterialsPBRSpecularGlossiness } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { painted, surface, texture } from '../../test/painted.ts'

describe('materials', () => {
  test('in specular-glossiness with textures are merged pixel by pixel', async () => {
    const gold = [255, 195, 86]
    const { pixel, usd } = await painted(async (model, material) => {
      const glossy = model.document
        .createExtension(KHRMaterialsPBRSpecularGlossiness)
        .createPBRSpecularGlossiness()
        .setDiffuseTexture(await texture(model, [0, 0, 0]))
        .setSpecularGlossinessTexture(await texture(model, [...gold, 192]))
      material.setExtension('KHR_materials_pbrSpecularGlossiness', glossy)
    })
    const near = (one: number[], other: number[]) => one.every((value, i) => Math.abs(value - other[i]!) <= 3)
    expect(near(await pixel('diffuseColor'), gold)).toBe(true)
    expect(near(await pixel('roughness', 1), [63])).toBe(true)
    expect(near(await pixel('metallic', 1), [255])).toBe(true)
    expect(usd.files.map(({ name }) => name)).toEqual([
      'model.usdc',
      'textures/stone.jpg',
      'textures/stone_glossy_roughness.jpg',
      'textures/stone_glossy_metallic.jpg',
    ])
  })

  test('in specular-glossiness become metallic-roughness, with a note', async () => {
    const { usd, codes } = await painted((model, material) => {
      const glossy = model.document
        .createExtension(KHRMaterialsPBRSpecularGlossiness)
        .createPBRSpecularGlossiness()
        .setDiffuseFactor([0, 0, 0, 1])
        .setSpecularFactor([1, 0.75, 0.25])
        .setGlossinessFactor(0.75)
      material.setExtension('KHR_materials_pbrSpecularGlossiness', glossy)
    })
    expect(usd.number(`${surface}metallic`)).toBeGreaterThan(0.9)
    expect(usd.number(`${surface}roughness`)).toBe(0.25)
    expect(codes).toContain('specular_glossiness')
  })
})
