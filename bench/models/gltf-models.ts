import { Document, NodeIO } from '@gltf-transform/core'
import sharp from 'sharp'

type Mesh = { points: Float32Array; normals: Float32Array; uvs: Float32Array; indices: Uint32Array }

/** A wavy, slightly rough square of 999,698 triangles with normals and texture coordinates, deterministic. */
export function wavySquare(): Mesh {
  const side = 707
  const row = side + 1
  const points = new Float32Array(row * row * 3)
  const normals = new Float32Array(row * row * 3)
  const uvs = new Float32Array(row * row * 2)
  const random = randomFrom(1)
  for (let j = 0, vertex = 0; j < row; j++) {
    for (let i = 0; i < row; i++, vertex++) {
      const [u, v] = [i / side, j / side]
      const height = 0.05 * Math.sin(u * 40) * Math.cos(v * 37) + 0.002 * random()
      points.set([u - 0.5, height, v - 0.5], vertex * 3)
      const [x, z] = [-2 * Math.cos(u * 40) * Math.cos(v * 37), 1.85 * Math.sin(u * 40) * Math.sin(v * 37)]
      const length = Math.hypot(x, 1, z)
      normals.set([x / length, 1 / length, z / length], vertex * 3)
      uvs.set([u, v], vertex * 2)
    }
  }
  const indices = new Uint32Array(side * side * 6)
  for (let j = 0, at = 0; j < side; j++) {
    for (let i = 0; i < side; i++, at += 6) {
      const corner = j * row + i
      indices.set([corner, corner + row, corner + 1, corner + 1, corner + row, corner + row + 1], at)
    }
  }
  return { points, normals, uvs, indices }
}

/**
 * A rough sphere of 1,003,520 triangles, with vertices and triangles in random order, so that compression cannot exploit
 * locality.
 */
export function roughBall(): Mesh {
  const random = randomFrom(2)
  const { corners, faces } = dividedOctahedron(354)
  const count = corners.length / 3
  const order = shuffled(count, random)
  const points = new Float32Array(count * 3)
  const normals = new Float32Array(count * 3)
  const uvs = new Float32Array(count * 2)
  for (let vertex = 0; vertex < count; vertex++) {
    const [x, y, z] = [corners[vertex * 3]!, corners[vertex * 3 + 1]!, corners[vertex * 3 + 2]!]
    const radius = 1 + 0.1 * Math.sin(7 * x + 3 * Math.sin(9 * y)) * Math.cos(8 * z) + 0.001 * random()
    const to = order[vertex]!
    points.set([x * radius, y * radius, z * radius], to * 3)
    normals.set([x, y, z], to * 3)
    uvs.set([Math.atan2(z, x) / (2 * Math.PI) + 0.5, Math.acos(y) / Math.PI], to * 2)
  }
  const indices = new Uint32Array(faces.length)
  for (const [triangle, to] of shuffled(faces.length / 3, random).entries()) {
    for (let corner = 0; corner < 3; corner++) indices[to * 3 + corner] = order[faces[triangle * 3 + corner]!]!
  }
  return { points, normals, uvs, indices }
}

/** Divides each edge of an octahedron into `parts`, with vertices projected to the unit sphere. */
function dividedOctahedron(parts: number): { corners: Float32Array; faces: Uint32Array } {
  const corners: number[] = []
  const known = new Map<number, number>()
  const faces: number[] = []
  const numberOf = (x: number, y: number, z: number): number => {
    const key = ((x + parts) * (2 * parts + 1) + y + parts) * (2 * parts + 1) + z + parts
    const number = known.get(key) ?? corners.length / 3
    if (known.has(key)) return number
    known.set(key, number)
    const length = Math.hypot(x, y, z)
    corners.push(x / length, y / length, z / length)
    return number
  }
  for (const sx of [1, -1]) {
    for (const sy of [1, -1]) {
      for (const sz of [1, -1]) {
        const at = (i: number, j: number) => numberOf(sx * i, sy * j, sz * (parts - i - j))
        const add = (a: number, b: number, c: number) => faces.push(...(sx * sy * sz > 0 ? [a, b, c] : [a, c, b]))
        for (let i = 0; i < parts; i++) {
          for (let j = 0; i + j < parts; j++) {
            add(at(i, j), at(i + 1, j), at(i, j + 1))
            if (i + j + 1 < parts) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))
          }
        }
      }
    }
  }
  return { corners: Float32Array.from(corners), faces: Uint32Array.from(faces) }
}

/** A GLB of one mesh with that many JPEG images of 4096² pixels: colour, metallic-roughness, normals. */
export async function glbOf({ points, normals, uvs, indices }: Mesh, images = 0): Promise<Uint8Array> {
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (type: 'SCALAR' | 'VEC2' | 'VEC3', array: Float32Array | Uint32Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer>)
      .setBuffer(buffer)
  const material = document.createMaterial('Sand').setRoughnessFactor(0.5)
  const pictures = await Promise.all(Array.from({ length: images }, (_, index) => noise(index)))
  const [color, metal, bumps] = pictures.map((bytes, index) =>
    document.createTexture(`sand${index}`).setImage(bytes).setMimeType('image/jpeg'),
  )
  material
    .setBaseColorTexture(color ?? null)
    .setMetallicRoughnessTexture(metal ?? null)
    .setNormalTexture(bumps ?? null)
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', points))
    .setAttribute('NORMAL', accessor('VEC3', normals))
    .setAttribute('TEXCOORD_0', accessor('VEC2', uvs))
    .setIndices(accessor('SCALAR', indices))
    .setMaterial(material)
  const mesh = document.createMesh('Ground').addPrimitive(primitive)
  document.createScene('Scene').addChild(document.createNode('Ground').setMesh(mesh))
  return await new NodeIO().writeBinary(document)
}

/** A JPEG of about seven million bytes: pixel noise over smooth noise, as in photographs of ground. */
async function noise(seed: number): Promise<Uint8Array<ArrayBuffer>> {
  const side = 4096
  const random = randomFrom(seed + 3)
  const pixels = new Uint8Array(side * side * 3)
  for (let i = 0; i < pixels.length; i++) {
    const wave = 60 * Math.sin((i % (side * 3)) / 500) * Math.cos(i / (side * 700))
    pixels[i] = 128 + wave + 90 * (random() - 0.5)
  }
  const image = sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
  return new Uint8Array(await image.jpeg({ quality: 82 }).toBuffer())
}

/** Deterministic random numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function shuffled(count: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index)
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1))
    const moved = order[i]!
    order[i] = order[other]!
    order[other] = moved
  }
  return order
}
