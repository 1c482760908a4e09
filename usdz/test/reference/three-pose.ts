import * as three from 'three'
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js'
import { withJson } from '../content/models.ts'
import type { Gltf } from './gltf.ts'

/** Loads a GLB with three.js, without materials and images: an independent result for its vertex positions. */
export async function loadedByThree(glb: Uint8Array): Promise<GLTF> {
  const bare = withJson(glb, (json) => {
    const gltf = json as Gltf
    delete gltf.images
    delete gltf.textures
    delete gltf.materials
    for (const { primitives } of gltf.meshes ?? []) {
      for (const primitive of primitives) delete primitive.material
    }
  })
  return await new GLTFLoader().parseAsync(bare.buffer as ArrayBuffer, '')
}

/** The corners of all triangles by three.js at a time of a clip: for each primitive x y z a corner. */
export function cornersByThree(gltf: GLTF, clip: number | undefined, time: number): Float64Array[] {
  const scene = gltf.scene ?? new three.Group()
  const mixer = new three.AnimationMixer(scene)
  if (clip !== undefined) {
    const action = mixer.clipAction(gltf.animations[clip]!)
    action.setLoop(three.LoopOnce, 1).clampWhenFinished = true
    action.play()
    mixer.setTime(time)
  }
  scene.updateMatrixWorld(true)
  const found: Float64Array[] = []
  scene.traverse((object) => {
    if (!(object instanceof three.Mesh)) return
    const mesh = object as three.Mesh
    if (mesh instanceof three.SkinnedMesh) mesh.skeleton.update()
    const { index, attributes } = mesh.geometry
    const count = index?.count ?? attributes.position!.count
    const point = new three.Vector3()
    const out = new Float64Array(count * 3)
    for (let i = 0; i < count; i++) {
      mesh.getVertexPosition(index?.getX(i) ?? i, point)
      point.applyMatrix4(mesh.matrixWorld).toArray(out, i * 3)
    }
    found.push(out)
  })
  mixer.stopAllAction()
  mixer.uncacheRoot(scene)
  return found
}
