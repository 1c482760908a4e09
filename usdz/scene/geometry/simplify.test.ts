import type { Primitive } from '@gltf-transform/core'
import { EXTMeshGPUInstancing } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { type GivenModel, givenModel } from '../../test/content/models.ts'
import { movingModel } from '../../test/features/models/animated-model.ts'
import { ball, one } from '../../test/features/models/solids.ts'
import { openUsdz } from '../../test/open-usdz.ts'

const sphere = () => one((model) => ball(model))
/** A sphere of flat triangles, each with vertices of its own. */
function faceted(model: GivenModel): Primitive {
  const made = ball(model)
  const points = made.getAttribute('POSITION')!.getArray()!
  const corners = [...made.getIndices()!.getArray()!]
  const own = corners.flatMap((vertex) => [...points.subarray(vertex * 3, vertex * 3 + 3)])
  const normals = own.map((_, i) => {
    const [first, axis] = [i - (i % 9), i % 3]
    return (own[first + axis]! + own[first + 3 + axis]! + own[first + 6 + axis]!) / 3
  })
  const [positions, flat] = [own, normals].map((values) => model.accessor('VEC3', Float32Array.from(values)))
  return made
    .setIndices(null)
    .setAttribute('TEXCOORD_0', null)
    .setAttribute('POSITION', positions!)
    .setAttribute('NORMAL', flat!)
}

/** The triangles of `sphere`. */
const whole = 528

function meshOf(usdz: Uint8Array) {
  const usd = openUsdz(usdz)
  const [mesh] = usd.prims('Mesh')
  const read = (name: string) => [...(usd.floats(`${mesh!.path}.${name}`) ?? [])]
  const tuples = (name: string, size: number) =>
    Array.from({ length: read(name).length / size }, (_, i) => read(name).slice(i * size, (i + 1) * size))
  const corners = [...(usd.integers(`${mesh!.path}.faceVertexIndices`) ?? [])]
  return { corners, tuples, integers: (name: string) => [...(usd.integers(`${mesh!.path}.${name}`) ?? [])] }
}

describe('maxTriangles', () => {
  test.each(['quicklook', 'spec'] as const)(
    'reduces a mesh to at most so many, and reports the error, in %s',
    async (profile) => {
      const { report } = await convert(await sphere(), { profile, maxTriangles: 200 })
      expect(report.triangles).toBeLessThanOrEqual(200)
      expect(report.triangles).toBeGreaterThan(100)
      expect(report.simplification).toMatchObject({ from: whole, error: expect.any(Number) })
      expect(report.simplification!.error).toBeGreaterThan(0)
      expect(report.simplification!.error).toBeLessThan(0.2)
      expect(report.notes).toMatchObject([{ code: 'simplified', effect: 'changed' }])
      for (const side of [report.size.width, report.size.height, report.size.depth]) expect(side).toBeCloseTo(2, 0)
    },
  )

  test('that a model does not reach changes nothing', async () => {
    const plain = await convert(await sphere())
    const bounded = await convert(await sphere(), { maxTriangles: whole })
    expect(Buffer.from(bounded.usdz)).toEqual(Buffer.from(plain.usdz))
    expect(bounded.report).toEqual(plain.report)
  })

  test('leaves no crack along a seam of texture coordinates, and no unused vertex', async () => {
    const { usdz } = await convert(await sphere(), { maxTriangles: 150 })
    const { corners, tuples } = meshOf(usdz)
    const points = tuples('points', 3).map((point) => point.map((value) => (Math.round(value * 1e5) + 0) / 1e5).join())
    expect(new Set(corners).size).toBe(points.length)
    // A closed surface has each edge once in each direction.
    const edges = new Map<string, number>()
    for (let i = 0; i < corners.length; i += 3) {
      for (const [from, to] of [
        [0, 1],
        [1, 2],
        [2, 0],
      ] as const) {
        const edge = `${points[corners[i + from]!]} ${points[corners[i + to]!]}`
        edges.set(edge, (edges.get(edge) ?? 0) + 1)
      }
    }
    for (const [edge, times] of edges) {
      const [from, to] = edge.split(' ')
      expect([edge, times, edges.get(`${to} ${from}`)]).toEqual([edge, 1, 1])
    }
  })

  test('reduces a mesh whose every face is flat, although each of its edges is a seam', async () => {
    const { report } = await convert(await one((model) => faceted(model)), { maxTriangles: 300 })
    expect(report.triangles).toBeLessThanOrEqual(300)
    expect(report.simplification!.error).toBeLessThan(0.2)
    expect(report.notes.map(({ code }) => code)).toEqual(['simplified'])
  })

  test('counts each instance of a mesh', async () => {
    const glb = await one(
      (model) => ball(model),
      (model, node) => {
        const places = model.accessor('VEC3', Float32Array.of(0, 0, 0, 3, 0, 0, 6, 0, 0))
        const instances = model.document.createExtension(EXTMeshGPUInstancing).createInstancedMesh()
        node.setExtension('EXT_mesh_gpu_instancing', instances.setAttribute('TRANSLATION', places))
      },
    )
    const { report } = await convert(glb, { maxTriangles: 600 })
    expect(report.simplification).toMatchObject({ from: 3 * whole })
    expect(report.triangles).toBeLessThanOrEqual(600)
    expect(report.meshes).toBe(3)
  })

  test('keeps the joints and weights of each vertex', async () => {
    const model = movingModel()
    const joints = model.chain(40)
    model.body('Eel', model.mesh('Eel', model.bar(40)), model.skin(joints))
    const glb = await model.glb()
    const weighted = async (options: object) => {
      const { usdz, report } = await convert(glb, options)
      const { tuples, integers } = meshOf(usdz)
      const points = tuples('points', 3)
      const size = integers('primvars:skel:jointIndices').length / points.length
      expect(size).toBeGreaterThan(0)
      const weights = tuples('primvars:skel:jointWeights', size)
      return { report, skin: points.map((point, i) => [point, weights[i]].toString()) }
    }
    const plain = await weighted({})
    const fewer = await weighted({ maxTriangles: 100 })
    expect(fewer.report.triangles).toBeLessThan(plain.report.triangles)
    expect(fewer.report.skins).toBe(1)
    expect(fewer.skin.filter((vertex) => !plain.skin.includes(vertex))).toEqual([])
  })

  test('keeps meshes with morph targets, and notes it', async () => {
    const glb = await one((model) => {
      const count = ball(model).getAttribute('POSITION')!.getCount()
      const target = model.document.createPrimitiveTarget()
      target.setAttribute('POSITION', model.accessor('VEC3', new Float32Array(count * 3).fill(0.1)))
      return ball(model).addTarget(target)
    })
    const { report } = await convert(glb, { maxTriangles: 100 })
    expect(report.triangles).toBe(whole)
    expect(report).not.toHaveProperty('simplification')
    expect(report.notes.map(({ code }) => code).sort()).toEqual(['not_simplified', 'triangles_left'])
  })

  test('leaves what is damaged to the checks that name it', async () => {
    const model = givenModel()
    const broken = ball(model)
    broken.getAttribute('POSITION')!.getArray()![300] = Number.NaN
    model.node('Broken', model.mesh('Broken', broken))
    await expect(convert(await model.glb(), { maxTriangles: 100 })).rejects.toMatchObject({ code: 'malformed' })
  })

  test.each([99, 1.5, '200', Number.NaN])('%s is refused', async (maxTriangles) => {
    await expect(convert(await sphere(), { maxTriangles } as object)).rejects.toMatchObject({ code: 'unsupported' })
  })
})
