import {
  EXTTextureWebP,
  KHRMaterialsClearcoat,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMaterialsUnlit,
  KHRTextureTransform,
} from '@gltf-transform/extensions'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type ConvertOptions, convert } from '../index.ts'
import { type GivenModel, givenModel, image } from '../test/models.ts'
import { openUsdz } from '../test/open-usdz.ts'

const surface = '/Root/Materials/Paint/Surface.inputs:'

async function painted(
  paint: (model: GivenModel, material: ReturnType<GivenModel['document']['createMaterial']>) => Promise<void> | void,
  options?: ConvertOptions,
) {
  const model = givenModel()
  const material = model.document.createMaterial('Paint')
  await paint(model, material)
  model.node('Square', model.mesh('Square', model.square(material)))
  const { usdz, report } = await convert(await model.glb(), options)
  const usd = openUsdz(usdz)
  const sourceOf = (input: string) => {
    const connection = usd.connection(`${surface}${input}`)
    const [path, output] = connection?.split('.outputs:') ?? []
    return path ? { path, output, file: usd.text(`${path}.inputs:file`)! } : undefined
  }
  const pixel = async (input: string) => {
    const file = usd.files.find(({ name }) => name === sourceOf(input)?.file)!
    return [...(await sharp(file.data).raw().toBuffer()).subarray(0, 3)]
  }
  return { usd, report, sourceOf, pixel, codes: report.notes.map(({ code }) => code) }
}

const texture = async (model: GivenModel, color: number[], format: 'png' | 'jpeg' | 'webp' = 'png') =>
  model.document
    .createTexture('stone')
    .setImage((await image(color, format)) as Uint8Array<ArrayBuffer>)
    .setMimeType(`image/${format}`)

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

  test('pass JPEG and PNG through byte for byte, equal images once', async () => {
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

  test('keep an image that is both colour and data as two files, for viewers with one colour space a file', async () => {
    const { usd, sourceOf } = await painted(async (model, material) => {
      const stone = await texture(model, [1, 2, 3])
      material.setBaseColorTexture(stone).setMetallicRoughnessTexture(stone).setOcclusionTexture(stone)
    })
    expect(usd.files.map(({ name }) => name)).toEqual(['model.usdc', 'textures/stone.png', 'textures/stone_1.png'])
    expect(sourceOf('occlusion')?.file).toBe(sourceOf('roughness')?.file)
  })

  test('trust the bytes of an image, not the type the model gives it', async () => {
    const { usd } = await painted(async (model, material) => {
      material.setBaseColorTexture((await texture(model, [1, 2, 3], 'jpeg')).setMimeType('image/png'))
    })
    expect(usd.files[1]!.name).toBe('textures/stone.jpg')
  })

  test('work a colour factor into the pixels, as light and not as code values', async () => {
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

  test('read roughness from g and metallic from b of one raw texture, factors worked in', async () => {
    const { sourceOf, pixel, usd } = await painted(async (model, material) => {
      material.setMetallicRoughnessTexture(await texture(model, [10, 200, 100])).setRoughnessFactor(0.5)
    })
    expect(sourceOf('roughness')).toMatchObject({ output: 'g' })
    expect(sourceOf('metallic')).toMatchObject({ output: 'b', path: sourceOf('roughness')!.path })
    expect(usd.text(`${sourceOf('roughness')!.path}.inputs:sourceColorSpace`)).toBe('raw')
    expect(await pixel('roughness')).toEqual([10, 100, 100])
  })

  test('do not read a texture whose factor is 0', async () => {
    const { sourceOf, usd } = await painted(async (model, material) => {
      material.setMetallicRoughnessTexture(await texture(model, [10, 200, 100])).setMetallicFactor(0)
    })
    expect(sourceOf('metallic')).toBeUndefined()
    expect(usd.number(`${surface}metallic`)).toBe(0)
    expect(sourceOf('roughness')).toBeDefined()
  })

  test('flatten a normal map by its scale and keep its normals of length one', async () => {
    const { pixel, usd, sourceOf } = await painted(async (model, material) => {
      material.setNormalTexture(await texture(model, [218, 128, 218])).setNormalScale(0.5)
    })
    const [x, y, z] = (await pixel('normal')).map((value) => (value * 2) / 255 - 1)
    expect(x! / z!).toBeCloseTo(0.5, 1)
    expect(Math.hypot(x!, y!, z!)).toBeCloseTo(1, 1)
    expect(usd.text(`${sourceOf('normal')!.path}.inputs:sourceColorSpace`)).toBe('raw')
  })

  test('weaken occlusion by its strength', async () => {
    const { pixel } = await painted(async (model, material) => {
      material.setOcclusionTexture(await texture(model, [0, 0, 0])).setOcclusionStrength(0.2)
    })
    expect((await pixel('occlusion'))[0]).toBe(204)
  })

  test('cut out by alpha above the cutoff, and blend by alpha', async () => {
    const cut = await painted(async (model, material) => {
      material
        .setBaseColorTexture(await texture(model, [1, 2, 3, 128]))
        .setAlphaMode('MASK')
        .setAlphaCutoff(0.25)
    })
    expect(cut.sourceOf('opacity')).toMatchObject({ output: 'a', path: cut.sourceOf('diffuseColor')!.path })
    expect(cut.usd.number(`${surface}opacityThreshold`)).toBe(0.25)
    const blend = await painted((_, material) => {
      material.setAlphaMode('BLEND').setBaseColorFactor([1, 1, 1, 0.5])
    })
    expect(blend.usd.number(`${surface}opacity`)).toBe(0.5)
    expect(blend.usd.number(`${surface}opacityThreshold`)).toBeUndefined()
  })

  test('are opaque where glTF says so, whatever their alpha', async () => {
    const { sourceOf, usd } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [1, 2, 3, 0])).setBaseColorFactor([1, 1, 1, 0.5])
    })
    expect(sourceOf('opacity')).toBeUndefined()
    expect(usd.number(`${surface}opacity`)).toBeUndefined()
  })

  test('re-encode WebP as what viewers read, and say so', async () => {
    const { usd, codes, pixel } = await painted(async (model, material) => {
      model.document.createExtension(EXTTextureWebP).setRequired(true)
      material.setNormalTexture(await texture(model, [128, 128, 255], 'webp'))
    })
    expect(usd.files[1]!.name).toBe('textures/stone.png')
    expect(await pixel('normal')).toEqual([128, 128, 255])
    expect(codes).toContain('texture_reencoded')
  })

  test('leave out a texture that cannot be read, with a note, and keep its factor', async () => {
    const { usd, codes } = await painted((model, material) => {
      const broken = model.document
        .createTexture('broken')
        .setImage(Uint8Array.of(1, 2, 3, 4))
        .setMimeType('image/png')
      material.setBaseColorTexture(broken).setRoughnessFactor(0.25)
    })
    expect(usd.files).toHaveLength(1)
    expect(codes).toContain('texture_unreadable')
  })

  test('glow by factor times strength', async () => {
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

  test('that are unlit glow in their own colour, with a note', async () => {
    const { sourceOf, codes } = await painted(async (model, material) => {
      const unlit = model.document.createExtension(KHRMaterialsUnlit).createUnlit()
      material.setBaseColorTexture(await texture(model, [9, 9, 9])).setExtension('KHR_materials_unlit', unlit)
    })
    expect(sourceOf('emissiveColor')?.file).toBe('textures/stone.png')
    expect(sourceOf('diffuseColor')).toBeUndefined()
    expect(codes).toContain('unlit')
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

describe('texture coordinates', () => {
  const turned = (model: GivenModel) =>
    model.document
      .createExtension(KHRTextureTransform)
      .createTransform()
      .setOffset([0.5, 0.25])
      .setRotation(Math.PI / 2)
      .setScale([2, 4])

  test('count v from the bottom, as USD does', async () => {
    const { usd } = await painted(() => {})
    expect([...usd.floats('/Root/Square/Square.primvars:st')!]).toEqual([0, 0, 1, 0, 1, 1, 0, 1])
  })

  test('have a texture transform worked in: offset + rotation · scale · uv', async () => {
    const { usd, sourceOf } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [1, 2, 3]))
      material.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', turned(model))
    })
    const reader = usd.connection(`${sourceOf('diffuseColor')!.path}.inputs:st`)!.split('.')[0]
    const primvar = usd.text(`${reader}.inputs:varname`)
    // The corner (1, 1) of glTF: scaled (2, 4), turned by 90° (u' = v, v' = -u) to (4, -2), moved to (4.5, -1.75).
    const [u, v] = usd.floats(`/Root/Square/Square.primvars:${primvar}`)!.subarray(2, 4)
    expect(u).toBeCloseTo(4.5)
    expect(v).toBeCloseTo(1 + 1.75)
    expect(primvar).toBe('st')
  })

  test('keep plain sets under their names beside those with a transform worked in', async () => {
    const { usd, sourceOf } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [1, 2, 3]))
      material.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', turned(model))
      material.setOcclusionTexture(await texture(model, [4, 4, 4]))
    })
    const varname = (input: string) =>
      usd.text(`${usd.connection(`${sourceOf(input)!.path}.inputs:st`)!.split('.')[0]}.inputs:varname`)
    expect([varname('occlusion'), varname('diffuseColor')]).toEqual(['st', 'st1'])
    expect([...usd.floats('/Root/Square/Square.primvars:st')!]).toEqual([0, 0, 1, 0, 1, 1, 0, 1])
  })

  test('have the same transform in the spec profile, as a shader', async () => {
    const { usd, sourceOf } = await painted(
      async (model, material) => {
        material.setBaseColorTexture(await texture(model, [1, 2, 3]))
        material.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', turned(model))
      },
      { profile: 'spec' },
    )
    const shader = usd.connection(`${sourceOf('diffuseColor')!.path}.inputs:st`)!.split('.')[0]!
    expect(usd.text(`${shader}.info:id`)).toBe('UsdTransform2d')
    const two = (name: string) => {
      const { bytes } = usd.stage.crate
      const at = usd.stage.prims.get(shader)!.properties.get(name)!.value!.payload
      return [0, 4].map((i) => new DataView(bytes.buffer, bytes.byteOffset + at).getFloat32(i, true)) as [
        number,
        number,
      ]
    }
    const [scale, translation] = [two('inputs:scale'), two('inputs:translation')]
    const angle = (usd.number(`${shader}.inputs:rotation`)! * Math.PI) / 180
    // UsdTransform2d: in · scale, turned, moved. The corner (1, 1) of glTF is st (1, 0).
    const [x, y] = [1 * scale[0], 0 * scale[1]]
    expect(x * Math.cos(angle) - y * Math.sin(angle) + translation[0]).toBeCloseTo(4.5)
    expect(x * Math.sin(angle) + y * Math.cos(angle) + translation[1]).toBeCloseTo(2.75)
  })

  test('of a second set are read by the textures that name it', async () => {
    const { usd, sourceOf } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [1, 2, 3]))
      material.setOcclusionTexture(await texture(model, [4, 4, 4]))
      material.getOcclusionTextureInfo()!.setTexCoord(1)
    })
    const reader = usd.connection(`${sourceOf('occlusion')!.path}.inputs:st`)!.split('.')[0]
    expect(usd.text(`${reader}.inputs:varname`)).toBe('st1')
  })

  test('repeat, mirror or clamp as the sampler says', async () => {
    const { usd, sourceOf } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [1, 2, 3]))
      material.getBaseColorTextureInfo()!.setWrapS(33071).setWrapT(33648)
    })
    expect(usd.text(`${sourceOf('diffuseColor')!.path}.inputs:wrapS`)).toBe('clamp')
    expect(usd.text(`${sourceOf('diffuseColor')!.path}.inputs:wrapT`)).toBe('mirror')
  })
})
