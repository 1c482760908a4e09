import { NodeIO } from '@gltf-transform/core'
import { EXTMeshGPUInstancing } from '@gltf-transform/extensions'
import { expect, test } from 'vitest'
import { convert, convertToGlb } from '../index.ts'
import { withJson } from '../test/content/models.ts'
import { movingModel, turn } from '../test/features/models/animated-model.ts'
import { paint } from '../test/features/models/soft-bodies.ts'
import { cube } from '../test/features/models/solids.ts'
import { openUsdz } from '../test/open-usdz.ts'

type Scale = [number, number, number]

/** A cube below a turned node, with a scale; the matrices of the package, and its size. */
async function scaled(scale: Scale, moves = false) {
  const model = movingModel()
  const group = model.node('Group').setTranslation([5, 0, 0])
  const node = model.node('Flat', model.mesh('Cube', cube(model, paint(model))), group).setScale(scale)
  if (moves) model.move('Turn', group, 'rotation', [0, 1], [turn([0, 1, 0], 0), turn([0, 1, 0], 90)])
  else node.setRotation(turn([1, 0, 0], 90))
  model.node('Whole', model.mesh('Other', cube(model, paint(model))))
  const { usdz, report } = await convert(await model.glb())
  const document = await new NodeIO().readBinary((await convertToGlb(usdz)).glb)
  const singular = document
    .getRoot()
    .listNodes()
    .filter((one) => one.getScale().includes(0))
  return { report, singular: singular.length, meshes: report.meshes }
}

test('a mesh that its scale flattens has the vertices that are seen, and no scale of zero', async () => {
  const { report, singular, meshes } = await scaled([1, 0, 1])
  expect([singular, meshes, report.notes]).toEqual([0, 2, []])
  expect(report.size).toMatchObject({ width: 7, height: 2, depth: 2 })
})

test('a mesh that its scale shrinks to a line or a point is still a mesh', async () => {
  for (const scale of [
    [0, 0, 0],
    [1, 0, 0],
  ] as Scale[]) {
    const { report, singular, meshes } = await scaled(scale)
    expect([singular, meshes, report.notes]).toEqual([0, 2, []])
  }
})

test('a flattened mesh below a node that moves has the vertices that are seen, below that node', async () => {
  const { report, singular, meshes } = await scaled([1, 0, 1], true)
  expect([singular, meshes, report.notes]).toEqual([0, 2, []])
})

test('a matrix that flattens a mesh that moves is named in a note', async () => {
  const model = movingModel()
  const flat = model.node('Flat')
  const node = model.node('Cube', model.mesh('Cube', cube(model, paint(model))), flat)
  model.move('Turn', node, 'rotation', [0, 1], [turn([0, 1, 0], 0), turn([0, 1, 0], 90)])
  const notesWith = async (matrix: number[]) => {
    const glb = withJson(await model.glb(), (json) => {
      Object.assign((json.nodes as { name: string }[]).find(({ name }) => name === 'Flat')!, { matrix })
    })
    return (await convert(glb)).report.notes.map(({ code }) => code)
  }
  expect(await notesWith([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])).toEqual(['flattened_in_motion'])
  expect(await notesWith([1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])).toEqual([])
})

test('instances of the same flat shape store it once, and are where they were', async () => {
  const model = movingModel()
  const node = model.node('Cubes', model.mesh('Cube', cube(model, paint(model)))).setTranslation([0, 3, 0])
  const instanced = model.document
    .createExtension(EXTMeshGPUInstancing)
    .createInstancedMesh()
    .setAttribute('TRANSLATION', model.accessor('VEC3', Float32Array.of(1, 0, 0, 2, 0, 0, 4, 0, 0)))
    .setAttribute('SCALE', model.accessor('VEC3', Float32Array.of(1, 0, 1, 1, 0, 1, 0, 0, 0)))
  node.setExtension('EXT_mesh_gpu_instancing', instanced)
  const { usdz, report } = await convert(await model.glb(), { profile: 'spec', limits: { triangles: 24 } })
  const usd = openUsdz(usdz)
  const places = usd.prims('Xform').flatMap(({ path }) => {
    const matrix = usd.matrix(`${path}.xformOp:transform`)
    return matrix ? [[...matrix].slice(12, 15)] : []
  })
  expect(places).toEqual([1, 2, 4].map((x) => [x, 3, 0]))
  expect([report.meshes, report.size]).toMatchObject([3, { width: 4, height: 0, depth: 2 }])
})
