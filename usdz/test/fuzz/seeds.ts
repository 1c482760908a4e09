import { type Document, NodeIO } from '@gltf-transform/core'
import {
  ALL_EXTENSIONS,
  EXTMeshGPUInstancing,
  EXTMeshoptCompression,
  EXTTextureAVIF,
  EXTTextureWebP,
  KHRDracoMeshCompression,
  KHRMaterialsVariants,
  KHRTextureBasisu,
  KHRTextureTransform,
} from '@gltf-transform/extensions'
import draco3d from 'draco3dgltf'
import { encodeToKTX2 } from 'ktx2-encoder'
import { MeshoptEncoder } from 'meshoptimizer'
import sharp from 'sharp'
import { meshFiles } from '../content/mesh-files.ts'
import { type GivenModel, givenModel, image, withJson } from '../content/models.ts'
import { sampleModels } from '../content/sample-models.ts'
import type { Seed } from './mutants.ts'

/** Valid seed models: the committed samples, one generated for each encoding, and mesh files in each dialect. */
export async function seeds(): Promise<Seed[]> {
  await MeshoptEncoder.ready
  const samples = sampleModels().map(([name, glb]) => ({ name, glb }))
  const made: [string, () => Promise<Uint8Array>][] = [
    ['draco', async () => await encoded((document) => document.createExtension(KHRDracoMeshCompression))],
    ['meshopt', async () => await encoded((document) => document.createExtension(EXTMeshoptCompression))],
    ['meshopt filters', async () => await encoded(withFilters)],
    ['sparse', sparse],
    ['moving', moving],
    ['instances', instances],
    ['variants', variants],
    ['data URIs', dataUris],
    ...(['png', 'jpeg', 'webp', 'avif', 'ktx2', 'ktx2 uastc'] as const).map(
      (format): [string, () => Promise<Uint8Array>] => [format, async () => await textured(format)],
    ),
  ]
  const generated: Seed[] = []
  for (const [name, make] of made) generated.push({ name, glb: await make() })
  const meshes = Object.entries(meshFiles).map(([name, glb]) => ({ name, glb }))
  return [...generated, ...samples, ...meshes]
}

const io = async () =>
  new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'draco3d.encoder': await draco3d.createEncoderModule(), 'meshopt.encoder': MeshoptEncoder })

/** A lattice of some hundred vertices with all attributes of a mesh. */
function lattice(model: GivenModel) {
  const side = 9
  const grid = (size: number, of: (x: number, y: number) => number[]) =>
    Float32Array.from({ length: side * side * size }, (_, i) => {
      const vertex = Math.floor(i / size)
      return of(vertex % side, Math.floor(vertex / side))[i % size]!
    })
  const indices = Array.from({ length: (side - 1) ** 2 }, (_, cell) => {
    const at = Math.floor(cell / (side - 1)) * side + (cell % (side - 1))
    return [at, at + 1, at + side, at + 1, at + side + 1, at + side]
  })
  return model.primitive(
    {
      POSITION: { type: 'VEC3', array: grid(3, (x, y) => [x, y, Math.sin(x * y)]) },
      NORMAL: { type: 'VEC3', array: grid(3, () => [0, 0, 1]) },
      TEXCOORD_0: { type: 'VEC2', array: grid(2, (x, y) => [x / side, y / side]) },
      COLOR_0: { type: 'VEC4', array: grid(4, (x, y) => [x / side, y / side, 1, 0.5]) },
    },
    Uint16Array.from(indices.flat()),
  )
}

async function encoded(prepare: (document: Document) => unknown): Promise<Uint8Array> {
  const model = givenModel()
  model.node('Lattice', model.mesh('Lattice', lattice(model)))
  prepare(model.document)
  return await (await io()).writeBinary(model.document)
}

function withFilters(document: Document): void {
  document
    .createExtension(EXTMeshoptCompression)
    .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.FILTER })
}

async function sparse(): Promise<Uint8Array> {
  const model = givenModel()
  const primitive = lattice(model)
  const array = new Float32Array(primitive.getAttribute('POSITION')!.getCount() * 3)
  array.set([0, 0, 1, 0, 1, 0], 30)
  const target = model.document.createPrimitiveTarget()
  target.setAttribute('POSITION', model.accessor('VEC3', array).setSparse(true))
  model.node('Lattice', model.mesh('Lattice', primitive.addTarget(target)).setWeights([0.5]))
  return await model.glb()
}

/** A skinned, morphed mesh, and a clip for each interpolation. */
async function moving(): Promise<Uint8Array> {
  const model = givenModel()
  const square = model.square()
  square.setAttribute(
    'JOINTS_0',
    model.accessor(
      'VEC4',
      Uint8Array.from({ length: 16 }, (_, i) => Number(i === 8)),
    ),
  )
  square.setAttribute(
    'WEIGHTS_0',
    model.accessor(
      'VEC4',
      Float32Array.from({ length: 16 }, (_, i) => Number(i % 4 === 0)),
    ),
  )
  const target = model.document.createPrimitiveTarget()
  target.setAttribute(
    'POSITION',
    model.accessor(
      'VEC3',
      Float32Array.from({ length: 12 }, (_, i) => i / 9),
    ),
  )
  const hip = model.node('Hip')
  const knee = model.node('Knee', undefined, hip).setTranslation([0, 1, 0])
  const binds = Float32Array.from({ length: 32 }, (_, i) => Number((i % 16) % 5 === 0))
  const skin = model.document.createSkin().addJoint(hip).addJoint(knee)
  skin.setInverseBindMatrices(model.accessor('MAT4', binds))
  const body = model.node('Body', model.mesh('Body', square.addTarget(target)).setWeights([0.1])).setSkin(skin)
  const times = model.accessor('SCALAR', Float32Array.of(0, 0.5, 1))
  const clip = model.document.createAnimation('Walk')
  const channel = (
    path: 'translation' | 'rotation' | 'weights',
    kind: 'LINEAR' | 'STEP' | 'CUBICSPLINE',
    size: number,
  ) => {
    const count = kind === 'CUBICSPLINE' ? 9 : 3
    const array = Float32Array.from({ length: count * size }, (_, i) => (i % size === size - 1 ? 1 : 0))
    const type = size === 1 ? 'SCALAR' : size === 3 ? 'VEC3' : 'VEC4'
    const sampler = model.document
      .createAnimationSampler()
      .setInput(times)
      .setOutput(model.accessor(type, array))
      .setInterpolation(kind)
    const target = model.document
      .createAnimationChannel()
      .setTargetNode(path === 'weights' ? body : knee)
      .setTargetPath(path)
    clip.addSampler(sampler).addChannel(target.setSampler(sampler))
  }
  channel('translation', 'STEP', 3)
  channel('rotation', 'LINEAR', 4)
  channel('weights', 'CUBICSPLINE', 1)
  return await model.glb()
}

async function instances(): Promise<Uint8Array> {
  const model = givenModel()
  const batch = model.document.createExtension(EXTMeshGPUInstancing).createInstancedMesh()
  batch.setAttribute('TRANSLATION', model.accessor('VEC3', Float32Array.of(0, 0, 0, 5, 0, 0)))
  batch.setAttribute('ROTATION', model.accessor('VEC4', Int8Array.of(0, 0, 0, 127, 127, 0, 0, 0), true))
  model.node('Trees', model.mesh('Tree', model.square())).setExtension('EXT_mesh_gpu_instancing', batch)
  return await model.glb()
}

async function variants(): Promise<Uint8Array> {
  const model = givenModel()
  const extension = model.document.createExtension(KHRMaterialsVariants)
  const list = extension.createMappingList()
  for (const name of ['Red', 'Blue']) {
    const mapping = extension.createMapping().addVariant(extension.createVariant(name))
    list.addMapping(mapping.setMaterial(model.document.createMaterial(name)))
  }
  const square = model.square(model.document.createMaterial('Grey')).setExtension('KHR_materials_variants', list)
  model.node('Square', model.mesh('Square', square))
  return await model.glb()
}

async function dataUris(): Promise<Uint8Array> {
  const model = givenModel()
  model.node('Square', model.mesh('Square', model.square()))
  const glb = await model.glb()
  const start = 20 + new DataView(glb.buffer, glb.byteOffset).getUint32(12, true) + 8
  const uri = `data:application/octet-stream;base64,${Buffer.from(glb.subarray(start)).toString('base64')}`
  return withJson(glb, (json) => Object.assign((json.buffers as object[])[0]!, { uri }))
}

type Format = 'png' | 'jpeg' | 'webp' | 'avif' | 'ktx2' | 'ktx2 uastc'

/** A square with one image as base colour, roughness and normals, which covers every pixel path. */
async function textured(format: Format): Promise<Uint8Array> {
  const model = givenModel()
  const { document } = model
  if (format === 'webp') document.createExtension(EXTTextureWebP)
  if (format === 'avif') document.createExtension(EXTTextureAVIF)
  if (format.startsWith('ktx2')) document.createExtension(KHRTextureBasisu)
  const isKtx = format === 'ktx2' || format === 'ktx2 uastc'
  const bytes = isKtx ? await ktx2(format === 'ktx2 uastc') : await image([90, 120, 200], format, 16)
  const mimeType = isKtx ? 'image/ktx2' : `image/${format}`
  const picture = document
    .createTexture('stone')
    .setImage(bytes as Uint8Array<ArrayBuffer>)
    .setMimeType(mimeType)
  const material = document.createMaterial('Paint').setBaseColorTexture(picture).setBaseColorFactor([1, 0.5, 0.2, 1])
  material.setMetallicRoughnessTexture(picture).setRoughnessFactor(0.5).setNormalTexture(picture).setNormalScale(0.5)
  const transform = document.createExtension(KHRTextureTransform).createTransform().setRotation(0.3).setScale([2, 2])
  material.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', transform)
  model.node('Square', model.mesh('Square', model.square(material)))
  return await model.glb()
}

async function ktx2(isUASTC: boolean): Promise<Uint8Array> {
  const decode = async (bytes: Uint8Array) => {
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return { data: new Uint8Array(data), width: info.width, height: info.height }
  }
  const source = await image([90, 120, 200], 'png', 16)
  return await encodeToKTX2(source, { isUASTC, generateMipmap: true, enableDebug: false, imageDecoder: decode })
}
