import { readFile } from 'node:fs/promises'
import type { Moments } from '../reference/compare.ts'
import { cornersOf } from '../reference/draws.ts'
import { askedTimes, writeMoments } from './moments.ts'
import { type Delegate, type Driver, type OpenUsd, withOpenUsd } from './start-openusd.ts'
import { posing } from './usd-skel.ts'
import { primsOf } from './usd-text.ts'
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
        const { driver, meshes, counts } = drawn(module, name)
        const times = await askedTimes(file)
        if (times) await writeMoments(file, 'openusd', await momentsOf(driver, meshes, times))
        if (complaints.length > 0) throw new Error(`it warns: ${complaints.join(' ')}`)
        return counts
      })
    },
  )
}

/** What OpenUSD hands to a renderer: after composition, triangulation and material binding. */
function drawn(module: OpenUsd, name: string) {
  const meshes: DrawnMesh[] = []
  const materials = new Set<string>()
  const textures = new Set<string>()
  const nothing = () => {}
  const silent = (known: Delegate): Delegate =>
    new Proxy(known, { get: (target, key) => Reflect.get(target, key) ?? nothing })
  const delegate = silent({
    createRPrim(_type: string, path: string) {
      const mesh: DrawnMesh = { path, points: [], indices: [], matrix: [] }
      meshes.push(mesh)
      return silent({
        // Arrays are views of the module's memory, which it uses again.
        updatePoints(points: Float32Array) {
          mesh.points = points.slice()
        },
        setTransform(matrix: Iterable<number>) {
          mesh.matrix = [...matrix]
        },
        updateIndices(indices: Int32Array) {
          mesh.indices = indices.slice()
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
  const driver = new module.HdWebSyncDriver(delegate, name)
  driver.Draw()
  const triangles = meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0)
  const counts = { meshes: meshes.length, triangles, materials: materials.size, textures: textures.size }
  return { driver, meshes, counts: { ...counts, bounds: boundsOf(meshes) } }
}

type DrawnMesh = { path: string; points: ArrayLike<number>; indices: ArrayLike<number>; matrix: number[] }

/**
 * Where all corners are at times in seconds: as OpenUSD hands them to a renderer. This build knows no UsdSkel, so what
 * is bound to a skeleton is posed here from the values OpenUSD composed.
 */
async function momentsOf(driver: Driver, meshes: readonly DrawnMesh[], times: readonly number[]): Promise<Moments[]> {
  const stage = await driver.GetStage()
  const moments: Float64Array[][] = meshes.map(() => [])
  const isBound = ({ path }: DrawnMesh) => stage.GetPrimAtPath(path).GetPropertyNames().includes('skel:skeleton')
  // Printing a stage with many triangles takes long.
  const skel = posing(meshes.some(isBound) ? primsOf(await stage.ExportToString()) : new Map())
  for (const time of times) {
    const code = time * stage.GetTimeCodesPerSecond()
    driver.SetTime(code)
    driver.Draw()
    for (const [i, { path, points, indices, matrix }] of meshes.entries()) {
      moments[i]!.push(skel.isBound(path) ? skel.cornersAt(path, code) : cornersOf(indices, points, () => matrix))
    }
  }
  return moments
}

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
