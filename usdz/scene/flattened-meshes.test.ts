import { NodeIO } from '@gltf-transform/core'
import { EXTMeshGPUInstancing } from '@gltf-transform/extensions'
import { expect, test } from 'vitest'
import { convert, convertToGlb } from '../index.ts'
import { inverse, transform } from '../motion/math/affine.ts'
import { withJson } from '../test/content/models.ts'
import { movingModel, turn } from '../test/features/models/animated-model.ts'
import { paint } from '../test/features/models/soft-bodies.ts'
import { ball, cube } from '../test/features/models/solids.ts'
import { openUsdz } from '../test/open-usdz.ts'
import { determinant } from './matrix.ts'

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

/** Where the fronts of the first mesh point in space: the sum of its triangles, and of its normals. */
async function frontsOf(glb: Uint8Array) {
  const document = await new NodeIO().readBinary(glb)
  const node = document
    .getRoot()
    .listNodes()
    .find((one) => one.getMesh())!
  const world = node.getWorldMatrix()
  const [primitive] = node.getMesh()!.listPrimitives()
  const vectors = (semantic: string) => {
    const accessor = primitive!.getAttribute(semantic)!
    return Array.from({ length: accessor.getCount() }, (_, i) => accessor.getElement(i, []))
  }
  const points = vectors('POSITION').map((point) => transform(world, point, 1))
  const corners = [...primitive!.getIndices()!.getArray()!].map((index) => points[index]!)
  const turned = determinant(world) < 0 ? -1 : 1
  const faces = [0, 0, 0]
  for (let at = 0; at < corners.length; at += 3) {
    const [a, b, c] = corners.slice(at, at + 3).map((corner) => corner as number[]) as [number[], number[], number[]]
    const [u, v] = [b, c].map((point) => point.map((value, k) => value - a[k]!)) as [number[], number[]]
    for (const k of [0, 1, 2]) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3]
      faces[k]! += turned * (u[l]! * v[m]! - u[m]! * v[l]!)
    }
  }
  const back = inverse(world)
  const normals =
    back &&
    vectors('NORMAL').map((n) => [0, 4, 8].map((k) => n[0]! * back[k]! + n[1]! * back[k + 1]! + n[2]! * back[k + 2]!))
  return { faces, normals }
}

test.each(['quicklook', 'spec'] as const)(
  '%s: a flat mesh below a mirrored node that moves keeps its front',
  async (profile) => {
    const fronts = async (scale: Scale, flat: Scale) => {
      const model = movingModel()
      const above = model.node('Mirror').setScale(scale)
      model.node('Flat', model.mesh('Square', model.square(paint(model))), above).setScale(flat)
      model.move('Turn', above, 'rotation', [0, 1], [turn([0, 1, 0], 0), turn([0, 1, 0], 90)])
      const glb = await model.glb()
      const { usdz, report } = await convert(glb, { profile })
      expect(report.notes).toEqual([])
      return [await frontsOf(glb), await frontsOf((await convertToGlb(usdz)).glb)] as const
    }
    for (const scale of [
      [-1, 1, 1],
      [1, -2, 1],
      [1, 1, 1],
    ] as Scale[]) {
      const [source, result] = await fronts(scale, [1, 1, 0])
      for (const k of [0, 1, 2]) expect(result.faces[k]).toBeCloseTo(source.faces[k]!, 5)
      const along = (vector: readonly number[]) => vector.reduce((sum, value, k) => sum + value * source.faces[k]!, 0)
      for (const normal of result.normals!) expect(along(normal)).toBeGreaterThan(0)
    }
  },
)

test('instances of the same flat shape store it once, also turned and enlarged, and are where they were', async () => {
  const model = movingModel()
  const node = model.node('Cubes', model.mesh('Cube', cube(model, paint(model)))).setTranslation([0, 3, 0])
  const turns = [turn([1, 2, 3], 50), turn([0, 1, 0], 0), turn([0, 1, 0], 0), turn([1, 0, 0], 90)]
  const instanced = model.document
    .createExtension(EXTMeshGPUInstancing)
    .createInstancedMesh()
    .setAttribute('TRANSLATION', model.accessor('VEC3', Float32Array.of(1, 0, 0, 2, 0, 0, 4, 0, 0, 8, 0, 0)))
    .setAttribute('ROTATION', model.accessor('VEC4', Float32Array.from(turns.flat())))
    .setAttribute('SCALE', model.accessor('VEC3', Float32Array.of(1, 0, 1, 1, 0, 1, 0, 0, 0, 3, 0, 3)))
  node.setExtension('EXT_mesh_gpu_instancing', instanced)
  const { usdz, report } = await convert(await model.glb(), { profile: 'spec', limits: { triangles: 24 } })
  const usd = openUsdz(usdz)
  const places = usd.prims('Xform').flatMap(({ path }) => {
    const matrix = usd.matrix(`${path}.xformOp:transform`)
    return matrix ? [[...matrix].slice(12, 15)] : []
  })
  expect(places).toEqual([1, 2, 4, 8].map((x) => [x, 3, 0]))
  expect(report.meshes).toBe(4)
  // The last one stands upright, three times as large.
  expect([report.size.width, report.size.height]).toEqual([expect.closeTo(11.3, 0), expect.closeTo(6, 5)])
})

test('both sides of a flat ball have normals of their own up to the rim, where they share vertices', async () => {
  const model = movingModel()
  model.node('Flat', model.mesh('Ball', ball(model, paint(model)))).setScale([1, 0, 1])
  const document = await new NodeIO().readBinary((await convertToGlb((await convert(await model.glb())).usdz)).glb)
  const [primitive] = document.getRoot().listMeshes()[0]!.listPrimitives()
  const corners = [...primitive!.getIndices()!.getArray()!]
  const at = (semantic: string, k: number) => primitive!.getAttribute(semantic)!.getElement(corners[k]!, [] as number[])
  const ups: number[] = []
  for (let i = 0; i < corners.length; i += 3) {
    const [a, b, c] = [at('POSITION', i), at('POSITION', i + 1), at('POSITION', i + 2)] as const
    const up = Math.sign((b[2]! - a[2]!) * (c[0]! - a[0]!) - (b[0]! - a[0]!) * (c[2]! - a[2]!))
    for (const k of [i, i + 1, i + 2]) ups.push(up * at('NORMAL', k)[1]!)
  }
  expect([ups.length, new Set(ups)]).toEqual([24 * 22 * 3, new Set([1])])
})
