import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { printVerdicts } from './verdict.ts'

/** Put before the module's own script, which its threads load too: what it takes from a browser. */
const shim = `
if (!globalThis.location) globalThis.location = { pathname: '/x/index.html', href: 'http://x/' }
globalThis.XMLHttpRequest = class {
  open(method, url) { this.url = url }
  setRequestHeader() {}
  send() {
    setTimeout(() => {
      const bytes = require('fs').readFileSync(this.url)
      this.status = 200
      this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
      this.onload({})
    })
  }
}
`

type Delegate = Record<string, unknown>
type OpenUsd = {
  FS: { createDataFile(folder: string, name: string, bytes: Uint8Array, ...modes: boolean[]): void }
  HdWebSyncDriver: new (delegate: Delegate, name: string) => { Draw(): void }
}

async function main(): Promise<void> {
  const require = createRequire(import.meta.url)
  const packed = join(dirname(require.resolve('three-usdz-loader/package.json')), 'external')
  const folder = await mkdtemp(join(tmpdir(), 'openusd-'))
  try {
    await cp(packed, folder, { recursive: true })
    const script = join(folder, 'emHdBindings.js')
    await writeFile(script, shim + (await readFile(script, 'utf8')))
    process.chdir(folder)
    const start = require(script) as (options: object, folder: string) => Promise<OpenUsd>
    const wasmBinary = await readFile(join(folder, 'emHdBindings.wasm'))
    const complaints: string[] = []
    const listen = (line: string) => {
      if (!buildFaults.test(line)) complaints.push(line)
    }
    const module = await start({ print: listen, printErr: listen, mainScriptUrlOrBlob: script, wasmBinary }, folder)
    let number = 0
    await printVerdicts(async (file) => {
      const name = `model${number++}.usdz`
      module.FS.createDataFile('/', name, await readFile(file), true, true, true)
      complaints.length = 0
      const found = drawn(module, name)
      if (complaints.length > 0) throw new Error(`it warns: ${complaints.join(' ')}`)
      return found
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Plug-ins this build of OpenUSD misses at its start, whatever it reads. */
const buildFaults = /schemaRegistry\.cpp|ndr\/registry\.cpp/

/** What OpenUSD hands to a renderer: after composition, triangulation and material binding. */
function drawn(module: OpenUsd, name: string) {
  let triangles = 0
  const meshes: DrawnMesh[] = []
  const materials = new Set<string>()
  const textures = new Set<string>()
  const nothing = () => {}
  const silent = (known: Delegate): Delegate =>
    new Proxy(known, { get: (target, key) => Reflect.get(target, key) ?? nothing })
  const delegate = silent({
    createRPrim() {
      const mesh: DrawnMesh = { points: [], matrix: [] }
      meshes.push(mesh)
      return silent({
        // Arrays are views of the module's memory, which it uses again.
        updatePoints(points: Float32Array) {
          mesh.points = points.slice()
        },
        setTransform(matrix: Iterable<number>) {
          mesh.matrix = [...matrix]
        },
        updateIndices(indices: ArrayLike<number>) {
          triangles += indices.length / 3
        },
      })
    },
    createBPrim: () => silent({}),
    createSPrim(type: string, id: string) {
      // The renderer's own material for meshes without one is not below the default prim.
      if (type === 'material' && id.startsWith('/Root/')) materials.add(id)
      return silent({
        updateNode(_network: string, _path: string, parameters: Record<string, unknown>) {
          if (parameters.file) textures.add(String(parameters.file))
        },
      })
    },
  })
  new module.HdWebSyncDriver(delegate, name).Draw()
  const counts = { meshes: meshes.length, triangles, materials: materials.size, textures: textures.size }
  return { ...counts, bounds: boundsOf(meshes) }
}

type DrawnMesh = { points: ArrayLike<number>; matrix: number[] }

function boundsOf(meshes: readonly DrawnMesh[]): number[] {
  const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (const { points, matrix: m } of meshes) {
    for (let i = 0; i < points.length; i += 3) {
      for (let axis = 0; axis < 3; axis++) {
        const [x, y, z] = [points[i]!, points[i + 1]!, points[i + 2]!]
        const value = x * m[axis]! + y * m[axis + 4]! + z * m[axis + 8]! + m[axis + 12]!
        bounds[axis] = Math.min(bounds[axis]!, value)
        bounds[axis + 3] = Math.max(bounds[axis + 3]!, value)
      }
    }
  }
  return bounds
}

await main()
process.exit(0)
