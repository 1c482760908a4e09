import { KHRTextureTransform } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { type ConvertOptions, convert } from '../../index.ts'
import { givenModel } from '../../test/content/models.ts'
import { openUsdz } from '../../test/open-usdz.ts'
import { surface, texture } from '../../test/painted.ts'

/** Converts a square with a normal map of one direction and the same tangent at each vertex. */
async function embossed(tangent: number[], options?: ConvertOptions, change?: { scale: [number, number] }) {
  const model = givenModel()
  const material = model.document.createMaterial('Paint').setNormalTexture(await texture(model, [200, 170, 230]))
  if (change) {
    const transform = model.document.createExtension(KHRTextureTransform).createTransform().setScale(change.scale)
    material.getNormalTextureInfo()!.setExtension('KHR_texture_transform', transform)
  }
  const tangents = Float32Array.from([0, 1, 2, 3].flatMap(() => tangent))
  const square = model.square(material).setAttribute('TANGENT', model.accessor('VEC4', tangents))
  model.node('Square', model.mesh('Square', square))
  const { usdz, report } = await convert(await model.glb(), { profile: 'spec', ...options })
  const usd = openUsdz(usdz)
  const path = usd.connection(`${surface}normal`)
  return { scale: usd.vector(`${path!.split('.')[0]}.inputs:scale`), codes: report.notes.map(({ code }) => code) }
}

describe('a normal map', () => {
  test('keeps its signs where tangents are those of the texture coordinates', async () => {
    expect(await embossed([1, 0, 0, 1])).toEqual({ scale: [2, 2, 2, 1], codes: [] })
  })

  test('has its green reversed where tangents have the other handedness', async () => {
    expect(await embossed([1, 0, 0, -1])).toEqual({ scale: [2, -2, 2, 1], codes: [] })
  })

  test('has red and green reversed where tangents point the other way', async () => {
    expect(await embossed([-1, 0, 0, 1])).toEqual({ scale: [-2, -2, 2, 1], codes: [] })
  })

  test('is compared with texture coordinates after their transform', async () => {
    expect(await embossed([1, 0, 0, 1], {}, { scale: [1, -1] })).toEqual({ scale: [2, -2, 2, 1], codes: [] })
  })

  test('is named in a note where tangents have another direction than any texture coordinates give', async () => {
    expect(await embossed([0, 1, 0, 1])).toEqual({ scale: [2, 2, 2, 1], codes: ['tangents'] })
  })
})

test('parts with opposite tangents that share a material get a material each', async () => {
  const model = givenModel()
  const material = model.document.createMaterial('Paint').setNormalTexture(await texture(model, [200, 170, 230]))
  for (const w of [1, -1]) {
    const tangents = Float32Array.from([0, 1, 2, 3].flatMap(() => [1, 0, 0, w]))
    const square = model.square(material).setAttribute('TANGENT', model.accessor('VEC4', tangents))
    model.node(`Square ${w}`, model.mesh('Square', square))
  }
  const { usdz } = await convert(await model.glb())
  const usd = openUsdz(usdz)
  expect(usd.prims('Material').map(({ path }) => path)).toEqual(['/Root/Materials/Paint', '/Root/Materials/Paint_1'])
  expect(usd.files.length).toBe(3)
})
