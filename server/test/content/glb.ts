let count = 0

/** A box that is unique: no other call returns the same bytes. */
export function boxGlb({
  name = `Box ${++count} of ${process.pid} at ${Date.now()}`,
  colour,
  nodes = [{}],
}: {
  name?: string
  colour?: [number, number, number, number]
  /** The same box in several places. */
  nodes?: { scale?: number[]; translation?: number[] }[]
} = {}): Uint8Array<ArrayBuffer> {
  const corners = new Float32Array(Array.from({ length: 8 }, (_, at) => [at & 1, (at >> 1) & 1, (at >> 2) & 1]).flat())
  const faces = '021123456576014154263367042246135375'
  const indices = new Uint16Array([...faces].map(Number))
  const model = oneMesh({ count: 8, byteLength: corners.byteLength })
  const [primitive] = model.meshes[0]!.primitives
  return glbOf(
    {
      ...model,
      nodes: nodes.map((node) => ({ mesh: 0, name, ...node })),
      scenes: [{ nodes: nodes.map((_node, at) => at) }],
      meshes: [{ primitives: [{ ...primitive, indices: 1, ...(colour && { material: 0 }) }] }],
      ...(colour && { materials: [{ pbrMetallicRoughness: { baseColorFactor: colour, metallicFactor: 0 } }] }),
      accessors: [...model.accessors, { bufferView: 1, componentType: 5123, count: indices.length, type: 'SCALAR' }],
      bufferViews: [
        ...model.bufferViews,
        { buffer: 0, byteOffset: corners.byteLength, byteLength: indices.byteLength },
      ],
      buffers: [{ byteLength: corners.byteLength + indices.byteLength }],
    },
    Buffer.concat([new Uint8Array(corners.buffer), new Uint8Array(indices.buffer)]),
  )
}

/** A GLB of two chunks with any content (glTF 2.0 §4). */
export function glbOf(json: unknown, binary: Uint8Array = new Uint8Array(4)): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(JSON.stringify(json))
  const jsonChunk = Buffer.concat([text, Buffer.alloc(-text.length & 3, 0x20)])
  const binaryChunk = Buffer.concat([binary, Buffer.alloc(-binary.length & 3)])
  const head = Buffer.alloc(20)
  head.write('glTF')
  head.writeUInt32LE(2, 4)
  head.writeUInt32LE(28 + jsonChunk.length + binaryChunk.length, 8)
  head.writeUInt32LE(jsonChunk.length, 12)
  head.write('JSON', 16)
  const middle = Buffer.alloc(8)
  middle.writeUInt32LE(binaryChunk.length, 0)
  middle.write('BIN\0', 4)
  return new Uint8Array(Buffer.concat([head, jsonChunk, middle, binaryChunk]))
}

/** A valid GLB with that many distinct triangles. */
export function soupGlb(triangles: number, seed = ++count): Uint8Array<ArrayBuffer> {
  const points = new Float32Array(triangles * 9)
  let state = seed
  for (let at = 0; at < points.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    points[at] = state / 2 ** 32
  }
  return glbOf(oneMesh({ count: triangles * 3, byteLength: points.byteLength }), new Uint8Array(points.buffer))
}

/** A small valid GLB that takes long to convert: near the converter's limits, 24,000 instances of an animated triangle. */
export function slowGlb(): Uint8Array<ArrayBuffer> {
  const keys = 30
  const points = Float32Array.from({ length: 9 + keys * 4 }, (_, at) => Math.sin(at * ++count))
  for (let key = 0; key < keys; key++) points[9 + key] = key
  const model = oneMesh({ count: 3, byteLength: points.byteLength })
  const nodes = Array.from({ length: 24_000 }, (_, at) => ({ mesh: 0, translation: [at % 100, at / 100, 0] }))
  const [triangle] = model.accessors
  const input = { ...triangle, type: 'SCALAR', byteOffset: 36, count: keys, min: [0], max: [keys - 1] }
  const output = { bufferView: 0, componentType: 5126, type: 'VEC3', byteOffset: 36 + keys * 4, count: keys }
  const channels = [...nodes.keys()].map((node) => ({ sampler: 0, target: { node, path: 'translation' } }))
  return glbOf(
    {
      ...model,
      nodes,
      scenes: [{ nodes: [...nodes.keys()] }],
      accessors: [triangle, input, output],
      animations: [{ name: 'Swarm', samplers: [{ input: 1, output: 2 }], channels }],
    },
    new Uint8Array(points.buffer),
  )
}

/** A box animated by a clip of two seconds. */
export function movingGlb(): Uint8Array<ArrayBuffer> {
  const points = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, ++count, 0, 2, 0, 0, 0, 1, 0, 0)
  const model = oneMesh({ count: 3, byteLength: points.byteLength })
  const [triangle] = model.accessors
  const input = { ...triangle, type: 'SCALAR', byteOffset: 36, count: 2, min: [0], max: [2] }
  const output = { bufferView: 0, componentType: 5126, type: 'VEC3', byteOffset: 44, count: 2 }
  const channels = [{ sampler: 0, target: { node: 0, path: 'translation' } }]
  return glbOf(
    {
      ...model,
      accessors: [triangle, input, output],
      animations: [{ name: 'Slide', samplers: [{ input: 1, output: 2 }], channels }],
    },
    new Uint8Array(points.buffer),
  )
}

/** A GLB with a valid container whose points are outside of its buffer. */
export function pointsOutsideGlb(): Uint8Array<ArrayBuffer> {
  return glbOf(oneMesh({ count: 3000 + ++count, byteLength: 36 }), new Uint8Array(36))
}

/** A valid GLB that requires an unknown extension. */
export function unknownExtensionGlb(): Uint8Array<ArrayBuffer> {
  const extension = `EXT_of_test_${++count}`
  const model = oneMesh({ count: 3, byteLength: 36 })
  return glbOf({ ...model, extensionsUsed: [extension], extensionsRequired: [extension] }, new Uint8Array(36))
}

const oneMesh = ({ count: points, byteLength }: { count: number; byteLength: number }) => ({
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  accessors: [{ bufferView: 0, componentType: 5126, count: points, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] }],
  bufferViews: [{ buffer: 0, byteLength }],
  buffers: [{ byteLength }],
})

/** A 1 × 1 PNG. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
