import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Three from 'three'
import type { Moments } from '../reference/compare.ts'
import { askedTimes, writeMoments } from './moments.ts'
import { printProgress, printVerdicts } from './verdict.ts'

/** The project's three.js, not the older one of the OpenUSD package. */
const fromRoot = createRequire(new URL('../../../package.json', import.meta.url))
const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(path).href)) as T

async function main(): Promise<void> {
  // The loader decodes images by browser interfaces; here only their number and place matter.
  Object.assign(globalThis, { self: globalThis })
  URL.createObjectURL = () => 'blob:none'
  const three = await load<typeof Three>(join(dirname(fromRoot.resolve('three')), 'three.module.js'))
  three.ImageLoader.prototype.load = (_url, onLoad) => {
    const image = { width: 1, height: 1 } as ReturnType<Three.ImageLoader['load']>
    setTimeout(() => onLoad?.(image), 0)
    return image
  }
  const { USDLoader } = await load<{ USDLoader: new () => { parse(data: ArrayBuffer): Three.Group } }>(
    fromRoot.resolve('three/examples/jsm/loaders/USDLoader.js'),
  )

  await printVerdicts(async (file) => {
    const bytes = await readFile(file)
    const group = new USDLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    let meshes = 0
    let triangles = 0
    const bones = new Set<Three.Bone>()
    group.traverse((object) => {
      if (!(object instanceof three.Mesh)) return
      const { geometry } = object as Three.Mesh
      meshes++
      if (object instanceof three.SkinnedMesh) for (const bone of object.skeleton.bones) bones.add(bone)
      triangles += (geometry.index?.count ?? geometry.attributes.position?.count ?? 0) / 3
    })
    const times = await askedTimes(file)
    if (times) await writeMoments(file, 'three', momentsOf(three, group, times))
    const box = new three.Box3().setFromObject(group, true)
    // The loader creates materials and textures for every mesh, and does not support blend shapes.
    return { meshes, triangles, joints: bones.size, bounds: [...box.min.toArray(), ...box.max.toArray()] }
  })
}

/** The positions of all corners at times in seconds, with all animations playing. */
function momentsOf(three: typeof Three, group: Three.Group, times: readonly number[]): Moments[] {
  const meshes: Three.Mesh[] = []
  group.traverse((object) => {
    if (object instanceof three.Mesh) meshes.push(object as Three.Mesh)
  })
  const mixer = new three.AnimationMixer(group)
  const actions = group.animations.map((clip) => mixer.clipAction(clip).setLoop(three.LoopOnce, 1))
  const moments: Float64Array[][] = meshes.map(() => [])
  const point = new three.Vector3()
  for (const time of times) {
    printProgress()
    for (const action of actions) {
      // A finished action stays paused until it is resumed.
      action.clampWhenFinished = true
      action.reset().play()
    }
    mixer.setTime(time)
    group.updateMatrixWorld(true)
    for (const [at, mesh] of meshes.entries()) {
      if (mesh instanceof three.SkinnedMesh) mesh.skeleton.update()
      const { index, attributes } = mesh.geometry
      const count = index?.count ?? attributes.position?.count ?? 0
      const corners = new Float64Array(count * 3)
      for (let i = 0; i < count; i++) {
        mesh.getVertexPosition(index?.getX(i) ?? i, point)
        point.applyMatrix4(mesh.matrixWorld).toArray(corners, i * 3)
      }
      moments[at]!.push(corners)
    }
  }
  return moments
}

await main()
process.exit(0)
