import { type Document, NodeIO } from '@gltf-transform/core'
import { EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } from '@gltf-transform/extensions'
import draco3d from 'draco3dgltf'
import { MeshoptEncoder } from 'meshoptimizer'
import { describe, expect, test } from 'vitest'
import { ConversionError, checkPackage, convert } from './index.ts'
import { givenModel, image, squareGlb, withJson } from './test/content/models.ts'
import { sampleModel, sampleModels } from './test/content/sample-models.ts'
import { expectedOf } from './test/expected.ts'
import { type Converted, judgeAll } from './test/judgement.ts'

const failureOf = (glb: Uint8Array, options = {}) => convert(glb, options).catch((error: ConversionError) => error)

const converted = async (name: string, glb: Uint8Array, options = {}): Promise<Converted> => ({
  name,
  ...(await convert(glb, options)),
  expected: await expectedOf(glb),
})

/** A model with many features: two materials, textures, mirrored and nested nodes, a special name, a strip. */
async function richGlb(): Promise<Uint8Array> {
  const model = givenModel()
  const { document } = model
  const stone = document.createTexture('stone').setImage((await image([9, 99, 199, 128])) as Uint8Array<ArrayBuffer>)
  const glass = document
    .createMaterial('Glas ❤')
    .setBaseColorTexture(stone.setMimeType('image/png'))
    .setAlphaMode('BLEND')
  const metal = document.createMaterial('Metall').setMetallicRoughnessTexture(stone).setRoughnessFactor(0.5)
  const strip = model
    .primitive({ POSITION: { type: 'VEC3', array: Float32Array.from({ length: 18 }, (_, i) => Math.sin(i * i)) } })
    .setMode(5)
  const parent = model.node('椅子', model.mesh('Sitz', model.square(glass), model.square(metal)))
  parent.setTranslation([3, 0, 0]).setRotation([0, Math.SQRT1_2, 0, Math.SQRT1_2])
  model.node('Lehne', model.mesh('Lehne', strip), parent).setScale([-2, 1, 1])
  return await model.glb()
}

async function compressed(kind: 'draco' | 'meshopt'): Promise<Uint8Array> {
  const glb = await squareGlb()
  const document: Document = await new NodeIO().readBinary(glb)
  await MeshoptEncoder.ready
  if (kind === 'draco') document.createExtension(KHRDracoMeshCompression).setRequired(true)
  else document.createExtension(EXTMeshoptCompression).setRequired(true)
  return await new NodeIO()
    .registerExtensions([KHRDracoMeshCompression, EXTMeshoptCompression, KHRMeshQuantization])
    .registerDependencies({ 'draco3d.encoder': await draco3d.createEncoderModule(), 'meshopt.encoder': MeshoptEncoder })
    .writeBinary(document)
}

/** The same file with the ratified name of the extension. */
async function ratifiedMeshopt(): Promise<Uint8Array> {
  return withJson(await compressed('meshopt'), (json) => {
    const renamed = JSON.parse(JSON.stringify(json).replaceAll('EXT_meshopt', 'KHR_meshopt')) as object
    Object.assign(json, renamed)
  })
}

describe('conversion', () => {
  test('gives the same triangles, meshes, materials and positions in OpenUSD, TinyUSDZ and three.js as in the GLB', {
    tags: ['long'],
  }, async () => {
    const list: Converted[] = []
    for (const [name, glb] of sampleModels()) {
      list.push(await converted(name, glb))
    }
    for (const profile of ['quicklook', 'spec'])
      list.push(await converted(`rich ${profile}`, await richGlb(), { profile }))
    for (const kind of ['draco', 'meshopt'] as const) list.push(await converted(kind, await compressed(kind)))
    const { expected } = list.at(-1)!
    list.push({ name: 'ratified meshopt', ...(await convert(await ratifiedMeshopt())), expected })

    const judgements = await judgeAll(list)
    expect(
      judgements.flatMap(({ name, complaints }) => complaints.map((complaint) => `${name}: ${complaint}`)),
    ).toEqual([])
    expect(judgements.length).toBeGreaterThan(15)
  })

  test('reports a model with nothing to show', async () => {
    const { report } = await convert(sampleModel('bio_00_empty_scene'))
    expect(report).toMatchObject({
      triangles: 0,
      meshes: 0,
      notes: expect.arrayContaining([expect.objectContaining({ code: 'nothing_to_show' })]),
    })
  })

  test('gives the same bytes for the same GLB', async () => {
    const glb = await richGlb()
    const [first, second] = [await convert(glb), await convert(glb.slice())]
    expect(Buffer.compare(first.usdz, second.usdz)).toBe(0)
    expect(first.report).toEqual(second.report)
  })

  test('gives packages that follow every rule', async () => {
    expect(checkPackage((await convert(await richGlb())).usdz)).toEqual([])
  })

  test('accepts a GLB at any offset of a larger buffer', async () => {
    const glb = await richGlb()
    const offset = Buffer.concat([Buffer.alloc(3), glb]).subarray(3)
    expect(Buffer.compare((await convert(offset)).usdz, (await convert(glb)).usdz)).toBe(0)
  })

  test('reports what it leaves out', async () => {
    const model = givenModel()
    const node = model.node('Square', model.mesh('Square', model.square()))
    const camera = model.document.createCamera('Eye').setType('perspective')
    model.node('Camera').setCamera(camera)
    const sampler = model.document
      .createAnimationSampler()
      .setInput(model.accessor('SCALAR', Float32Array.of(0, 1)))
      .setOutput(model.accessor('VEC3', Float32Array.of(0, 0, 0, 1, 1, 1)))
    const channel = model.document
      .createAnimationChannel()
      .setSampler(sampler)
      .setTargetPath('translation')
      .setTargetNode(node)
    model.document.createAnimation('Move').addSampler(sampler).addChannel(channel)
    const glb = withJson(await model.glb(), (json) => {
      json.extensionsUsed = ['KHR_lights_punctual', 'ACME_gizmo']
      // Of a kind that glTF 2.0 does not have.
      json.cameras = [{ type: 'oblique' }]
    })
    const { report } = await convert(glb)
    expect(report.notes.map(({ code }) => code).sort()).toEqual(['cameras', 'empty_nodes', 'extension', 'extension'])
    expect(new Set(report.notes.map(({ effect }) => effect))).toEqual(new Set(['left_out']))
    expect(report.notes.map(({ message }) => message).join()).toContain('ACME_gizmo')
    expect(report.animations).toBe(1)
  })
})

describe('a GLB is refused, with a code and a reason,', () => {
  test('if it requires an unknown extension', async () => {
    const glb = withJson(await squareGlb(), (json) => {
      json.extensionsRequired = ['ACME_gizmo']
    })
    expect(await failureOf(glb)).toMatchObject({ code: 'unsupported', message: expect.stringContaining('ACME_gizmo') })
  })

  test('if it refers to another file', async () => {
    const glb = withJson(await squareGlb(), (json) => {
      json.buffers = [{ uri: 'mesh.bin', byteLength: 144 }]
    })
    expect(await failureOf(glb)).toMatchObject({ code: 'unsupported', message: expect.stringContaining('mesh.bin') })
  })

  test('if it is another format', async () => {
    expect(await failureOf(await image([1, 2, 3]))).toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('PNG'),
    })
  })

  test('if it exceeds a limit', async () => {
    const model = givenModel()
    const stone = model.document.createTexture('a').setImage((await image([1, 2, 3])) as Uint8Array<ArrayBuffer>)
    const material = model.document.createMaterial().setBaseColorTexture(stone.setMimeType('image/png'))
    model.node('Square', model.mesh('Square', model.square(material)))
    const glb = await model.glb()
    const limits = [{ bytes: glb.length - 1 }, { triangles: 1 }, { texturePixels: 15 }]
    for (const limit of limits) expect(await failureOf(glb, { limits: limit })).toMatchObject({ code: 'too_large' })
    expect(await failureOf(glb, { limits: { bytes: glb.length, triangles: 2, texturePixels: 16 } })).toHaveProperty(
      'usdz',
    )
  })

  test('if an unknown profile is requested', async () => {
    expect(await failureOf(await squareGlb(), { profile: 'best' })).toBeInstanceOf(ConversionError)
  })
})
