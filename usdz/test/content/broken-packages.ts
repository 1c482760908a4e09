import type { RuleName } from '../../check/rules/rules.ts'
import { readZip } from '../../layers/read-zip.ts'
import { type Entry, writePackage } from '../../package/zip.ts'
import { writeCrate } from '../../usd/crate/write-crate.ts'
import { attribute, type Layer, type Prim, type Property, port, relationship, storedValue } from '../../usd/prim.ts'
import { extendedPackage } from './extended-package.ts'
import { image } from './models.ts'
import { metadata, packageOf, prim, primAt, wholeLayer } from './packages.ts'

export const floats = (...numbers: number[]) => Float32Array.from(numbers)
const ints = (...numbers: number[]) => Int32Array.from(numbers)
export const skin = '/Root/Body/Skin'

/** A correct package with one prim changed. */
export const changed = (path: string, change: (prim: Prim) => void, ...more: Entry[]): Uint8Array => {
  const layer = wholeLayer()
  change(primAt(layer, path))
  return packageOf(layer, ...more)
}
export const put = (path: string, ...properties: Property[]) =>
  changed(path, (prim) => {
    const names = new Set(properties.map(({ name }) => name))
    prim.properties = [...prim.properties.filter(({ name }) => !names.has(name)), ...properties]
  })
const drop = (path: string, name: string) =>
  changed(path, (prim) => {
    prim.properties = prim.properties.filter((property) => property.name !== name)
  })
const add = (path: string, child: Prim) => changed(path, (prim) => prim.children.push(child))
const withMetadata = (name: string, ...value: Layer['metadata']) =>
  packageOf({ ...wholeLayer(), metadata: [...metadata().filter((one) => one.name !== name), ...value] })
const withFile = (name: string, ...parts: Uint8Array[]) => packageOf(wholeLayer(), { name, parts })
const png = await image([1, 2, 3])

/** Changes bytes of a package: in the header before a file, or in its directory entry. */
function patched(where: 'local' | 'central', at: number, value: number): Uint8Array {
  const usdz = packageOf(wholeLayer())
  const view = new DataView(usdz.buffer)
  const directory = view.getUint32(usdz.length - 22 + 16, true)
  view.setUint16((where === 'local' ? 0 : directory) + at, value, true)
  return usdz
}
const shifted = (): Uint8Array => {
  const usdz = Buffer.concat([Buffer.alloc(1), packageOf(wholeLayer())])
  const end = usdz.length - 22
  const directory = usdz.readUInt32LE(end + 16) + 1
  usdz.writeUInt32LE(directory, end + 16)
  for (let at = directory; usdz.readUInt32LE(at) === 0x02014b50; at += 46 + usdz.readUInt16LE(at + 28)) {
    usdz.writeUInt32LE(usdz.readUInt32LE(at + 42) + 1, at + 42)
  }
  return usdz
}
const harmed = (): Uint8Array => {
  const usdz = packageOf(wholeLayer())
  usdz[readZip(usdz)[0]!.offset + 12] = 1 // an unused byte of the header
  return usdz
}
const cut = (): Entry => {
  const layer = Buffer.concat(writeCrate(wholeLayer()))
  return { name: 'model.usdc', parts: [layer.subarray(0, layer.length - 100)] }
}
export const perPoint = { interpolation: 'vertex', elementSize: 1 } as const
export const two = (type: string, times: number[], ...values: Float32Array[]) => ({
  samples: { times, values: values.map((value) => storedValue(type, value)) },
})
export const rootFile = (name: string, text: string) => writePackage([{ name, parts: [Buffer.from(text)] }])

/** A rule, how it is broken, and the broken package. */
export const broken: [RuleName, string, Uint8Array][] = [
  ['Archive', 'no archive', new Uint8Array(100)],
  ['Archive', 'a checksum that does not fit', harmed()],
  ['Archive', 'two headers that name different methods', patched('local', 8, 8)],
  ['Archive', 'a path out of the package', withFile('../more.png', png)],
  ['Archive', 'two files of one name', withFile('textures/bumps.png', png)],
  ['Archive', 'the extended form', extendedPackage(packageOf(wholeLayer()))],
  ['ByteAlignmentChecker', 'files shifted by one byte', shifted()],
  ['CompressionChecker', 'a deflated file', patched('central', 10, 8)],
  ['CompressionChecker', 'an encrypted file', patched('central', 8, 1)],
  ['ARKitFileExtensionChecker', 'a WebP image', withFile('photo.webp', png)],
  ['ARKitFileExtensionChecker', 'a JPEG named .jpeg', withFile('photo.jpeg', await image([1, 2, 3], 'jpeg'))],
  ['ARKitRootLayerChecker', 'a text layer', rootFile('model.usda', '#usda 1.0\n')],
  ['ARKitRootLayerChecker', 'two layers', withFile('more.usda', Buffer.from('#usda 1.0\n'))],
  ['ARKitRootLayerChecker', 'a package in the package', withFile('inner.usdz', packageOf(wholeLayer()))],
  ['ARKitLayerChecker', 'a layer that is none', withFile('more.usdc', png)],
  ['Layer', 'a layer without its end', writePackage([cut()])],
  ['Layer', 'a layer that is none', rootFile('model.usdc', 'nothing')],
  [
    'MissingReferenceChecker',
    'a texture that is not there',
    put('/Root/Paint/Bumps', attribute('inputs:file', 'asset', 'no.png')),
  ],
  [
    'MissingReferenceChecker',
    'a texture with other capital letters',
    put('/Root/Paint/Bumps', attribute('inputs:file', 'asset', 'textures/Bumps.PNG')),
  ],
  [
    'MissingReferenceChecker',
    'a sound that is not there',
    add('/Root', prim('Noise', 'SpatialAudio', { properties: [attribute('filePath', 'asset', 'noise.m4a')] })),
  ],
  [
    'ARKitPackageEncapsulationChecker',
    'a texture of a server',
    put('/Root/Paint/Bumps', attribute('inputs:file', 'asset', 'https://example.org/a.png')),
  ],
  [
    'ARKitPackageEncapsulationChecker',
    'a texture of another computer',
    put('/Root/Paint/Bumps', attribute('inputs:file', 'asset', 'C:/models/bumps.png')),
  ],
  [
    'ARKitPackageEncapsulationChecker',
    'a texture above the package',
    put('/Root/Paint/Bumps', attribute('inputs:file', 'asset', '../a.png')),
  ],
  ['TextureChecker', 'a PNG named .jpg', withFile('really.jpg', png)],
  [
    'TextureChecker',
    'a texture viewers do not read',
    put('/Root/Paint/Bumps', attribute('inputs:file', 'asset', 'a.exr')),
  ],
  ['StageMetadataChecker', 'z up', withMetadata('upAxis', { name: 'upAxis', value: { type: 'token', value: 'Z' } })],
  ['StageMetadataChecker', 'no scale', withMetadata('metersPerUnit')],
  ['StageMetadataChecker', 'no default prim', withMetadata('defaultPrim')],
  ['PrimEncapsulationChecker', 'a shape below a shape', add(skin, prim('Ball', 'Sphere'))],
  ['PrimEncapsulationChecker', 'a shader alone', add('/Root', prim('Alone', 'Shader'))],
  [
    'PrimEncapsulationChecker',
    'a scope in a material',
    add('/Root/Paint', prim('Folder', 'Scope', { children: [prim('Inner', 'Shader')] })),
  ],
  ['ARKitPrimTypeChecker', 'a light', add('/Root', prim('Light', 'SphereLight'))],
  ['ARKitPrimTypeChecker', 'an instancer', add('/Root', prim('Many', 'PointInstancer'))],
  [
    'MaterialBindingAPIAppliedChecker',
    'a binding alone',
    add('/Root', prim('Part', 'Xform', { properties: [relationship('material:binding', '/Root/Paint')] })),
  ],
  [
    'ARKitMaterialBindingChecker',
    'a binding to no material',
    put(skin, relationship('material:binding', '/Root/Body')),
  ],
  [
    'ARKitShaderChecker',
    'an unknown shader',
    add('/Root/Paint', prim('Old', 'Shader', { properties: [attribute('info:id', 'token', 'Phong')] })),
  ],
  [
    'ARKitShaderChecker',
    'a shader of source code',
    put('/Root/Paint/Bumps', attribute('info:implementationSource', 'token', 'sourceCode')),
  ],
  [
    'ARKitShaderChecker',
    'a connection to a shape',
    put('/Root/Paint/Bumps', port('inputs:st', 'float2', `${skin}.points`)),
  ],
  [
    'NormalMapTextureChecker',
    'sRGB normals',
    put('/Root/Paint/Bumps', attribute('inputs:sourceColorSpace', 'token', 'sRGB')),
  ],
  ['NormalMapTextureChecker', 'normals from 0 to 1', drop('/Root/Paint/Bumps', 'inputs:scale')],
  ['Names', 'a prim with a space', add('/Root', prim('No Name', 'Xform'))],
  ['Names', 'a property with a dash', put('/Root', attribute('no-name', 'int', 1))],
  [
    'Values',
    'whole numbers declared as floats',
    put('/Root', { kind: 'attribute', name: 'a', typeName: 'float', value: { type: 'int', value: 1 } }),
  ],
  [
    'FiniteValues',
    'a point nowhere',
    put(skin, attribute('points', 'point3f[]', floats(0, 0, 0, 1, Number.NaN, 0, 0, 1, 0))),
  ],
  [
    'TimeSamples',
    'time that goes back',
    put('/Root', attribute('a', 'float[]', floats(1), two('float[]', [60, 0], floats(1), floats(2)))),
  ],
  [
    'TimeSamples',
    'a value too few',
    put('/Root', attribute('a', 'float[]', floats(1), two('float[]', [0, 60], floats(1)))),
  ],
  [
    'Transforms',
    'an operation that is not there',
    put('/Root', attribute('xformOpOrder', 'token[]', ['xformOp:scale'])),
  ],
  ['Transforms', 'a rotation of length two', put(skin, attribute('xformOp:orient', 'quatf', [0, 0, 0, 2]))],
  [
    'Transforms',
    'a joint rotation of length zero, later',
    put(
      '/Root/Body/Move',
      attribute(
        'rotations',
        'quatf[]',
        floats(0, 0, 0, 1),
        two('quatf[]', [0, 60], floats(0, 0, 0, 1), floats(0, 0, 0, 0)),
      ),
    ),
  ],
  ['Mesh', 'no points', drop(skin, 'points')],
  ['Mesh', 'a point that is not there', put(skin, attribute('faceVertexIndices', 'int[]', ints(0, 1, 3)))],
  [
    'Mesh',
    'a face of two corners',
    put(skin, attribute('faceVertexCounts', 'int[]', ints(2)), attribute('faceVertexIndices', 'int[]', ints(0, 1))),
  ],
  ['Mesh', 'corners too few', put(skin, attribute('faceVertexIndices', 'int[]', ints(0, 1)))],
  [
    'Mesh',
    'normals too few',
    put(skin, attribute('normals', 'normal3f[]', floats(0, 0, 1), { interpolation: 'vertex' })),
  ],
  ['Extent', 'no extent', drop(skin, 'extent')],
  ['Extent', 'an extent that is too small', put(skin, attribute('extent', 'float3[]', floats(0, 0, 0, 1, 0.5, 0)))],
  ['Skeleton', 'no bind transforms', drop('/Root/Body/Bones', 'bindTransforms')],
  [
    'Skeleton',
    'a child before its parent',
    put('/Root/Body/Bones', attribute('joints', 'token[]', ['Hip/Leg', 'Hip'])),
  ],
  [
    'Skeleton',
    'a flat bind transform',
    put('/Root/Body/Bones', attribute('bindTransforms', 'matrix4d[]', new Float64Array(16))),
  ],
  [
    'SkelAnimation',
    'scales too many',
    put('/Root/Body/Move', attribute('scales', 'half3[]', floats(1, 1, 1, 1, 1, 1))),
  ],
  ['SkelAnimation', 'no weights', drop('/Root/Body/Move', 'blendShapeWeights')],
  [
    'SkelBinding',
    'a joint that is not there',
    put(skin, attribute('primvars:skel:jointIndices', 'int[]', ints(0, 1, 0), perPoint)),
  ],
  [
    'SkelBinding',
    'a negative weight',
    put(skin, attribute('primvars:skel:jointWeights', 'float[]', floats(1, -1, 1), perPoint)),
  ],
  [
    'SkelBinding',
    'weights too few',
    put(skin, attribute('primvars:skel:jointWeights', 'float[]', floats(1, 1), perPoint)),
  ],
  ['SkelBinding', 'no skeleton', drop(skin, 'skel:skeleton')],
  [
    'SkelBinding',
    'no schema applied',
    changed(skin, (mesh) => Object.assign(mesh, { apiSchemas: ['MaterialBindingAPI'] })),
  ],
  ['SkelBinding', 'no SkelRoot', changed('/Root/Body', (body) => Object.assign(body, { typeName: 'Xform' }))],
  ['BlendShape', 'a shape that is not there', put(skin, relationship('skel:blendShapeTargets', '/Root'))],
  [
    'BlendShape',
    'offsets too many',
    put(`${skin}/Smile`, attribute('offsets', 'vector3f[]', floats(0, 0, 1, 0, 0, 1))),
  ],
  ['BlendShape', 'a point that is not there', put(`${skin}/Smile`, attribute('pointIndices', 'int[]', ints(3)))],
]
