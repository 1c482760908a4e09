import { describe, expect, test } from 'vitest'
import { checkPackage, convert } from '../index.ts'
import { writePackage } from '../package/zip.ts'
import { image, squareGlb } from '../test/models.ts'
import { writeCrate } from '../usd/crate/write-crate.ts'
import { attribute, type Layer, type Prim, port, relationship } from '../usd/prim.ts'
import { readZip } from './read-zip.ts'

const metadata: Layer['metadata'] = [
  { name: 'defaultPrim', value: { type: 'token', value: 'Root' } },
  { name: 'metersPerUnit', value: { type: 'double', value: 1 } },
  { name: 'upAxis', value: { type: 'token', value: 'Y' } },
]
const prim = (name: string, typeName: string, rest: Partial<Prim> = {}): Prim => ({
  name,
  typeName,
  properties: [],
  children: [],
  ...rest,
})
const shader = (name: string, id: string, properties: Prim['properties'] = []) =>
  prim(name, 'Shader', { properties: [attribute('info:id', 'token', id, { uniform: true }), ...properties] })
const stage = (...children: Prim[]): Layer => ({ metadata, prims: [prim('Root', 'Xform', { children })] })
const png = await image([1, 2, 3])
const packed = (layer: Layer, ...names: string[]) =>
  writePackage([{ name: 'model.usdc', parts: writeCrate(layer) }, ...names.map((name) => ({ name, parts: [png] }))])
const rulesOf = (usdz: Uint8Array) => [...new Set(checkPackage(usdz).map(({ rule }) => rule))]

describe('the package check', () => {
  test('finds nothing in what is converted', async () => {
    expect(checkPackage((await convert(await squareGlb())).usdz)).toEqual([])
    expect(checkPackage(packed(stage()))).toEqual([])
  })

  test('wants stage metadata', () => {
    expect(rulesOf(packed({ metadata: [], prims: [prim('Root', 'Xform')] }))).toEqual(['StageMetadataChecker'])
  })

  test('wants only prim types AR viewers know', () => {
    expect(rulesOf(packed(stage(prim('Light', 'SphereLight'))))).toEqual(['ARKitPrimTypeChecker'])
  })

  test('wants no mesh below a mesh and no shader outside a material', () => {
    const triangle: Prim['properties'] = [
      attribute('points', 'point3f[]', new Float32Array(9)),
      attribute('extent', 'float3[]', new Float32Array(6)),
      attribute('faceVertexCounts', 'int[]', Int32Array.of(3)),
      attribute('faceVertexIndices', 'int[]', Int32Array.of(0, 1, 2)),
    ]
    const inner = prim('Inner', 'Mesh', { properties: triangle })
    const outer = prim('Outer', 'Mesh', {
      properties: triangle,
      children: [prim('Between', 'Xform', { children: [inner] })],
    })
    expect(rulesOf(packed(stage(outer)))).toEqual(['PrimEncapsulationChecker'])
    expect(rulesOf(packed(stage(shader('Alone', 'UsdPreviewSurface'))))).toEqual(['PrimEncapsulationChecker'])
  })

  test('wants bindings announced, and bound to materials', () => {
    const bound = prim('Part', 'Xform', { properties: [relationship('material:binding', '/Root')] })
    expect(rulesOf(packed(stage(bound)))).toEqual(['MaterialBindingAPIAppliedChecker', 'ARKitMaterialBindingChecker'])
  })

  test('wants meshes whole', () => {
    expect(rulesOf(packed(stage(prim('Empty', 'Mesh'))))).toEqual(['MeshChecker'])
  })

  test('wants known shaders, images that are there, and images viewers read', () => {
    const material = (...children: Prim[]) => packed(stage(prim('Paint', 'Material', { children })), 'a.png')
    const texture = (file: string) => shader('Texture', 'UsdUVTexture', [attribute('inputs:file', 'asset', file)])
    expect(rulesOf(material(texture('a.png')))).toEqual([])
    expect(rulesOf(material(texture('b.png')))).toEqual(['MissingReferenceChecker'])
    expect(rulesOf(material(texture('a.webp')))).toEqual(['MissingReferenceChecker', 'TextureChecker'])
    expect(rulesOf(material(shader('Other', 'Phong')))).toEqual(['ARKitShaderChecker'])
    expect(rulesOf(packed(stage(), 'really-a-png.jpg'))).toEqual(['TextureChecker'])
  })

  test('wants normal maps unpacked from raw values', () => {
    const texture = (colorSpace: string) =>
      shader('Bumps', 'UsdUVTexture', [
        attribute('inputs:sourceColorSpace', 'token', colorSpace),
        attribute('inputs:scale', 'float4', [2, 2, 2, 1]),
        attribute('inputs:bias', 'float4', [-1, -1, -1, 0]),
        port('outputs:rgb', 'float3'),
      ])
    const surface = shader('Surface', 'UsdPreviewSurface', [
      port('inputs:normal', 'normal3f', '/Root/Paint/Bumps.outputs:rgb'),
    ])
    const material = (colorSpace: string) =>
      stage(prim('Paint', 'Material', { children: [surface, texture(colorSpace)] }))
    expect(rulesOf(packed(material('raw')))).toEqual([])
    expect(rulesOf(packed(material('sRGB')))).toEqual(['NormalMapTextureChecker'])
  })

  test('wants one layer, binary and first, and only files viewers read', () => {
    expect(rulesOf(packed(stage(), 'more.usdc'))).toEqual(['ARKitRootLayerChecker'])
    expect(rulesOf(packed(stage(), 'photo.webp'))).toEqual(['ARKitFileExtensionChecker'])
    expect(rulesOf(writePackage([{ name: 'model.usda', parts: [Buffer.from('#usda 1.0')] }]))).toEqual([
      'ARKitRootLayerChecker',
    ])
  })

  test('wants files aligned and unharmed', () => {
    const usdz = packed(stage())
    const shifted = Buffer.concat([Buffer.alloc(1), usdz])
    const end = shifted.length - 22
    shifted.writeUInt32LE(shifted.readUInt32LE(end + 16) + 1, end + 16)
    shifted.writeUInt32LE(1, shifted.readUInt32LE(end + 16) + 42)
    expect(rulesOf(shifted)).toEqual(['ByteAlignmentChecker'])

    const harmed = usdz.slice()
    const layer = readZip(usdz)[0]!
    harmed[layer.offset + 12] = 1 // a byte of the header that nothing reads
    expect(rulesOf(harmed)).toEqual(['Archive'])
  })

  test('calls bytes that are no package a problem and does not throw', async () => {
    expect(rulesOf(new Uint8Array())).toEqual(['Archive'])
    expect(rulesOf(await squareGlb())).toEqual(['Archive'])
    expect(rulesOf(writePackage([{ name: 'model.usdc', parts: [new Uint8Array(200)] }]))).toEqual(['Layer'])
  })
})
