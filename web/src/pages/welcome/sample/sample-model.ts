import { normalOf, STONES, surfaceOf } from './stones.ts'

const FLOAT = 5126
const ARRAY_BUFFER = 34962
const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942

/** The cairn as a binary glTF 2.0 file, 45 cm high (https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html#binary-gltf-layout). It is generated so that nothing is fetched. */
export function sampleModel(): Blob {
  const parts: Float32Array[] = []
  const accessors: object[] = []
  const bufferViews: object[] = []
  let byteLength = 0

  const add = (values: number[], bounds: object) => {
    const part = new Float32Array(values)
    bufferViews.push({ buffer: 0, byteOffset: byteLength, byteLength: part.byteLength, target: ARRAY_BUFFER })
    const view = bufferViews.length - 1
    accessors.push({ bufferView: view, componentType: FLOAT, count: values.length / 3, type: 'VEC3', ...bounds })
    parts.push(part)
    byteLength += part.byteLength
    return accessors.length - 1
  }

  const meshes = STONES.map((stone, n) => {
    const surface = surfaceOf(stone, n)
    const positions = surface.flat(2)
    const normals = surface.flatMap((triangle) => Array(3).fill(normalOf(triangle)).flat())
    const attributes = { POSITION: add(positions, boundsOf(positions)), NORMAL: add(normals, {}) }
    return { name: `Stone ${n + 1}`, primitives: [{ attributes, material: n }] }
  })
  const gltf = {
    asset: { version: '2.0', generator: 'Cairn' },
    scene: 0,
    scenes: [{ name: 'Cairn', nodes: meshes.map((_, n) => n) }],
    nodes: meshes.map(({ name }, mesh) => ({ name, mesh })),
    meshes,
    materials: STONES.map(({ colour }, n) => ({
      name: `Stone ${n + 1}`,
      pbrMetallicRoughness: { baseColorFactor: [...colour.map(linear), 1], metallicFactor: 0, roughnessFactor: 0.85 },
    })),
    accessors,
    bufferViews,
    buffers: [{ byteLength }],
  }
  return glbOf(gltf, parts, byteLength)
}

function boundsOf(positions: number[]) {
  const of = (axis: number) => Array.from(new Float32Array(positions.filter((_, n) => n % 3 === axis)))
  const axes = [of(0), of(1), of(2)]
  return { min: axes.map((values) => Math.min(...values)), max: axes.map((values) => Math.max(...values)) }
}

/** Converts sRGB to the linear values that glTF factors use (IEC 61966-2-1). */
const linear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)

function glbOf(gltf: object, parts: Float32Array[], byteLength: number): Blob {
  const text = JSON.stringify(gltf)
  const json = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 4) * 4))
  const header = (length: number, kind: number) => Uint32Array.of(length, kind)
  const whole = 12 + 8 + json.byteLength + 8 + byteLength
  const head = Uint32Array.of(0x46546c67, 2, whole)
  const chunks = [head, header(json.byteLength, JSON_CHUNK), json, header(byteLength, BINARY_CHUNK), ...parts]
  return new Blob(chunks as BlobPart[], { type: 'model/gltf-binary' })
}
