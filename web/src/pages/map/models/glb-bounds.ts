import { imageSize } from 'image-size'

/** What a model may have at most, to be drawn on the map. */
const MOST = { elements: 3_000_000, bytes: 256_000_000, pixels: 80_000_000, images: 1000, nodes: 50_000, scenes: 10 }

type Attributes = Record<string, number>
type Primitive = { indices?: number; attributes?: Attributes }
type Node = {
  mesh?: number
  children?: number[]
  extensions?: { EXT_mesh_gpu_instancing?: { attributes?: Attributes } }
}
type Gltf = {
  accessors?: { count?: number; type?: string; componentType?: number }[]
  meshes?: { primitives?: Primitive[] }[]
  nodes?: Node[]
  images?: { bufferView?: number; uri?: string }[]
  buffers?: { uri?: string }[]
  bufferViews?: { byteOffset?: number; byteLength?: number; extensions?: Record<string, Compressed> }[]
  scenes?: { nodes?: number[] }[]
}
/** A part that meshopt expands. */
type Compressed = { count?: number; byteStride?: number }

const COMPONENTS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 }
const MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a

/**
 * Checks what a GLB would become once it is decoded, by its JSON and the headers of its images: a file of a kilobyte can ask
 * for gigabytes. Each node counts with its instances.
 * @throws if it is no GLB, or too large
 */
export function assertBounded(bytes: ArrayBuffer): void {
  const { gltf, binary } = readGlb(bytes)
  const countOf = (index: number | undefined) => natural(gltf.accessors?.[index ?? -1]?.count)
  const decoded = sum(gltf.accessors ?? [], ({ count, type = '', componentType = 5126 }) => {
    const size = componentType >= 5125 ? 4 : componentType >= 5122 ? 2 : 1
    return natural(count) * (COMPONENTS[type] ?? 16) * size
  })
  const expanded = sum(gltf.bufferViews ?? [], ({ extensions = {} }) =>
    sum(Object.values(extensions), ({ count, byteStride }) => natural(count) * natural(byteStride)),
  )
  assertAtMost(decoded + expanded, MOST.bytes, 'bytes of accessors')

  const { nodes = [], scenes = [], images = [], buffers = [] } = gltf
  assertAtMost(nodes.length, MOST.nodes, 'nodes')
  assertAtMost(scenes.length, MOST.scenes, 'scenes')
  assertAtMost(images.length, MOST.images, 'images')
  // Once for each mesh, however many nodes draw it.
  const elements = (gltf.meshes ?? []).map(({ primitives = [] }) =>
    sum(primitives, ({ indices, attributes }) => Math.max(countOf(indices), countOf(attributes?.POSITION))),
  )
  const instancesOf = ({ extensions }: Node) => {
    const { attributes } = extensions?.EXT_mesh_gpu_instancing ?? {}
    return attributes ? Math.max(1, ...Object.values(attributes).map(countOf)) : 1
  }
  assertAtMost(
    sum(nodes, (node) => (elements[node.mesh ?? -1] ?? 0) * instancesOf(node)),
    MOST.elements,
    'vertices drawn',
  )
  // In a tree each node is the child of one, and a root of none: what three.js walks is what was counted.
  const children = nodes.flatMap(({ children = [] }) => children)
  const isChild = new Set(children)
  const isTree = scenes.every(({ nodes: roots = [] }) => roots.every((root) => !isChild.has(root)))
  if (isChild.size < children.length || !isTree) throw new Error('The nodes of the model are no tree')

  if (buffers.length > 1 || [...buffers, ...images].some(({ uri }) => uri !== undefined))
    throw new Error('The model has parts outside its binary chunk')
  const pixels = sum(images, ({ bufferView }) => {
    const { byteOffset = 0, byteLength = 0 } = gltf.bufferViews?.[bufferView ?? -1] ?? {}
    if (bufferView === undefined) return 0
    const { width, height } = imageSize(binary.subarray(byteOffset, byteOffset + byteLength))
    return natural(width) * natural(height)
  })
  assertAtMost(pixels, MOST.pixels, 'pixels')
}

function readGlb(bytes: ArrayBuffer): { gltf: Gltf; binary: Uint8Array } {
  const view = new DataView(bytes)
  if (view.getUint32(0, true) !== MAGIC || view.getUint32(16, true) !== JSON_CHUNK)
    throw new Error('The file is no GLB')
  const end = 20 + view.getUint32(12, true)
  const gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, end - 20))) as Gltf
  return { gltf, binary: new Uint8Array(bytes, Math.min(end + 8, bytes.byteLength)) }
}

/** A number of the JSON; 0 if it is absent. @throws if it is no natural number */
function natural(value: number | undefined): number {
  if (value === undefined) return 0
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`"${value}" is no natural number`)
  return value
}

const sum = <Item>(items: Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

function assertAtMost(amount: number, most: number, what: string): void {
  if (amount > most) throw new Error(`The model has ${amount} ${what}: at most ${most} are drawn`)
}
