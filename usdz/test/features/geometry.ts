import type { Primitive } from '@gltf-transform/core'
import { type Document, NodeIO } from '@gltf-transform/core'
import {
  ALL_EXTENSIONS,
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRMeshQuantization,
} from '@gltf-transform/extensions'
import draco3d from 'draco3dgltf'
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer'
import { type GivenModel, givenModel, withJson } from '../content/models.ts'
import type { Feature } from './feature.ts'
import { ball, checks, cube, drawn, one, texture } from './models/solids.ts'
import { tangents } from './tangents.ts'

const clay = (model: GivenModel) =>
  model.document
    .createMaterial('Clay')
    .setBaseColorFactor([0.8, 0.5, 0.3, 1])
    .setMetallicFactor(0)
    .setRoughnessFactor(0.6)

/** Writes the model again with a compression. */
async function coded(make: (document: Document) => void): Promise<Uint8Array> {
  const model = givenModel()
  model.node('Thing', model.mesh('Thing', ball(model, clay(model))))
  make(model.document)
  await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready])
  return await new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({
      'draco3d.encoder': await draco3d.createEncoderModule(),
      'meshopt.encoder': MeshoptEncoder,
      'meshopt.decoder': MeshoptDecoder,
    })
    .writeBinary(model.document)
}

const withMode = (model: GivenModel, mode: number, indices: number[]): Primitive =>
  cube(model, clay(model).setDoubleSided(true))
    .setMode(mode as 4)
    .setIndices(model.accessor('SCALAR', Uint16Array.from(indices)))

const colored = (model: GivenModel, bound: boolean): Primitive => {
  const made = bound ? ball(model, clay(model).setBaseColorFactor([1, 1, 1, 1])) : ball(model)
  const positions = made.getAttribute('POSITION')!.getArray()!
  return made.setAttribute(
    'COLOR_0',
    model.accessor(
      'VEC3',
      Float32Array.from(positions, (value) => 0.5 + value / 2),
    ),
  )
}

/** A sphere with vertex colours and a texture that repeats around it. */
async function stained(model: GivenModel, times: number): Promise<Primitive> {
  const made = colored(model, true)
  const uvs = made.getAttribute('TEXCOORD_0')!
  uvs.setArray(Float32Array.from(uvs.getArray()!, (value) => value * times))
  const image = await drawn(checks, 'png', 256)
  const stored = model.document.createTexture('Drawn').setImage(image as Uint8Array<ArrayBuffer>)
  made.getMaterial()!.setBaseColorTexture(stored.setMimeType('image/png'))
  return made
}

export const geometry: Feature[] = [
  {
    name: 'Triangles with indices',
    as: '`Mesh` with `subdivisionScheme = "none"`, one for each primitive',
    how: 'exact',
    glb: () => one((model) => ball(model, clay(model))),
  },
  {
    name: 'Triangle strips',
    as: 'triangles',
    how: 'exact',
    glb: () => one((model) => withMode(model, 5, [0, 1, 3, 2, 2, 8, 8, 9, 11, 10])),
  },
  {
    name: 'Triangle fans',
    as: 'triangles',
    how: 'exact',
    glb: () => one((model) => withMode(model, 6, [0, 1, 2, 3, 16, 17])),
  },
  {
    name: 'Missing normals',
    as: 'flat normals for each corner of a triangle; where vertices move, each triangle has its own',
    how: 'exact',
    glb: () => one((model) => ball(model, clay(model)).setAttribute('NORMAL', null)),
  },
  {
    name: 'Sparse accessors',
    as: 'plain arrays',
    how: 'exact',
    glb: async () =>
      await one((model) => {
        const made = ball(model, clay(model))
        const positions = made.getAttribute('POSITION')!
        const array = new Float32Array(positions.getArray()!.length)
        array.set(Float32Array.from(positions.getArray()!).subarray(0, array.length / 8))
        return made.setAttribute('POSITION', model.accessor('VEC3', array).setSparse(true)).setAttribute('NORMAL', null)
      }),
  },
  {
    name: 'Vertex colours, with a material',
    as: '`quicklook`: an image of the colours; `spec`: `primvars:displayColor`, which the material reads',
    how: { quicklook: 'approximated', spec: 'exact' },
    notes: { quicklook: ['vertex_colors'], spec: [] },
    // It supports colours from textures only.
    misread: /^tinyusdz cannot read it/,
    glb: () => one((model) => colored(model, true)),
  },
  {
    name: 'Vertex colours, without a material',
    as: '`quicklook`: an image of the colours; `spec`: `primvars:displayColor`, which the material reads',
    how: { quicklook: 'approximated', spec: 'exact' },
    notes: { quicklook: ['vertex_colors'], spec: [] },
    // It supports colours from textures only.
    misread: /^tinyusdz cannot read it/,
    glb: () => one((model) => colored(model, false)),
  },
  {
    name: 'Vertex colours with a texture',
    as: '`quicklook`: the texture multiplied by the colours; `spec`: `primvars:displayColor` beside it, not shown',
    how: { quicklook: 'approximated', spec: 'left out' },
    notes: ['vertex_colors'],
    glb: () => one(async (model) => await stained(model, 1)),
  },
  {
    name: 'Vertex colours with a texture that repeats',
    as: '`quicklook`: an image with a part for each triangle; `spec`: `primvars:displayColor` beside it, not shown',
    how: { quicklook: 'approximated', spec: 'left out' },
    notes: ['vertex_colors'],
    glb: () => one(async (model) => await stained(model, 3)),
  },
  {
    name: 'Two sets of texture coordinates',
    as: '`primvars:st`, `primvars:st1`',
    how: 'exact',
    glb: () =>
      one(async (model) => {
        const material = clay(model)
          .setBaseColorFactor([1, 1, 1, 1])
          .setBaseColorTexture(await texture(model, checks))
        material.getBaseColorTextureInfo()!.setTexCoord(1)
        const made = ball(model, material)
        const turned = Float32Array.from(made.getAttribute('TEXCOORD_0')!.getArray()!, (value, i) =>
          i % 2 ? value * 2 : 1 - value,
        )
        return made.setAttribute('TEXCOORD_1', model.accessor('VEC2', turned))
      }),
  },
  ...tangents,
  {
    name: '`KHR_mesh_quantization`',
    as: 'floats',
    how: 'exact',
    glb: () =>
      one((model) => {
        model.document.createExtension(KHRMeshQuantization).setRequired(true)
        const made = ball(model, clay(model))
        const coded = (name: string, top: number) =>
          Int16Array.from(made.getAttribute(name)!.getArray()!, (value) => Math.round(value * top))
        return made
          .setAttribute('POSITION', model.accessor('VEC3', coded('POSITION', 32767), true))
          .setAttribute('NORMAL', model.accessor('VEC3', Int8Array.from(coded('NORMAL', 127)), true))
      }),
  },
  {
    name: '`KHR_draco_mesh_compression`',
    as: 'plain arrays',
    how: 'exact',
    glb: () => coded((document) => document.createExtension(KHRDracoMeshCompression).setRequired(true)),
  },
  {
    name: '`EXT_meshopt_compression`',
    as: 'plain arrays',
    how: 'exact',
    glb: () =>
      coded((document) =>
        document
          .createExtension(EXTMeshoptCompression)
          .setRequired(true)
          .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.QUANTIZE }),
      ),
  },
  {
    name: '`KHR_meshopt_compression`',
    as: 'plain arrays',
    how: 'exact',
    glb: async () => {
      const earlier = await coded((document) =>
        document
          .createExtension(EXTMeshoptCompression)
          .setRequired(true)
          .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.FILTER }),
      )
      return withJson(earlier, (json) => {
        Object.assign(json, JSON.parse(JSON.stringify(json).replaceAll('EXT_meshopt', 'KHR_meshopt')))
      })
    },
  },
  {
    name: 'Data of 8, 16 and 32 bits, interleaved',
    as: 'plain arrays',
    how: 'exact',
    glb: async () => {
      const model = givenModel()
      const placed = (made: Primitive, x: number) => {
        const name = `Ball ${x}`
        model.node(name, model.mesh(name, made)).setTranslation([x, 0, 0])
        return made
      }
      const material = clay(model).setBaseColorTexture(await texture(model, checks))
      const coordinates = (top: number) =>
        Float32Array.from(ball(model).getAttribute('TEXCOORD_0')!.getArray()!, (value) => Math.round(value * top))
      const bytes = placed(cube(model, material), -2.5)
      bytes.setIndices(model.accessor('SCALAR', Uint8Array.from(bytes.getIndices()!.getArray()!)))
      placed(ball(model, material), 0).setAttribute(
        'TEXCOORD_0',
        model.accessor('VEC2', Uint16Array.from(coordinates(65535)), true),
      )
      const long = placed(ball(model, material), 2.5)
      long.setIndices(model.accessor('SCALAR', Uint32Array.from(long.getIndices()!.getArray()!)))
      long.setAttribute('TEXCOORD_0', model.accessor('VEC2', Uint8Array.from(coordinates(255)), true))
      return await model.glb()
    },
  },
  {
    name: 'Data URIs',
    as: 'plain arrays, and files in the package',
    how: 'exact',
    glb: async () => {
      const model = givenModel()
      const material = clay(model).setBaseColorTexture(await texture(model, checks))
      model.node('Ball', model.mesh('Ball', ball(model, material)))
      const io = new NodeIO()
      const { json, resources } = await io.writeJSON(model.document)
      for (const part of [...json.buffers!, ...json.images!]) {
        const bytes = Buffer.from(resources[part.uri!]!)
        const type = part.uri!.endsWith('.png') ? 'image/png' : 'application/octet-stream'
        part.uri = `data:${type};base64,${bytes.toString('base64')}`
      }
      return withJson(await givenModel().glb(), (empty) => {
        for (const name of Object.keys(empty)) delete empty[name]
        Object.assign(empty, json)
      })
    },
  },
  {
    name: 'Points and lines',
    as: 'nothing',
    how: 'left out',
    notes: ['no_triangles'],
    glb: async () =>
      withJson(
        await one(
          (model) => ball(model, clay(model)),
          (model) => {
            model.node('Lines', model.mesh('Lines', ball(model).setMode(1)))
            model.node('Points', model.mesh('Points', ball(model).setMode(0)))
          },
        ),
        () => {},
      ),
  },
]
