import { glbOf } from '../../../server/test/content/glb.ts'

const [MESH, SEQUENTIAL, UNCOMPRESSED, POSITION, FLOAT64, GENERIC] = [1, 0, 1, 0, 10, 0]
const COMPONENTS = 255
/** What the decoder allocates for a point of `dracoBomb`. */
export const BYTES_PER_POINT = COMPONENTS * 8

/**
 * Draco data (bitstream 2.2) of as many bytes as points, each of which states 255 components and has none: the decoder makes
 * room for all before it notices. @param points more than 65,535 and fewer than 2,097,152, whose indices take a byte each
 */
export function dracoBomb(points: number): Uint8Array {
  const head = [...Buffer.from('DRACO'), 2, 2, MESH, SEQUENTIAL, 0, 0]
  const faces = Math.ceil(points / 3)
  const connectivity = [...varint(faces), ...varint(points), UNCOMPRESSED, ...Array<number>(3 * faces).fill(0)]
  const attribute = [POSITION, FLOAT64, COMPONENTS, 0, ...varint(0)]
  return Uint8Array.from([...head, ...connectivity, 1, ...varint(1), ...attribute, GENERIC])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}

/** A GLB of one primitive of Draco data, which says that it has three points. */
export const dracoGlb = (data: Uint8Array): Uint8Array<ArrayBuffer> =>
  glbOf(
    {
      asset: { version: '2.0' },
      ...{ extensionsUsed: ['KHR_draco_mesh_compression'], extensionsRequired: ['KHR_draco_mesh_compression'] },
      ...{ scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }] },
      meshes: [
        {
          primitives: [
            {
              attributes: { POSITION: 0 },
              indices: 1,
              extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } },
            },
          ],
        },
      ],
      accessors: [
        { componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
        { componentType: 5123, count: 3, type: 'SCALAR' },
      ],
      bufferViews: [{ buffer: 0, byteLength: data.byteLength }],
      buffers: [{ byteLength: data.byteLength }],
    },
    data,
  )
