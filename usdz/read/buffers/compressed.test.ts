import { type Document, NodeIO } from '@gltf-transform/core'
import { EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } from '@gltf-transform/extensions'
import draco3d from 'draco3dgltf'
import { MeshoptEncoder } from 'meshoptimizer'
import { describe, expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { givenModel, withJson } from '../../test/content/models.ts'
import { putTogether, takeApart } from '../../test/fuzz/glb-parts.ts'
import { openUsdz } from '../../test/open-usdz.ts'

type Item = Record<string, unknown>
type Json = Record<string, Item[]>
type View = Item & { extensions: Record<string, Item> }

/** A sphere, open at its poles, with normals, texture coordinates and byte colours. */
async function ball(prepare: (document: Document) => void): Promise<Uint8Array> {
  const model = givenModel()
  const side = 24
  const of = (size: number, at: (u: number, v: number) => number[]) =>
    Float32Array.from({ length: side * side * size }, (_, i) => {
      const vertex = Math.floor(i / size)
      return at((vertex % side) / (side - 1), Math.floor(vertex / side) / (side - 1))[i % size]!
    })
  const onBall = (u: number, v: number) => {
    const [a, b] = [u * 6, 0.3 + v * 2.5]
    return [Math.cos(a) * Math.sin(b), Math.cos(b), Math.sin(a) * Math.sin(b)]
  }
  const faces = Array.from({ length: (side - 1) ** 2 }, (_, cell) => {
    const at = Math.floor(cell / (side - 1)) * side + (cell % (side - 1))
    return [at, at + 1, at + side, at + 1, at + side + 1, at + side]
  })
  const colors = Uint8Array.from(
    of(4, (u, v) => [u, v, 1, 1]),
    (value) => value * 255,
  )
  const primitive = model.primitive(
    {
      POSITION: { type: 'VEC3', array: of(3, onBall) },
      NORMAL: { type: 'VEC3', array: of(3, onBall) },
      TEXCOORD_0: { type: 'VEC2', array: of(2, (u, v) => [u, v]) },
      COLOR_0: { type: 'VEC4', array: colors, normalized: true },
    },
    Uint16Array.from(faces.flat()),
  )
  model.node('Ball', model.mesh('Ball', primitive))
  prepare(model.document)
  await MeshoptEncoder.ready
  return await new NodeIO()
    .registerExtensions([KHRDracoMeshCompression, EXTMeshoptCompression, KHRMeshQuantization])
    .registerDependencies({ 'draco3d.encoder': await draco3d.createEncoderModule(), 'meshopt.encoder': MeshoptEncoder })
    .writeBinary(model.document)
}

const draco = (document: Document) => {
  document.createExtension(KHRDracoMeshCompression).setRequired(true)
}
const meshopt = (method: 'QUANTIZE' | 'FILTER') => (document: Document) => {
  const extension = document.createExtension(EXTMeshoptCompression).setRequired(true)
  extension.setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod[method] })
}
const ratified = (glb: Uint8Array) =>
  withJson(glb, (json) => {
    Object.assign(json, JSON.parse(JSON.stringify(json).replaceAll('EXT_meshopt', 'KHR_meshopt')))
  })
const errorOf = async (glb: Uint8Array) => await convert(glb).catch((error: unknown) => error)

describe('compressed meshes', () => {
  test('equal the original meshes, within the precision of their encoding', { tags: ['long'] }, async () => {
    const coded: [string, Uint8Array][] = [
      ['Draco', await ball(draco)],
      ['meshopt', await ball(meshopt('QUANTIZE'))],
      ['meshopt with filters', await ball(meshopt('FILTER'))],
      ['meshopt by its ratified name', ratified(await ball(meshopt('FILTER')))],
    ]
    for (const [name, glb] of coded) {
      const { usdz, report } = await convert(glb, { profile: 'spec' })
      const usd = openUsdz(usdz)
      expect(report.triangles, name).toBe(23 * 23 * 2)
      const [points, normals] = [usd.floats('/Root/Ball/Ball.points')!, usd.floats('/Root/Ball/Ball.normals')!]
      // On a sphere around the origin the normal equals the position, in any order of vertices.
      for (const [i, value] of points.entries()) expect(Math.abs(value - normals[i]!), name).toBeLessThan(0.02)
      expect(usd.floats('/Root/Ball/Ball.primvars:displayColor'), name).toHaveLength(points.length)
    }
  })

  test('by Draco that cannot be decoded are named', { tags: ['long'] }, async () => {
    const glb = await ball(draco)
    const broken = async (change: (extension: Item) => void) =>
      await errorOf(
        withJson(glb, (json) => {
          const [primitive] = (json as Json).meshes![0]!.primitives as { extensions: Record<string, Item> }[]
          change(primitive!.extensions.KHR_draco_mesh_compression!)
        }),
      )
    const undecodable = { code: 'malformed', message: 'mesh 0 "Ball", primitive 0: its Draco data cannot be decoded.' }
    expect(await broken((extension) => Object.assign(extension.attributes as Item, { NORMAL: 77 }))).toMatchObject(
      undecodable,
    )
    expect(await broken((extension) => Object.assign(extension.attributes as Item, { POSITION: 2 }))).toMatchObject(
      undecodable,
    )
    expect(await broken((extension) => Object.assign(extension, { bufferView: 5 }))).toMatchObject({
      message: 'mesh 0 "Ball", primitive 0: its Draco data is missing.',
    })
    const parts = takeApart(glb)!
    expect(await errorOf(putTogether({ ...parts, binary: parts.binary.slice().fill(7, 11, 60) }))).toMatchObject(
      undecodable,
    )
  })

  test('by meshopt need no bytes in the buffer for other readers, whether or not it says that it is one', async () => {
    const glb = withJson(await ball(meshopt('QUANTIZE')), (json) => {
      const fallback = (json as Json).buffers!.find(({ extensions }) => extensions)!
      expect(fallback).toMatchObject({ extensions: { EXT_meshopt_compression: { fallback: true } } })
      delete fallback.extensions
    })
    expect((await convert(glb)).report.triangles).toBe(23 * 23 * 2)
  })

  test('by meshopt that cannot be decoded are named', async () => {
    const glb = await ball(meshopt('QUANTIZE'))
    const broken = async (change: (extension: Item, view: Item) => void) =>
      await errorOf(
        withJson(glb, (json) => {
          const view = (json as Json).bufferViews![0] as View
          change(view.extensions.EXT_meshopt_compression!, view)
        }),
      )
    expect(await broken((extension) => Object.assign(extension, { count: 5 }))).toMatchObject({
      message: expect.stringMatching(/^buffer view 0: 5 compressed elements of \d+ bytes do not fill its \d+ bytes\.$/),
    })
    for (const change of [{ mode: 'SPHERES' }, { filter: 'toString' }, { mode: 'INDICES', filter: 'QUATERNION' }]) {
      expect(await broken((extension) => Object.assign(extension, change))).toMatchObject({
        message: expect.stringMatching(/^buffer view 0: meshopt has no/),
      })
    }
    const parts = takeApart(glb)!
    expect(await errorOf(putTogether({ ...parts, binary: parts.binary.slice().fill(0) }))).toMatchObject({
      message: expect.stringMatching(/^buffer view \d: its meshopt data cannot be decoded\.$/),
    })
  })
})
