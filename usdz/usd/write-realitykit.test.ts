import type { Material } from '@gltf-transform/core'
import { KHRMaterialsClearcoat, KHRMaterialsEmissiveStrength, KHRMaterialsUnlit } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { convert } from '../index.ts'
import { textOf } from '../layers/read-values.ts'
import { type GivenModel, givenModel } from '../test/content/models.ts'
import { composed } from '../test/judges/composed.ts'
import { painted, texture } from '../test/painted.ts'

const realitykit = { profile: 'realitykit' } as const
const paintPath = '/Root/Materials/Paint'
const rk = `${paintPath}/RealityKit.inputs:`

type Usd = Awaited<ReturnType<typeof painted>>['usd']

/** The ids of the shaders on the way from an input to its image, and the path of the image node. */
function chain(usd: Usd, input: string) {
  const ids: (string | undefined)[] = []
  let at = usd.connection(input)
  let path = ''
  while (at) {
    path = at.split('.outputs:')[0]!
    ids.push(usd.text(`${path}.info:id`))
    at = usd.connection(`${path}.inputs:in`) ?? usd.connection(`${path}.inputs:in1`)
  }
  return { ids, path, file: usd.text(`${path}.inputs:file`) }
}

const colorSpaceOf = (usd: Usd, path: string) => {
  const property = usd.prim(path)?.own.get('inputs:file')
  return textOf(usd.stage.crate, property?.fields.get('colorSpace'))
}

describe('the realitykit profile', () => {
  test('writes a MaterialX network beside UsdPreviewSurface; the other profiles write none', async () => {
    const paint = (_: GivenModel, material: Material) => {
      material.setBaseColorFactor([0.5, 0.25, 1, 1]).setMetallicFactor(0.25).setRoughnessFactor(0.75)
    }
    const { usd, codes } = await painted(paint, realitykit)
    expect(usd.connection(`${paintPath}.outputs:surface`)).toBe(`${paintPath}/Surface.outputs:surface`)
    expect(usd.connection(`${paintPath}.outputs:mtlx:surface`)).toBe(`${paintPath}/RealityKit.outputs:out`)
    expect(usd.text(`${paintPath}/RealityKit.info:id`)).toBe('ND_realitykit_pbr_surfaceshader')
    expect([...usd.vector(`${rk}baseColor`)!]).toEqual([0.5, 0.25, 1])
    expect(usd.number(`${rk}metallic`)).toBe(0.25)
    expect(usd.number(`${rk}roughness`)).toBe(0.75)
    expect(codes).toEqual([])
    for (const profile of ['quicklook', 'spec'] as const) {
      expect((await painted(paint, { profile })).usd.prim(`${paintPath}/RealityKit`)).toBeUndefined()
    }
  })

  test('reads colours as sRGB, data without a colour space, and decodes normal maps', async () => {
    const { usd } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [200, 100, 50]))
      material.setMetallicRoughnessTexture(await texture(model, [0, 128, 64]))
      material.setNormalTexture(await texture(model, [128, 128, 255]))
      material.getBaseColorTextureInfo()!.setWrapS(33071).setWrapT(33648)
    }, realitykit)
    const color = chain(usd, `${rk}baseColor`)
    expect(color.ids).toEqual(['ND_image_color3'])
    expect(colorSpaceOf(usd, color.path)).toBe('srgb_texture')
    expect(usd.text(`${color.path}.inputs:uaddressmode`)).toBe('clamp')
    expect(usd.text(`${color.path}.inputs:vaddressmode`)).toBe('mirror')
    expect(usd.text(`${usd.connection(`${color.path}.inputs:texcoord`)!.split('.')[0]}.info:id`)).toBe(
      'ND_texcoord_vector2',
    )
    const rough = chain(usd, `${rk}roughness`)
    expect(rough.ids).toEqual(['ND_image_float'])
    expect(colorSpaceOf(usd, rough.path)).toBeUndefined()
    const normal = chain(usd, `${rk}normal`)
    expect(normal.ids).toEqual(['ND_normal_map_decode', 'ND_image_vector3'])
    expect(colorSpaceOf(usd, normal.path)).toBeUndefined()
  })

  test('takes opacity from the fourth channel of the base colour', async () => {
    const { usd } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [200, 100, 50, 128])).setAlphaMode('BLEND')
    }, realitykit)
    expect(usd.connection(`${rk}opacity`)).toMatch(/\.outputs:outa$/)
    const { ids, file } = chain(usd, `${rk}opacity`)
    expect(ids).toEqual(['ND_separate4_color4', 'ND_image_color4'])
    expect(file).toBe(chain(usd, `${rk}baseColor`).file)
  })

  test('shows unlit materials by the unlit surface', async () => {
    const { usd, report } = await painted((model, material) => {
      const unlit = model.document.createExtension(KHRMaterialsUnlit).createUnlit()
      material.setBaseColorFactor([0.5, 0.25, 0, 1]).setExtension('KHR_materials_unlit', unlit)
    }, realitykit)
    expect(usd.text(`${paintPath}/RealityKit.info:id`)).toBe('ND_realitykit_unlit_surfaceshader')
    expect([...usd.vector(`${rk}color`)!]).toEqual([0.5, 0.25, 0])
    expect(report.notes.map(({ message }) => message)).toEqual([
      'Unlit materials are approximated by emissive surfaces, except in MaterialX.',
    ])
  })

  test('carries the normal map of a clear coat, which UsdPreviewSurface cannot', async () => {
    const paint = async (model: GivenModel, material: Material) => {
      const coat = model.document.createExtension(KHRMaterialsClearcoat).createClearcoat().setClearcoatFactor(1)
      coat.setClearcoatNormalTexture(await texture(model, [128, 128, 255]))
      material.setExtension('KHR_materials_clearcoat', coat)
    }
    const { usd, report } = await painted(paint, realitykit)
    expect(usd.number(`${rk}clearcoat`)).toBe(1)
    expect(chain(usd, `${rk}clearcoatNormal`).ids).toEqual(['ND_normal_map_decode', 'ND_image_vector3'])
    expect(report.notes).toMatchObject([{ code: 'clearcoat_normal', effect: 'changed' }])
    const quicklook = await painted(paint)
    expect(quicklook.report.notes).toMatchObject([{ code: 'clearcoat_normal', effect: 'left_out' }])
    expect(quicklook.report.textures).toBe(0)
  })

  test('multiplies emission above 1, which its image cannot hold', async () => {
    const { usd } = await painted(async (model, material) => {
      const strong = model.document.createExtension(KHRMaterialsEmissiveStrength).createEmissiveStrength()
      strong.setEmissiveStrength(4)
      material.setEmissiveTexture(await texture(model, [200, 100, 50])).setEmissiveFactor([1, 0.5, 0])
      material.setExtension('KHR_materials_emissive_strength', strong)
    }, realitykit)
    expect(chain(usd, `${rk}emissiveColor`).ids).toEqual(['ND_multiply_color3FA', 'ND_image_color3'])
    expect(usd.number(`${paintPath}/emissiveColor_times.inputs:in2`)).toBe(4)
  })
})

test('OpenUSD reads the network as it is written, without a complaint', { tags: ['long'] }, async () => {
  const model = givenModel()
  const material = model.document.createMaterial('Paint').setAlphaMode('BLEND')
  material.setBaseColorTexture(await texture(model, [200, 100, 50, 128]))
  material.setNormalTexture(await texture(model, [128, 128, 255]))
  model.node('Square', model.mesh('Square', model.square(material)))
  const { usdz } = await convert(await model.glb(), realitykit)
  const { text, complaints } = await composed({ 'a.usdz': usdz })
  expect(complaints).toEqual([])
  expect(text).toContain('token outputs:mtlx:surface.connect = </Root/Materials/Paint/RealityKit.outputs:out>')
  expect(text).toMatch(/asset inputs:file = @.*textures\/\w+\.png\]@ \(\s*colorSpace = "srgb_texture"\s*\)/)
  expect(text).toContain('float3 inputs:normal.connect = </Root/Materials/Paint/Decode_Image_2.outputs:out>')
})
