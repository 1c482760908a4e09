import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Document, NodeIO } from '@gltf-transform/core'
import { convert } from '../usdz/index.ts'

export type ConvertBench = {
  name: string
  ours: Record<string, number>
  peer: Record<string, number>
  /** How many times longer the peer takes. */
  ratio: number
  target: string
}

type Measured = { seconds: number; bytes: number; megabytesOfMemory: number }
type Converter = 'ours' | 'three'

/**
 * Converts one generated model of a million triangles with this project and with three.js's exporter, each in a process
 * of its own, from bytes in memory to a finished package. The median of `runs` by time is kept.
 */
export async function benchConvert(runs = 3): Promise<ConvertBench[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-convert-'))
  try {
    const file = join(folder, 'million.glb')
    await writeFile(file, await millionTriangles())
    const ours: Measured[] = []
    const peer: Measured[] = []
    for (let run = 0; run < runs; run++) {
      ours.push(await measureInChild('ours', file))
      peer.push(await measureInChild('three', file))
    }
    const [one, other] = [median(ours), median(peer)]
    const target = 'at most 0.6 s, 16.1 MB, 200 MB of memory; 10 times faster'
    return [
      { name: 'GLB to USDZ, 1,000,000 triangles', ours: one, peer: other, ratio: other.seconds / one.seconds, target },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function median(measured: Measured[]): Measured {
  const sorted = measured.toSorted((a, b) => a.seconds - b.seconds)
  return sorted[Math.floor(sorted.length / 2)]!
}

async function measureInChild(converter: Converter, file: string): Promise<Measured> {
  const script = fileURLToPath(import.meta.url)
  const child = spawn(process.execPath, [script, converter, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = await new Response(ReadableStream.from(child.stdout)).text()
  return JSON.parse(output) as Measured
}

const convertersByName: Record<Converter, () => Promise<(glb: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>>> = {
  ours: async () => async (glb) => (await convert(glb)).usdz,
  three: async () => {
    const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js')
    const { USDZExporter } = await import('three/addons/exporters/USDZExporter.js')
    return async (glb) => {
      const { scene } = await new GLTFLoader().parseAsync(glb.buffer, '')
      return await new USDZExporter().parseAsync(scene)
    }
  },
}

/** The child's part: one conversion in a fresh process. */
async function measure(converter: Converter, file: string): Promise<Measured> {
  Object.assign(globalThis, { self: globalThis }) // three expects a browser's name for it
  const run = await convertersByName[converter]()
  // A large file is read into a buffer of its own: nothing is copied, and its `buffer` holds the file alone.
  const glb = new Uint8Array((await readFile(file)).buffer as ArrayBuffer)
  const start = performance.now()
  const usdz = await run(glb)
  const seconds = (performance.now() - start) / 1000
  return { seconds, bytes: usdz.length, megabytesOfMemory: process.resourceUsage().maxRSS / 1024 }
}

/** A wavy, slightly rough square with normals and texture coordinates, the same on every run. */
async function millionTriangles(): Promise<Uint8Array> {
  const side = 707 // 2 · 707² triangles: 999,698
  const row = side + 1
  const points = new Float32Array(row * row * 3)
  const normals = new Float32Array(row * row * 3)
  const uvs = new Float32Array(row * row * 2)
  let seed = 1
  for (let j = 0, vertex = 0; j < row; j++) {
    for (let i = 0; i < row; i++, vertex++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      const [u, v] = [i / side, j / side]
      const height = 0.05 * Math.sin(u * 40) * Math.cos(v * 37) + (0.002 * seed) / 2 ** 32
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
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (type: 'SCALAR' | 'VEC2' | 'VEC3', array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer)
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', points))
    .setAttribute('NORMAL', accessor('VEC3', normals))
    .setAttribute('TEXCOORD_0', accessor('VEC2', uvs))
    .setIndices(accessor('SCALAR', indices))
    .setMaterial(document.createMaterial('Sand').setRoughnessFactor(0.5))
  const mesh = document.createMesh('Ground').addPrimitive(primitive)
  document.createScene('Scene').addChild(document.createNode('Ground').setMesh(mesh))
  return await new NodeIO().writeBinary(document)
}

if (import.meta.main) {
  const [converter, file] = process.argv.slice(2)
  process.stdout.write(JSON.stringify(await measure(converter as Converter, file!)))
}
