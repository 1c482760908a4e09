import { KHRTextureTransform } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import type { GivenModel } from '../../test/content/models.ts'
import { painted, texture } from '../../test/painted.ts'

describe('texture coordinates', () => {
  const turned = (model: GivenModel) =>
    model.document
      .createExtension(KHRTextureTransform)
      .createTransform()
      .setOffset([0.5, 0.25])
      .setRotation(Math.PI / 2)
      .setScale([2, 4])

  test('count v from the bottom, as in USD', async () => {
    const { usd } = await painted(() => {})
    expect([...usd.floats('/Root/Square/Square.primvars:st')!]).toEqual([0, 0, 1, 0, 1, 1, 0, 1])
  })

  test('include a texture transform: offset + rotation · scale · uv', async () => {
    const { usd, sourceOf } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [1, 2, 3]))
      material.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', turned(model))
    })
    const reader = usd.connection(`${sourceOf('diffuseColor')!.path}.inputs:st`)!.split('.')[0]
    const primvar = usd.text(`${reader}.inputs:varname`)
    // The corner (1, 1) of glTF: scaled (2, 4), rotated by 90° (u' = v, v' = -u) to (4, -2), translated to (4.5, -1.75).
    const [u, v] = usd.floats(`/Root/Square/Square.primvars:${primvar}`)!.subarray(2, 4)
    expect(u).toBeCloseTo(4.5)
    expect(v).toBeCloseTo(1 + 1.75)
    expect(primvar).toBe('st')
  })

  test('keep the names of plain sets beside transformed ones', async () => {
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
    // UsdTransform2d: in · scale, rotated, translated. The corner (1, 1) of glTF is st (1, 0).
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

  test('are interpolated even with nearest-neighbour sampling, with a note', async () => {
    const { codes } = await painted(async (model, material) => {
      material.setBaseColorTexture(await texture(model, [1, 2, 3]))
      material.getBaseColorTextureInfo()!.setMagFilter(9728)
    })
    expect(codes).toEqual(['texture_filter'])
  })
})
