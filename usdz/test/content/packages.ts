import { type Entry, writePackage } from '../../package/zip.ts'
import { writeCrate } from '../../usd/crate/write-crate.ts'
import { attribute, type Layer, type Prim, type Property, port, relationship, storedValue } from '../../usd/prim.ts'
import { image } from './models.ts'

/** A prim with the given members only. */
export const prim = (name: string, typeName: string, rest: Partial<Prim> = {}): Prim => ({
  name,
  typeName,
  properties: [],
  children: [],
  ...rest,
})

const png = await image([1, 2, 3])
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
const floats = (...numbers: number[]) => Float32Array.from(numbers)

/** The required stage metadata of a package. */
export const metadata = (): Layer['metadata'] => [
  { name: 'defaultPrim', value: { type: 'token', value: 'Root' } },
  { name: 'endTimeCode', value: { type: 'double', value: 60 } },
  { name: 'metersPerUnit', value: { type: 'double', value: 1 } },
  { name: 'startTimeCode', value: { type: 'double', value: 0 } },
  { name: 'timeCodesPerSecond', value: { type: 'double', value: 60 } },
  { name: 'upAxis', value: { type: 'token', value: 'Y' } },
]

const shader = (name: string, id: string, ...properties: Property[]) =>
  prim(name, 'Shader', { properties: [attribute('info:id', 'token', id, { uniform: true }), ...properties] })

/** A layer that follows every rule, with all features that rules are about, so that tests can break one. */
export function wholeLayer(): Layer {
  const paint = '/Root/Paint'
  const material = prim('Paint', 'Material', {
    properties: [port('outputs:surface', 'token', `${paint}/Surface.outputs:surface`)],
    children: [
      shader(
        'Surface',
        'UsdPreviewSurface',
        port('inputs:normal', 'normal3f', `${paint}/Bumps.outputs:rgb`),
        port('outputs:surface', 'token'),
      ),
      shader(
        'Bumps',
        'UsdUVTexture',
        attribute('inputs:file', 'asset', 'textures/bumps.png'),
        attribute('inputs:sourceColorSpace', 'token', 'raw'),
        attribute('inputs:scale', 'float4', [2, 2, 2, 1]),
        attribute('inputs:bias', 'float4', [-1, -1, -1, 0]),
        port('outputs:rgb', 'float3'),
      ),
    ],
  })
  const sampled = { times: [0, 60], values: [floats(0, 0, 0, 1), floats(0, 0, 1, 0)] }
  const move = prim('Move', 'SkelAnimation', {
    properties: [
      attribute('blendShapes', 'token[]', ['Smile'], { uniform: true }),
      attribute('blendShapeWeights', 'float[]', floats(0)),
      attribute('joints', 'token[]', ['Hip'], { uniform: true }),
      attribute('rotations', 'quatf[]', floats(0, 0, 0, 1), {
        samples: { times: sampled.times, values: sampled.values.map((value) => storedValue('quatf[]', value)) },
      }),
      attribute('scales', 'half3[]', floats(1, 1, 1)),
      attribute('translations', 'float3[]', floats(0, 0, 0)),
    ],
  })
  const bones = prim('Bones', 'Skeleton', {
    apiSchemas: ['SkelBindingAPI'],
    properties: [
      attribute('bindTransforms', 'matrix4d[]', Float64Array.from(identity), { uniform: true }),
      attribute('joints', 'token[]', ['Hip'], { uniform: true }),
      attribute('restTransforms', 'matrix4d[]', Float64Array.from(identity), { uniform: true }),
      relationship('skel:animationSource', '/Root/Body/Move'),
    ],
  })
  const perPoint = { interpolation: 'vertex', elementSize: 1 } as const
  const skin = prim('Skin', 'Mesh', {
    apiSchemas: ['MaterialBindingAPI', 'SkelBindingAPI'],
    properties: [
      attribute('extent', 'float3[]', floats(0, 0, 0, 1, 1, 0)),
      attribute('faceVertexCounts', 'int[]', Int32Array.of(3)),
      attribute('faceVertexIndices', 'int[]', Int32Array.of(0, 1, 2)),
      relationship('material:binding', paint),
      attribute('normals', 'normal3f[]', floats(0, 0, 1, 0, 0, 1, 0, 0, 1), { interpolation: 'vertex' }),
      attribute('points', 'point3f[]', floats(0, 0, 0, 1, 0, 0, 0, 1, 0)),
      attribute('primvars:skel:jointIndices', 'int[]', Int32Array.of(0, 0, 0), perPoint),
      attribute('primvars:skel:jointWeights', 'float[]', floats(1, 1, 1), perPoint),
      attribute('skel:blendShapes', 'token[]', ['Smile'], { uniform: true }),
      relationship('skel:blendShapeTargets', '/Root/Body/Skin/Smile'),
      relationship('skel:skeleton', '/Root/Body/Bones'),
      attribute('xformOp:orient', 'quatf', [0, 0, 0, 1]),
      attribute('xformOpOrder', 'token[]', ['xformOp:orient'], { uniform: true }),
    ],
    children: [
      prim('Smile', 'BlendShape', {
        properties: [
          attribute('offsets', 'vector3f[]', floats(0, 0, 1), { uniform: true }),
          attribute('pointIndices', 'int[]', Int32Array.of(2), { uniform: true }),
        ],
      }),
    ],
  })
  const body = prim('Body', 'SkelRoot', {
    properties: [attribute('extent', 'float3[]', floats(0, 0, 0, 1, 1, 0))],
    children: [bones, move, skin],
  })
  return { metadata: metadata(), prims: [prim('Root', 'Xform', { children: [material, body] })] }
}

/** The prim of a layer at a path ("/Root/Body"). */
export function primAt({ prims }: Layer, path: string): Prim {
  let found: Prim | undefined
  let children = prims
  for (const name of path.slice(1).split('/')) {
    found = children.find((child) => child.name === name)
    if (!found) throw new Error(`The layer has no prim ${path}.`)
    children = found.children
  }
  return found!
}

/** A package of a layer, its texture, and other files. */
export const packageOf = (layer: Layer, ...more: Entry[]): Uint8Array =>
  writePackage([
    { name: 'model.usdc', parts: writeCrate(layer) },
    { name: 'textures/bumps.png', parts: [png] },
    ...more,
  ])
