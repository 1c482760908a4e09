import { EXTMeshGPUInstancing } from '@gltf-transform/extensions'
import { expect, test } from 'vitest'
import { convert } from '../index.ts'
import { type GivenModel, givenModel, image } from '../test/content/models.ts'
import { openUsdz } from '../test/open-usdz.ts'

type Numbers = Float32Array | Uint8Array

/** Squares side by side with a colour each, and further attributes. */
async function squares(count: number, colorOf: (index: number) => number[], others: Record<string, Numbers> = {}) {
  const model = givenModel()
  const material = model.document.createMaterial('Paint').setBaseColorFactor([0.5, 1, 1, 1])
  return { model, material, glb: () => planted(model, material) }

  async function planted(given: GivenModel, paint: typeof material) {
    const places = Float32Array.from({ length: count * 3 }, (_, i) => (i % 3 === 0 ? i : 0))
    const colors = Float32Array.from(Array.from({ length: count }, (_, i) => colorOf(i)).flat())
    const instances = given.document
      .createExtension(EXTMeshGPUInstancing)
      .createInstancedMesh()
      .setAttribute('TRANSLATION', given.accessor('VEC3', places))
      .setAttribute('_COLOR_0', given.accessor('VEC3', colors))
    for (const [name, array] of Object.entries(others)) instances.setAttribute(name, given.accessor('SCALAR', array))
    const mesh = given.mesh('Square', given.square(paint))
    given.node('Squares', mesh).setExtension('EXT_mesh_gpu_instancing', instances)
    return await given.glb()
  }
}

test('instances have the base colour times their colour, the same once', async () => {
  const palette = [
    [1, 0, 0],
    [1, 0, 0],
    [0, 0.5, 1],
  ]
  const { glb } = await squares(3, (index) => palette[index]!)
  const { usdz, report } = await convert(await glb())
  const usd = openUsdz(usdz)
  const colors = usd.prims('Mesh').map(({ path }) => {
    const material = usd.target(`${path}.material:binding`)
    return usd.vector(`${material}/Surface.inputs:diffuseColor`)
  })
  expect(colors).toEqual([
    [0.5, 0, 0],
    [0.5, 0, 0],
    [0, 0.5, 1],
  ])
  expect(report).toMatchObject({ materials: 2, notes: [] })
})

test('other attributes of instances are named in notes', async () => {
  const { glb } = await squares(2, () => [1, 1, 1], { _ID: Uint8Array.of(1, 2) })
  const { report } = await convert(await glb())
  expect(report.notes.map(({ message }) => message)).toEqual(['The attribute _ID of instances is left out.'])
})

test('more colours than images are rounded, with a note', async () => {
  const { model, material, glb } = await squares(60, (index) => [index / 60, 1, 1])
  const texture = model.document.createTexture('Stone').setMimeType('image/png')
  material.setBaseColorTexture(texture.setImage((await image([200, 100, 50])) as Uint8Array<ArrayBuffer>))
  const { usdz, report } = await convert(await glb())
  expect(report.notes).toMatchObject([
    { code: 'instance_colors', effect: 'changed', message: expect.stringContaining('"Paint" are rounded'), count: 28 },
  ])
  expect(openUsdz(usdz).files.length).toBeLessThan(40)
})
