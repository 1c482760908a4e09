import type { Material } from '@gltf-transform/core'
import { KHRMaterialsTransmission, KHRMaterialsVolume } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { type GivenModel, givenModel } from '../../test/content/models.ts'
import { openUsdz } from '../../test/open-usdz.ts'
import { painted, surface, texture } from '../../test/painted.ts'

const spec = { profile: 'spec' } as const

/** Makes a material of clear glass, without metal. */
function glass(model: GivenModel, material: Material, factor = 1): Material {
  const layer = model.document.createExtension(KHRMaterialsTransmission).createTransmission()
  layer.setTransmissionFactor(factor)
  return material.setMetallicFactor(0).setExtension('KHR_materials_transmission', layer)
}

/** Fills glass with a volume whose light is tinted by (0.5 1 0.25) at its thickness. */
function filled(model: GivenModel, material: Material) {
  const body = model.document.createExtension(KHRMaterialsVolume).createVolume()
  body.setThicknessFactor(1).setAttenuationDistance(1).setAttenuationColor([0.5, 1, 0.25])
  glass(model, material).setExtension('KHR_materials_volume', body)
  return body
}

describe('a volume', () => {
  test('is as deep as its node is large: nodes of different scale show different tints', async () => {
    const model = givenModel()
    const material = model.document.createMaterial('Paint')
    filled(model, material)
    const mesh = model.mesh('Square', model.square(material))
    model.node('One', mesh)
    const parent = model.node('Parent').setScale([2, 2, 2])
    model.node('Two', mesh, parent)
    model.node('Three', mesh, parent).setTranslation([1, 0, 0])
    const usd = openUsdz((await convert(await model.glb())).usdz)
    const tints = usd.prims('Material').map(({ path }) => usd.vector(`${path}/Surface.inputs:diffuseColor`))
    expect(tints).toEqual([
      [0.5, 1, 0.25],
      [0.25, 1, 0.0625],
    ])
  })

  test.each([
    ['quicklook', {}],
    ['spec', spec],
  ])('with a thickness texture has the tint of each pixel in its base colour: %s', async (_, options) => {
    const { pixel, codes } = await painted(async (model, material) => {
      filled(model, material).setThicknessTexture(await texture(model, [0, 51, 0]))
    }, options)
    // A fifth of the thickness, in sRGB.
    const encoded = [0.5 ** 0.2, 1, 0.25 ** 0.2].map((v) => Math.round(255 * (1.055 * v ** (1 / 2.4) - 0.055)))
    expect(await pixel('diffuseColor')).toEqual(encoded)
    expect(codes).toEqual(['volume', 'transmission'])
  })

  test('with a thickness texture mapped unlike the base colour has its mean tint', async () => {
    const { usd, sourceOf } = await painted(async (model, material) => {
      filled(model, material).setThicknessTexture(await texture(model, [0, 255, 0]))
      material.setBaseColorTexture(await texture(model, [255, 255, 255]))
      material.getBaseColorTextureInfo()!.setWrapS(33071)
    }, spec)
    expect(usd.vector(`${sourceOf('diffuseColor')!.path}.inputs:scale`)).toEqual([0.5, 1, 0.25, 1])
  })
})

describe('metal', () => {
  test('transmits nothing: it stays opaque', async () => {
    const { usd, codes } = await painted((model, material) => {
      glass(model, material).setMetallicFactor(1)
    })
    expect(usd.number(`${surface}opacity`)).toBeUndefined()
    expect(codes).toEqual([])
  })

  test('in part transmits the rest', async () => {
    const { usd } = await painted((model, material) => {
      glass(model, material).setMetallicFactor(0.5)
    })
    expect(usd.number(`${surface}opacity`)).toBeCloseTo(1 - 0.85 / 2, 6)
  })

  test.each([
    ['quicklook', 0],
    ['quicklook', 255],
    ['spec', 255],
  ] as const)('of a texture is opaque where the texture says so: %s, %d', async (profile, metallic) => {
    const { pixel, usd, sourceOf } = await painted(
      async (model, material) => {
        glass(model, material).setMetallicFactor(1)
        material.setMetallicRoughnessTexture(await texture(model, [0, 100, metallic]))
      },
      { profile },
    )
    if (profile === 'quicklook') expect(await pixel('opacity', 1)).toEqual([metallic === 255 ? 255 : 38])
    else {
      const { path, output } = sourceOf('opacity')!
      expect(output).toBe('b')
      expect(usd.vector(`${path}.inputs:scale`)![2]! + usd.vector(`${path}.inputs:bias`)![2]!).toBeCloseTo(1, 6)
    }
  })
})

describe('cut-outs in glass', () => {
  const cut = (alpha: number, profile: 'quicklook' | 'spec' = 'quicklook') =>
    painted(
      async (model, material) => {
        glass(model, material).setAlphaMode('MASK').setAlphaCutoff(0.6)
        material.setBaseColorTexture(await texture(model, [255, 255, 255, alpha]))
      },
      { profile },
    )

  test.each([
    [130, 0],
    [180, Math.round(255 * 0.15)],
  ])('are holes, and the rest is glass: alpha %d has the opacity %d', async (alpha, opacity) => {
    const { pixel, usd, codes } = await cut(alpha)
    expect((await pixel('opacity', 4))[3]).toBe(opacity)
    expect(usd.number(`${surface}opacityThreshold`)).toBeUndefined()
    expect(codes).toEqual(['transmission'])
  })

  test('have soft edges in spec, with a note', async () => {
    const { usd, sourceOf, codes } = await cut(180, 'spec')
    expect(usd.vector(`${sourceOf('opacity')!.path}.inputs:scale`)![3]).toBeCloseTo(0.15, 6)
    expect(codes).toEqual(['transmission', 'transmission_edges'])
  })

  test('of one alpha hide the whole surface, or none of it', async () => {
    const opacityOf = async (alpha: number) => {
      const { usd } = await painted((model, material) => {
        glass(model, material).setAlphaMode('MASK').setAlphaCutoff(0.5).setBaseColorFactor([1, 1, 1, alpha])
      }, spec)
      return usd.number(`${surface}opacity`)!
    }
    expect(await opacityOf(0.4)).toBe(0)
    expect(await opacityOf(0.6)).toBeCloseTo(0.15, 6)
  })
})

test.each(['quicklook', 'spec'] as const)('a cut-off above 1 hides the surface: %s', async (profile) => {
  const { usd, codes } = await painted(
    async (model, material) => {
      material.setAlphaMode('MASK').setAlphaCutoff(1.1)
      material.setBaseColorTexture(await texture(model, [255, 255, 255, 255]))
    },
    { profile },
  )
  expect(usd.number(`${surface}opacity`)).toBe(0)
  expect(usd.number(`${surface}opacityThreshold`)).toBe(1)
  expect(codes).toEqual([])
})
