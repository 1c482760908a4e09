import { Document, type GLTF, type Material, type Mesh, type Node, NodeIO, type Primitive } from '@gltf-transform/core'
import { ALL_EXTENSIONS } from '@gltf-transform/extensions'
import sharp from 'sharp'

type Numbers = Float32Array | Uint32Array | Uint16Array | Uint8Array | Int16Array | Int8Array
type Attributes = Record<string, { type: GLTF.AccessorType; array: Numbers; normalized?: boolean }>

/** A builder of models: meshes from plain arrays, nodes from plain options, finally a GLB. */
export function givenModel() {
  const document = new Document()
  const buffer = document.createBuffer()
  const scene = document.createScene('Scene')
  document.getRoot().setDefaultScene(scene)

  const accessor = (type: GLTF.AccessorType, array: Numbers, normalized = false) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer>)
      .setNormalized(normalized)
      .setBuffer(buffer)

  const primitive = (attributes: Attributes, indices?: Uint32Array | Uint16Array | Uint8Array): Primitive => {
    const made = document.createPrimitive()
    for (const [name, { type, array, normalized }] of Object.entries(attributes)) {
      made.setAttribute(name, accessor(type, array, normalized))
    }
    return indices ? made.setIndices(accessor('SCALAR', indices)) : made
  }
  return {
    document,
    scene,
    accessor,
    primitive,
    /** A square of two triangles in the plane z = 0, from (0 0) to (1 1), with normals and texture coordinates. */
    square: (material?: Material): Primitive => {
      const made = primitive(
        {
          POSITION: { type: 'VEC3', array: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0) },
          NORMAL: { type: 'VEC3', array: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1) },
          TEXCOORD_0: { type: 'VEC2', array: Float32Array.of(0, 1, 1, 1, 1, 0, 0, 0) },
        },
        Uint16Array.of(0, 1, 2, 0, 2, 3),
      )
      return material ? made.setMaterial(material) : made
    },
    mesh: (name: string, ...primitives: Primitive[]): Mesh => {
      const made = document.createMesh(name)
      for (const one of primitives) made.addPrimitive(one)
      return made
    },
    /** A node in the scene, or below another node. */
    node: (name: string, mesh?: Mesh, parent?: Node): Node => {
      const made = document.createNode(name)
      if (mesh) made.setMesh(mesh)
      ;(parent ?? scene).addChild(made)
      return made
    },
    glb: async (): Promise<Uint8Array> => await new NodeIO().registerExtensions(ALL_EXTENSIONS).writeBinary(document),
  }
}
export type GivenModel = ReturnType<typeof givenModel>

/** The smallest useful model: one square. */
export async function squareGlb(): Promise<Uint8Array> {
  const model = givenModel()
  model.node('Square', model.mesh('Square', model.square(model.document.createMaterial('Paint'))))
  return await model.glb()
}

type Format = 'png' | 'jpeg' | 'webp' | 'avif'

/** An image of one colour, r g b and optionally alpha, 0 to 255. */
export async function image(color: readonly number[], format: Format = 'png', size = 4): Promise<Uint8Array> {
  const channels = color.length === 4 ? 4 : 3
  const pixels = Uint8Array.from({ length: size * size * channels }, (_, i) => color[i % channels]!)
  const options = format === 'webp' || format === 'avif' ? { lossless: true } : {}
  const encoded = sharp(pixels, { raw: { width: size, height: size, channels } }).toFormat(format, options)
  return new Uint8Array(await encoded.toBuffer())
}

/** Decodes a GLB, lets `change` edit its JSON, and encodes it again. */
export function withJson(glb: Uint8Array, change: (json: Record<string, unknown>) => void): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength)
  const length = view.getUint32(12, true)
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as Record<string, unknown>
  change(json)
  const text = new TextEncoder().encode(JSON.stringify(json))
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(0x20)
  padded.set(text)
  const out = new Uint8Array(glb.length - length + padded.length)
  out.set(glb.subarray(0, 20))
  out.set(padded, 20)
  out.set(glb.subarray(20 + length), 20 + padded.length)
  const head = new DataView(out.buffer)
  head.setUint32(8, out.length, true)
  head.setUint32(12, padded.length, true)
  return out
}
