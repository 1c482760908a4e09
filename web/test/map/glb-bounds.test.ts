import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { boxGlb, glbOf } from '../../../server/test/content/glb.ts'
import { assertBounded } from '../../src/pages/map/models/glb-bounds.ts'

const check = (json: unknown, binary?: Uint8Array) => () => assertBounded(glbOf(json, binary).buffer)
const points = (count: unknown) => ({ count, type: 'VEC3', componentType: 5126 })
const mesh = { primitives: [{ attributes: { POSITION: 0 } }] }

/** The beginning of a PNG of that many pixels. */
function pngOf(width: number, height: number): Uint8Array {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008000000000000000000000049444154', 'hex')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return Buffer.concat([head, deflateSync(Buffer.alloc(100))])
}

describe('a model on the map', () => {
  test('of an ordinary size is read', () => {
    expect(() => assertBounded(boxGlb({ nodes: [{}, {}] }).buffer)).not.toThrow()
    expect(check({ images: [{ bufferView: 0 }], bufferViews: [{ byteLength: 200 }] }, pngOf(4096, 4096))).not.toThrow()
  })

  test('that would become gigabytes is refused before it is decoded', () => {
    expect(check({ accessors: [points(200_000_000)] })).toThrow('bytes of accessors')
    const meshopt = { extensions: { EXT_meshopt_compression: { count: 1e8, byteStride: 16 } } }
    expect(check({ bufferViews: [meshopt] })).toThrow('bytes of accessors')
    const drawn = { accessors: [points(10_000)], meshes: [mesh] }
    expect(check({ ...drawn, nodes: Array(1000).fill({ mesh: 0 }) })).toThrow('vertices')
    const instances = { mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1 } } } }
    expect(check({ ...drawn, accessors: [points(10_000), points(1000)], nodes: [instances] })).toThrow('vertices')
    expect(check({ nodes: Array(50_001).fill({}) })).toThrow('nodes')
    expect(check({ images: Array(1001).fill({}) })).toThrow('images')
    const image = { images: [{ bufferView: 0 }], bufferViews: [{ byteLength: 200 }] }
    expect(check(image, pngOf(40_000, 40_000))).toThrow('pixels')
  })

  test('with images or buffers of their own address, whose sizes are not known, is refused', () => {
    const uri = `data:image/png;base64,${Buffer.from(pngOf(40_000, 40_000)).toString('base64')}`
    expect(check({ images: [{ uri }] })).toThrow('outside its binary chunk')
    expect(check({ buffers: [{}, {}] })).toThrow('outside its binary chunk')
    const skinned = { primitives: [{ indices: 1, attributes: { POSITION: 0 } }] }
    const nodes = Array(10_000).fill({ mesh: 0, skin: 0 })
    expect(check({ accessors: [points(1_000_000), points(3)], meshes: [skinned], nodes })).toThrow('vertices')
  })

  test('whose nodes are no tree, or whose numbers are none, is refused', () => {
    expect(check({ nodes: [{ children: [1] }, { children: [2] }, { children: [1] }], scenes: [] })).toThrow('no tree')
    expect(check({ nodes: [{ children: [1] }, { children: [0] }], scenes: [{ nodes: [0] }] })).toThrow('no tree')
    for (const count of ['1e9', -1, 1.5]) expect(check({ accessors: [points(count)] })).toThrow('natural number')
    expect(() => assertBounded(new ArrayBuffer(40))).toThrow('no GLB')
  })
})
