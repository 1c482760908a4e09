import type { Material } from '@gltf-transform/core'
import {
  EXTTextureWebP,
  KHRMaterialsClearcoat,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsUnlit,
} from '@gltf-transform/extensions'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type GivenModel, image } from '../../test/content/models.ts'
import { painted, surface, texture } from '../../test/painted.ts'
import { probe } from '../images/codec.ts'

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64')
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>',
)

describe('materials', () => {
  test('without textures become constants', async () => {
    const { usd } = await painted((_, material) => {
      material
        .setBaseColorFactor([0.25, 0.5, 1, 1])
        .setMetallicFactor(0.5)
        .setRoughnessFactor(0.25)
        .setDoubleSided(true)
    })
    expect(usd.number(`${surface}roughness`)).toBe(0.25)
    expect(usd.number(`${surface}metallic`)).toBe(0.5)
    expect(usd.target('/Root/Square/Square.material:binding')).toBe('/Root/Materials/Paint')
    expect(usd.number('/Root/Square/Square.doubleSided')).toBe(1)
  })

  test.each(['quicklook', 'spec'] as const)('reduce images to the largest side asked for: %s', async (profile) => {
    const { usd, report } = await painted(
      async (model, material) => {
        material.setBaseColorTexture(await texture(model, [1, 2, 3], 'png', 100))
      },
      { profile, maxTextureSize: 64 },
    )
    expect(await probe(usd.files[1]!.data)).toMatchObject({ width: 64, height: 64 })
    expect(report.notes).toMatchObject([{ code: 'texture_size' }])
  })

  test('copy JPEG and PNG byte by byte, equal images once', async () => {
    const stone = await image([200, 100, 50], 'jpeg')
    const { usd, sourceOf } = await painted((model, material) => {
      const make = () =>
        model.document
          .createTexture('stone')
          .setImage(stone.slice() as Uint8Array<ArrayBuffer>)
          .setMimeType('image/jpeg')
      material.setBaseColorTexture(make()).setEmissiveTexture(make()).setEmissiveFactor([1, 1, 1])
    })
    expect(usd.files.map(({ name }) => name)).toEqual(['model.usdc', 'textures/stone.jpg'])
    expect(Buffer.from(usd.files[1]!.data).equals(Buffer.from(stone))).toBe(true)
    expect(sourceOf('diffuseColor')?.file).toBe('textures/stone.jpg')
    expect(sourceOf('emissiveColor')?.file).toBe('textures/stone.jpg')
  })

  test('store an image used as colour and as data in two files, for viewers with one colour space a file', async () => {
    const { usd, sourceOf } = await painted(async (model, material) => {
      const stone = await texture(model, [1, 2, 3])
      material.setBaseColorTexture(stone).setOcclusionTexture(stone)
    })
    expect(usd.files.map(({ name }) => name)).toEqual(['model.usdc', 'textures/stone.png', 'textures/stone_1.png'])
    expect(sourceOf('occlusion')?.file).not.toBe(sourceOf('diffuseColor')?.file)
  })

  test.each([
    ['SVG labelled as PNG', svg, 'image/png'],
    ['SVG', svg, 'image/svg+xml'],
    ['GIF', gif, 'image/gif'],
  ])('omit %s with a note, so that the input cannot choose another decoder', async (_, bytes, type) => {
    const { usd, codes } = await painted((model, material) => {
      const texture = model.document.createTexture('drawing').setImage(Uint8Array.from(bytes)).setMimeType(type)
      material.setBaseColorTexture(texture)
    })
    expect(usd.files.map(({ name }) => name)).toEqual(['model.usdc'])
    expect(codes).toEqual(['texture_format'])
  })

  test('are decoded by a library with only image formats enabled, which stay enabled for other users of the process', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const)
      expect(await probe(await image([1, 2, 3], format))).toMatchObject({ width: 4, height: 4 })
    expect(await probe(gif)).toMatchObject({ width: 1, height: 1 })
    await expect(probe(svg)).rejects.toThrow('unsupported image format')
  })

  test('use the actual type of an image, not the declared one', async () => {
    const { usd } = await painted(async (model, material) => {
      material.setBaseColorTexture((await texture(model, [1, 2, 3], 'jpeg')).setMimeType('image/png'))
    })
    expect(usd.files[1]!.name).toBe('textures/stone.jpg')
  })

  test('multiply pixels by a colour factor in linear light', async () => {
    const { pixel } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [255, 255, 255])).setBaseColorFactor([0.5, 1, 0, 1])
    })
    expect(await pixel('diffuseColor')).toEqual([188, 255, 0])
  })

  test('leave a colour factor to the shader in the spec profile', async () => {
    const { pixel, usd, sourceOf } = await painted(
      async (model, material) => {
        material.setBaseColorTexture(await texture(model, [255, 255, 255])).setBaseColorFactor([0.5, 1, 0, 1])
      },
      { profile: 'spec' },
    )
    expect(await pixel('diffuseColor')).toEqual([255, 255, 255])
    expect(usd.stage.prims.get(sourceOf('diffuseColor')!.path)!.properties.has('inputs:scale')).toBe(true)
  })

  test('read roughness from g and metallic from b of one raw texture in the spec profile', async () => {
    const { sourceOf, pixel, usd } = await painted(
      async (model, material) => {
        material.setMetallicRoughnessTexture(await texture(model, [10, 200, 100])).setRoughnessFactor(0.5)
      },
      { profile: 'spec' },
    )
    expect(sourceOf('roughness')).toMatchObject({ output: 'g' })
    expect(sourceOf('metallic')).toMatchObject({ output: 'b', path: sourceOf('roughness')!.path })
    expect(usd.text(`${sourceOf('roughness')!.path}.inputs:sourceColorSpace`)).toBe('raw')
    expect(await pixel('roughness')).toEqual([10, 200, 100])
  })

  test('have a grey file for each of roughness, metallic and occlusion, multiplied by factors', async () => {
    const { sourceOf, pixel, usd } = await painted(async (model, material) => {
      const orm = await texture(model, [10, 200, 100])
      material.setMetallicRoughnessTexture(orm).setOcclusionTexture(orm).setRoughnessFactor(0.5)
    })
    const grey = { roughness: 100, metallic: 100, occlusion: 10 }
    for (const [input, value] of Object.entries(grey)) {
      expect(sourceOf(input)).toMatchObject({ output: 'r', file: `textures/stone_${input}.png` })
      expect(usd.text(`${sourceOf(input)!.path}.inputs:sourceColorSpace`)).toBe('raw')
      expect(new Set(await pixel(input))).toEqual(new Set([value]))
    }
  })

  test('do not use a texture with factor 0', async () => {
    const { sourceOf, usd } = await painted(async (model, material) => {
      material.setMetallicRoughnessTexture(await texture(model, [10, 200, 100])).setMetallicFactor(0)
    })
    expect(sourceOf('metallic')).toBeUndefined()
    expect(usd.number(`${surface}metallic`)).toBe(0)
    expect(sourceOf('roughness')).toBeDefined()
  })

  test('reduce occlusion by its strength', async () => {
    const { pixel } = await painted(async (model, material) => {
      material.setOcclusionTexture(await texture(model, [0, 0, 0])).setOcclusionStrength(0.2)
    })
    expect((await pixel('occlusion'))[0]).toBe(204)
  })

  test.each([
    { alpha: 0, cut: 0 },
    { alpha: 32, cut: 0 },
    { alpha: 64, cut: 255 },
    { alpha: 96, cut: 255 },
    { alpha: 255, cut: 255 },
  ])('cut out alpha at the cutoff of 0.25: $alpha becomes $cut', async ({ alpha, cut }) => {
    const paint = async (model: GivenModel, material: Material) => {
      material
        .setBaseColorTexture(await texture(model, [1, 2, 3, alpha]))
        .setAlphaMode('MASK')
        .setAlphaCutoff(0.25)
    }
    const baked = await painted(paint)
    expect(baked.sourceOf('opacity')).toMatchObject({ output: 'a', path: baked.sourceOf('diffuseColor')!.path })
    expect(baked.usd.number(`${surface}opacityThreshold`)).toBe(0.25)
    expect(Math.abs((await baked.pixel('opacity', 4))[3]! - cut)).toBeLessThan(4)
    const plain = await painted(paint, { profile: 'spec' })
    expect(plain.usd.number(`${surface}opacityThreshold`)).toBe(0.25)
    expect((await plain.pixel('opacity', 4))[3]).toBe(alpha)
  })

  test('keep the alpha of a cut-out near its edges', async () => {
    const ramp = Uint8Array.from({ length: 32 * 4 * 4 }, (_, i) => (i % 4 === 3 ? ((i >> 2) % 32) * 8 : 90))
    const bytes = await sharp(ramp, { raw: { width: 32, height: 4, channels: 4 } })
      .png()
      .toBuffer()
    const { usd } = await painted((model, material) => {
      const texture = model.document.createTexture('ramp').setImage(bytes as Uint8Array<ArrayBuffer>)
      material.setBaseColorTexture(texture.setMimeType('image/png')).setAlphaMode('MASK').setAlphaCutoff(0.5)
    })
    const { data } = await sharp(usd.files[1]!.data).raw().toBuffer({ resolveWithObject: true })
    const alphas = Array.from({ length: 32 }, (_, x) => data[x * 4 + 3]!)
    expect(alphas.slice(13, 19)).toEqual([104, 112, 120, 128, 136, 144])
    expect(new Set([...alphas.slice(3, 13), ...alphas.slice(19, 29)])).toEqual(new Set([0, 255]))
  })

  test('keep the bytes of an image that is already cut out', async () => {
    const leaf = await image([1, 2, 3, 255])
    const { usd } = await painted((model, material) => {
      const texture = model.document.createTexture('leaf').setImage(leaf as Uint8Array<ArrayBuffer>)
      material.setBaseColorTexture(texture.setMimeType('image/png')).setAlphaMode('MASK').setAlphaCutoff(0.3)
    })
    expect(Buffer.from(usd.files[1]!.data).equals(Buffer.from(leaf))).toBe(true)
  })

  test('blend by alpha', async () => {
    const blend = await painted((_, material) => {
      material.setAlphaMode('BLEND').setBaseColorFactor([1, 1, 1, 0.5])
    })
    expect(blend.usd.number(`${surface}opacity`)).toBe(0.5)
    expect(blend.usd.number(`${surface}opacityThreshold`)).toBeUndefined()
  })

  test('are opaque if glTF says so, with any alpha', async () => {
    const { sourceOf, usd } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [1, 2, 3, 0])).setBaseColorFactor([1, 1, 1, 0.5])
    })
    expect(sourceOf('opacity')).toBeUndefined()
    expect(usd.number(`${surface}opacity`)).toBeUndefined()
  })

  test('re-encode WebP in a format that viewers support, with a note', async () => {
    const { usd, codes, pixel } = await painted(async (model, material) => {
      model.document.createExtension(EXTTextureWebP).setRequired(true)
      material.setNormalTexture(await texture(model, [128, 128, 255], 'webp'))
    })
    expect(usd.files[1]!.name).toBe('textures/stone.png')
    expect(await pixel('normal')).toEqual([128, 128, 255])
    expect(codes).toContain('texture_reencoded')
  })

  test('omit an unreadable texture with a note, and keep its factor', async () => {
    const { usd, codes } = await painted((model, material) => {
      const broken = model.document
        .createTexture('broken')
        .setImage(new Uint8Array(Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1')))
        .setMimeType('image/png')
      material.setBaseColorTexture(broken).setRoughnessFactor(0.25)
    })
    expect(usd.files).toHaveLength(1)
    expect(codes).toContain('texture_unreadable')
  })

  test('emit by factor times strength', async () => {
    const { usd } = await painted((model, material) => {
      const strength = model.document
        .createExtension(KHRMaterialsEmissiveStrength)
        .createEmissiveStrength()
        .setEmissiveStrength(4)
      material.setEmissiveFactor([1, 0.5, 0]).setExtension('KHR_materials_emissive_strength', strength)
    })
    const rep = usd.stage.prims.get('/Root/Materials/Paint/Surface')!.properties.get('inputs:emissiveColor')!.value!
    const { bytes } = usd.stage.crate
    const view = new DataView(bytes.buffer, bytes.byteOffset + rep.payload)
    expect([0, 4, 8].map((at) => view.getFloat32(at, true))).toEqual([4, 2, 0])
  })

  test('keep clear coats and the index of refraction', async () => {
    const { usd } = await painted((model, material) => {
      const coat = model.document
        .createExtension(KHRMaterialsClearcoat)
        .createClearcoat()
        .setClearcoatFactor(0.5)
        .setClearcoatRoughnessFactor(0.25)
      const ior = model.document.createExtension(KHRMaterialsIOR).createIOR().setIOR(1.25)
      material.setExtension('KHR_materials_clearcoat', coat).setExtension('KHR_materials_ior', ior)
    })
    expect(usd.number(`${surface}clearcoat`)).toBe(0.5)
    expect(usd.number(`${surface}clearcoatRoughness`)).toBe(0.25)
    expect(usd.number(`${surface}ior`)).toBe(1.25)
  })

  test('that are unlit emit their colour, with a note', async () => {
    const { sourceOf, codes, usd } = await painted(async (model, material) => {
      const unlit = model.document.createExtension(KHRMaterialsUnlit).createUnlit()
      material.setBaseColorTexture(await texture(model, [9, 9, 9])).setExtension('KHR_materials_unlit', unlit)
    })
    expect(sourceOf('emissiveColor')?.file).toBe('textures/stone.png')
    expect(sourceOf('diffuseColor')).toBeUndefined()
    expect([usd.vector(`${surface}diffuseColor`), usd.number(`${surface}metallic`)]).toEqual([[0, 0, 0], 1])
    // Otherwise the surface reflects the environment at grazing angles.
    expect(usd.number(`${surface}occlusion`)).toBe(0)
    expect(codes).toContain('unlit')
  })
})
