import { expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { givenModel, image, squareGlb, withJson } from '../../test/content/models.ts'
import { validateGltf } from './validate.ts'

const many = (count: number, item: object = {}) => Array.from({ length: count }, () => item)

test.each([
  ['nodes', { nodes: many(100_001) }],
  ['meshes', { meshes: many(50_001, { primitives: [] }) }],
  ['materials', { materials: many(10_001) }],
  ['textures', { textures: many(10_001) }],
  ['images', { images: many(10_001) }],
  ['samplers', { samplers: many(10_001) }],
  ['skins', { skins: many(10_001, { joints: [] }) }],
  ['animations', { animations: many(10_001, { samplers: [], channels: [] }) }],
  ['accessors', { accessors: many(150_001) }],
  ['buffer views', { bufferViews: many(150_001) }],
  ['primitives', { meshes: many(501, { primitives: many(100) }) }],
  ['morph targets', { meshes: many(201, { primitives: [{ targets: many(100) }] }) }],
  ['channels of animations', { animations: many(101, { channels: many(1000) }) }],
  ['joints of skins', { skins: many(201, { joints: many(1000) }) }],
])('more %s than viewers show are refused before they are read', (what, json) => {
  let thrown: unknown
  try {
    validateGltf(json, undefined)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toMatchObject({ code: 'too_large', message: expect.stringContaining(` ${what}; at most`) })
})

test('as many nodes as a large assembly has are read', { tags: ['long'] }, async () => {
  const glb = withJson(await squareGlb(), (json) => {
    ;(json.nodes as object[]).push(...many(50_000))
  })
  expect((await convert(glb)).report.meshes).toBe(1)
})

test('primitives that use little of a shared long vertex array allocate only what they use', async () => {
  const model = givenModel()
  const points = model.accessor('VEC3', new Float32Array(900_000).fill(7))
  const primitives = Array.from({ length: 500 }, (_, index) => {
    const primitive = model.document.createPrimitive().setAttribute('POSITION', points).setAttribute('NORMAL', points)
    return primitive.setIndices(model.accessor('SCALAR', Uint32Array.of(index, 90_000, 299_999)))
  })
  model.node('Shared', model.mesh('Shared', ...primitives))
  const { usdz, report } = await convert(await model.glb())
  expect(report).toMatchObject({ meshes: 500, vertices: 1500, triangles: 500 })
  expect(usdz.length).toBeLessThan(400_000)
})

test('an image with a different colour in every material is limited', async () => {
  const model = givenModel()
  const texture = model.document.createTexture('a').setImage((await image([9, 99, 199])) as Uint8Array<ArrayBuffer>)
  for (let index = 0; index < 4; index++) {
    const paint = model.document.createMaterial(`${index}`).setBaseColorTexture(texture.setMimeType('image/png'))
    model.node('Square', model.mesh('Square', model.square(paint.setBaseColorFactor([index / 4, 1, 1, 1]))))
  }
  const glb = await model.glb()
  await expect(convert(glb, { limits: { texturePixels: 16 } })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('too many versions'),
  })
  expect((await convert(glb, { limits: { texturePixels: 32 } })).report.textures).toBe(4)
})
