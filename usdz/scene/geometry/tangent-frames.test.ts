import { KHRTextureTransform } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { type ConvertOptions, convert } from '../../index.ts'
import { givenModel } from '../../test/content/models.ts'
import { openUsdz } from '../../test/open-usdz.ts'
import { surface, texture } from '../../test/painted.ts'

/** Converts a square with a normal map of one direction and the same tangent at each vertex. */
async function embossed(
  tangent: number[],
  options?: ConvertOptions,
  change?: { scale: [number, number] },
  other = tangent,
) {
  const model = givenModel()
  const material = model.document.createMaterial('Paint').setNormalTexture(await texture(model, [200, 170, 230]))
  if (change) {
    const transform = model.document.createExtension(KHRTextureTransform).createTransform().setScale(change.scale)
    material.getNormalTextureInfo()!.setExtension('KHR_texture_transform', transform)
  }
  const tangents = Float32Array.from([0, 1, 2, 3].flatMap((vertex) => (vertex % 2 ? other : tangent)))
  const square = model.square(material).setAttribute('TANGENT', model.accessor('VEC4', tangents))
  model.node('Square', model.mesh('Square', square))
  const { usdz, report } = await convert(await model.glb(), { profile: 'spec', ...options })
  const usd = openUsdz(usdz)
  const path = usd.connection(`${surface}normal`)
  const notes = report.notes.map(({ code, message }) => `${code}: ${message}`)
  return { scale: usd.vector(`${path!.split('.')[0]}.inputs:scale`), notes }
}

const turnedBy = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180), 0, 1]
const turnedNote = (degrees: number) =>
  `tangents: Tangents are about ${degrees}° from those that texture coordinates give, which viewers use: ` +
  'the normal map looks different.'

describe('a normal map', () => {
  test('keeps its signs where tangents are those of the texture coordinates', async () => {
    expect(await embossed([1, 0, 0, 1])).toEqual({ scale: [2, 2, 2, 1], notes: [] })
  })

  test('has its green reversed where tangents have the other handedness', async () => {
    expect(await embossed([1, 0, 0, -1])).toEqual({ scale: [2, -2, 2, 1], notes: [] })
  })

  test('has red and green reversed where tangents point the other way', async () => {
    expect(await embossed([-1, 0, 0, 1])).toEqual({ scale: [-2, -2, 2, 1], notes: [] })
  })

  test('is compared with texture coordinates after their transform', async () => {
    expect(await embossed([1, 0, 0, 1], {}, { scale: [1, -1] })).toEqual({ scale: [2, -2, 2, 1], notes: [] })
  })

  test('has no note where tangents are turned too little to be seen', async () => {
    expect(await embossed(turnedBy(8))).toEqual({ scale: [2, 2, 2, 1], notes: [] })
  })

  test.each([20, 40, 90])('is named in a note with the angle where tangents are turned by %d°', async (degrees) => {
    expect(await embossed(turnedBy(degrees))).toEqual({ scale: [2, 2, 2, 1], notes: [turnedNote(degrees)] })
  })

  test('is named in a note where its texture coordinates are on a line or a point', async () => {
    const note =
      'tangents: Texture coordinates on one point or line give no tangents, which viewers derive from them: ' +
      'the normal map looks different.'
    for (const scale of [
      [1, 0],
      [0, 0],
    ] as [number, number][]) {
      expect(await embossed([1, 0, 0, 1], {}, { scale })).toEqual({ scale: [2, 2, 2, 1], notes: [note] })
    }
  })

  test('is named in a note where half of the tangents have the other handedness', async () => {
    const { notes } = await embossed([1, 0, 0, 1], {}, undefined, [1, 0, 0, -1])
    expect(notes).toEqual([turnedNote(100)])
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
