import type { Moments } from '../reference/compare.ts'
import { cornersOf } from '../reference/draws.ts'
import { boundsOfMeshes, type PlacedMesh } from './bounds.ts'
import { drawable } from './drawable.ts'
import { askedTimes, writeMoments } from './moments.ts'
import { type Delegate, type Driver, type OpenUsd, type Stage, withOpenUsd } from './start-openusd.ts'
import { primsOf, type UsdPrim } from './usda/parse-usda.ts'
import { posing } from './usda/pose-skeleton.ts'
import { printProgress, printVerdicts } from './verdict.ts'

async function main(): Promise<void> {
  const complaints: string[] = []
  await withOpenUsd(
    (line) => complaints.push(line),
    async (module) => {
      let number = 0
      await printVerdicts(async (file) => {
        complaints.length = 0
        const name = await drawable(module, file, `model${number++}.usdz`)
        const { driver, meshes, counts } = drawn(module, name)
        const stage = await driver.GetStage()
        const prims = await deformingPrims(stage, meshes)
        const times = await askedTimes(file)
        if (times) await writeMoments(file, 'openusd', momentsOf(driver, stage, prims, meshes, times))
        if (complaints.length > 0) throw new Error(`it warns: ${complaints.join(' ')}`)
        return { ...counts, ...countsOf(prims) }
      })
    },
  )
}

/** What OpenUSD passes to a renderer: after composition, triangulation and material binding. */
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
        // Arrays are views of the module's memory, which it reuses.
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
      // The renderer's own default material is not below the default prim.
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
  return { driver, meshes, counts: { ...counts, bounds: boundsOfMeshes(meshes) } }
}

type DrawnMesh = PlacedMesh & { path: string }

type Prims = ReadonlyMap<string, UsdPrim>

/** All prims of a stage with skeletons; none otherwise: printing a stage with many triangles takes long. */
async function deformingPrims(stage: Stage, meshes: readonly DrawnMesh[]): Promise<Prims> {
  const isBound = ({ path }: DrawnMesh) => stage.GetPrimAtPath(path).GetPropertyNames().includes('skel:skeleton')
  return meshes.some(isBound) ? primsOf(await stage.ExportToString()) : new Map()
}

function countsOf(prims: Prims) {
  const ofType = (type: string) => [...prims.values()].filter((prim) => prim.type === type)
  const jointsOf = ({ attributes }: UsdPrim) => (attributes.get('joints')?.value as string[] | undefined)?.length ?? 0
  return {
    joints: ofType('Skeleton').reduce((sum, skeleton) => sum + jointsOf(skeleton), 0),
    blendShapes: ofType('BlendShape').length,
  }
}

/**
 * The positions of all corners at times in seconds, as OpenUSD passes them to a renderer. This build does not support UsdSkel,
 * so skinned meshes are posed here from the values that OpenUSD composed.
 */
function momentsOf(
  driver: Driver,
  stage: Stage,
  prims: Prims,
  meshes: readonly DrawnMesh[],
  times: readonly number[],
): Moments[] {
  const moments: Float64Array[][] = meshes.map(() => [])
  const skel = posing(prims)
  for (const time of times) {
    printProgress()
    const code = time * stage.GetTimeCodesPerSecond()
    driver.SetTime(code)
    driver.Draw()
    for (const [i, { path, points, indices, matrix }] of meshes.entries()) {
      moments[i]!.push(skel.isBound(path) ? skel.cornersAt(path, code) : cornersOf(indices, points, () => matrix))
    }
  }
  return moments
}

await main()
process.exit(0)
