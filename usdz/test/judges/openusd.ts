import { readFile } from 'node:fs/promises'
import { type Delegate, type OpenUsd, withOpenUsd } from './start-openusd.ts'
import { printVerdicts } from './verdict.ts'

async function main(): Promise<void> {
  const complaints: string[] = []
  await withOpenUsd(
    (line) => complaints.push(line),
    async (module) => {
      let number = 0
      await printVerdicts(async (file) => {
        const name = `model${number++}.usdz`
        module.FS.createDataFile('/', name, await readFile(file), true, true, true)
        complaints.length = 0
        const found = drawn(module, name)
        if (complaints.length > 0) throw new Error(`it warns: ${complaints.join(' ')}`)
        return found
      })
    },
  )
}

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
