import type { Material } from '@gltf-transform/core'
import {
  KHRMaterialsAnisotropy,
  KHRMaterialsDiffuseTransmission,
  KHRMaterialsDispersion,
  KHRMaterialsIOR,
  KHRMaterialsIridescence,
  KHRMaterialsSheen,
  KHRMaterialsSpecular,
  KHRMaterialsTransmission,
  KHRMaterialsVolume,
} from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import type { GivenModel } from '../../test/content/models.ts'
import { painted, surface, texture } from '../../test/painted.ts'

const spec = { profile: 'spec' } as const
const color = (usd: Awaited<ReturnType<typeof painted>>['usd'], input: string) => usd.vector(`${surface}${input}`)

describe('specular strength and colour', () => {
  const paint =
    (strength: number, tint: [number, number, number], metallic = 0, ior?: number) =>
    (model: GivenModel, material: Material) => {
      const layer = model.document.createExtension(KHRMaterialsSpecular).createSpecular()
      layer.setSpecularFactor(strength).setSpecularColorFactor(tint)
      material.setMetallicFactor(metallic).setExtension('KHR_materials_specular', layer)
      if (ior) {
        const index = model.document.createExtension(KHRMaterialsIOR).createIOR().setIOR(ior)
        material.setExtension('KHR_materials_ior', index)
      }
    }

  test('are a specular colour in the spec profile: F0 = ((1 - ior) / (1 + ior))² · colour · strength', async () => {
    const { usd, codes } = await painted(paint(0.5, [1, 0.5, 0.25], 0, 3), spec)
    expect(usd.number(`${surface}useSpecularWorkflow`)).toBe(1)
    for (const [i, value] of [0.125, 0.0625, 0.03125].entries()) {
      expect(color(usd, 'specularColor')![i]).toBeCloseTo(value, 6)
    }
    expect(codes).toEqual(['specular'])
  })

  test.each([
    ['quicklook', 0],
    ['spec', 1],
  ] as const)('are an equivalent index of refraction in %s with metallic %d', async (profile, metallic) => {
    const { usd, codes } = await painted(paint(0.5, [1, 1, 1], metallic), { profile })
    const ior = usd.number(`${surface}ior`)!
    expect(((ior - 1) / (ior + 1)) ** 2).toBeCloseTo(0.02, 6)
    expect(usd.number(`${surface}useSpecularWorkflow`)).toBeUndefined()
    expect(codes).toEqual(['specular'])
  })

  test('of 1 and white have no effect and no note', async () => {
    const { usd, codes } = await painted(paint(1, [1, 1, 1]))
    expect(usd.number(`${surface}ior`)).toBeUndefined()
    expect(codes).toEqual([])
  })
})

describe('glass', () => {
  const glass =
    (factor: number, more: Partial<{ tint: [number, number, number]; textured: boolean }> = {}) =>
    async (model: GivenModel, material: Material) => {
      const layer = model.document.createExtension(KHRMaterialsTransmission).createTransmission()
      layer.setTransmissionFactor(factor)
      if (more.textured) layer.setTransmissionTexture(await texture(model, [102, 0, 0]))
      material.setMetallicFactor(0).setExtension('KHR_materials_transmission', layer)
      if (!more.tint) return
      const body = model.document.createExtension(KHRMaterialsVolume).createVolume()
      body.setThicknessFactor(2).setAttenuationDistance(1).setAttenuationColor(more.tint)
      material.setExtension('KHR_materials_volume', body)
    }

  test('that is clear keeps little opacity, half clear more, with a note', async () => {
    const [clear, half] = [await painted(glass(1)), await painted(glass(0.5))]
    expect(clear.usd.number(`${surface}opacity`)).toBeCloseTo(0.15, 6)
    expect(half.usd.number(`${surface}opacity`)).toBeCloseTo(0.575, 6)
    expect(clear.codes).toEqual(['transmission'])
    expect(clear.report.notes).toMatchObject([{ effect: 'changed' }])
  })

  test('without transmission is opaque, without a note', async () => {
    const { usd, codes } = await painted(glass(0))
    expect(usd.number(`${surface}opacity`)).toBeUndefined()
    expect(codes).toEqual([])
  })

  test('has the tint of its volume in its base colour: colour ^ (thickness / distance)', async () => {
    const { usd, codes } = await painted(glass(1, { tint: [0.5, 1, 0.25] }))
    for (const [i, value] of [0.25, 1, 0.0625].entries()) expect(color(usd, 'diffuseColor')![i]).toBeCloseTo(value, 6)
    expect(codes).toEqual(['volume', 'transmission'])
  })

  test('with a texture has an opacity for each pixel, in pixels or by the shader', async () => {
    const baked = await painted(glass(1, { textured: true }))
    expect(await baked.pixel('opacity', 1)).toEqual([Math.round(255 * (1 - 0.85 * 0.4))])
    const { usd, sourceOf } = await painted(glass(1, { textured: true }), spec)
    const { path } = sourceOf('opacity')!
    expect(usd.vector(`${path}.inputs:scale`)![0]).toBeCloseTo(-0.85, 6)
    expect(usd.vector(`${path}.inputs:bias`)![0]).toBeCloseTo(1, 6)
  })
})

describe('other layers', () => {
  test('sheen lightens the base colour by its reflectance, with a note', async () => {
    const { usd, codes } = await painted((model, material) => {
      const layer = model.document.createExtension(KHRMaterialsSheen).createSheen().setSheenColorFactor([1, 0.5, 0])
      material.setBaseColorFactor([0.5, 0.5, 0.5, 1]).setExtension('KHR_materials_sheen', layer)
    })
    const kept = 0.5 * (1 - 0.157)
    for (const [i, value] of [kept + 0.157, kept + 0.0785, kept].entries()) {
      expect(color(usd, 'diffuseColor')![i]).toBeCloseTo(value, 6)
    }
    expect(codes).toEqual(['sheen'])
  })

  test('anisotropy widens the highlight, with a note', async () => {
    const { usd, codes } = await painted((model, material) => {
      const layer = model.document.createExtension(KHRMaterialsAnisotropy).createAnisotropy().setAnisotropyStrength(1)
      material.setRoughnessFactor(0.5).setExtension('KHR_materials_anisotropy', layer)
    })
    expect(usd.number(`${surface}roughness`)).toBeCloseTo(Math.sqrt((0.25 + 1) / 2), 6)
    expect(codes).toEqual(['anisotropy'])
  })

  test('a thin film colours metals, and the reflection of dielectrics', async () => {
    const filmed = (metallic: number) => (model: GivenModel, material: Material) => {
      const film = model.document.createExtension(KHRMaterialsIridescence).createIridescence()
      film.setIridescenceFactor(1).setIridescenceIOR(1.8).setIridescenceThicknessMaximum(300)
      material.setMetallicFactor(metallic).setBaseColorFactor([0.5, 0.5, 0.5, 1])
      material.setExtension('KHR_materials_iridescence', film)
    }
    const metal = await painted(filmed(1), spec)
    expect(
      Math.max(...color(metal.usd, 'diffuseColor')!) - Math.min(...color(metal.usd, 'diffuseColor')!),
    ).toBeGreaterThan(0.1)
    const paint = await painted(filmed(0), spec)
    expect([...color(paint.usd, 'diffuseColor')!]).toEqual([0.5, 0.5, 0.5])
    const reflected = color(paint.usd, 'specularColor')!
    expect(Math.max(...reflected) - Math.min(...reflected)).toBeGreaterThan(0.02)
    expect([...metal.codes, ...paint.codes].filter((code) => code === 'iridescence')).toHaveLength(2)
  })

  test('unsupported layers are named in notes', async () => {
    const { codes } = await painted((model, material) => {
      const { document } = model
      const film = document.createExtension(KHRMaterialsIridescence).createIridescence().setIridescenceFactor(1)
      const split = document.createExtension(KHRMaterialsDispersion).createDispersion().setDispersion(1)
      const leaf = document.createExtension(KHRMaterialsDiffuseTransmission).createDiffuseTransmission()
      material
        .setExtension('KHR_materials_iridescence', film)
        .setExtension('KHR_materials_dispersion', split)
        .setExtension('KHR_materials_diffuse_transmission', leaf)
    })
    expect(codes.sort()).toEqual(['diffuse_transmission', 'dispersion', 'iridescence'])
  })
})
