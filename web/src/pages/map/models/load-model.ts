import {
  Box3,
  type Material,
  type Mesh,
  type MeshStandardMaterial,
  type Object3D,
  REVISION,
  type WebGLRenderer,
} from 'three'
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js'
import { DRACOLoader } from 'three/examples/jsm/loaders/DRACOLoader.js'
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js'
import { KTX2Loader } from 'three/examples/jsm/loaders/KTX2Loader.js'

/** Larger models are not drawn on the map. */
const MOST_BYTES = 20_000_000
const MOST_TRIANGLES = 1_000_000
const MOST_METRES = 1000
/** Emitted by web/decoders.ts. */
const DECODERS = `${import.meta.env.BASE_URL}assets/three-${REVISION}/`

/** A model, and the box around it in metres. */
export type LoadedModel = { object: Object3D; box: Box3 }

/** Loads models with the decoders of this service. */
export function modelLoader(renderer: WebGLRenderer) {
  const draco = new DRACOLoader().setDecoderPath(DECODERS)
  const ktx2 = new KTX2Loader().setTranscoderPath(DECODERS).detectSupport(renderer)
  const loader = new GLTFLoader().setDRACOLoader(draco).setKTX2Loader(ktx2).setMeshoptDecoder(MeshoptDecoder)
  return {
    /** @throws if it cannot be read, or is too large */
    async load(url: string, signal: AbortSignal): Promise<LoadedModel> {
      const { scene } = await loader.parseAsync(await bytesOf(url, signal), '')
      const triangles = prepared(scene)
      scene.updateMatrixWorld(true)
      const box = new Box3().setFromObject(scene)
      const reach = Math.max(box.min.length(), box.max.length())
      if (triangles > MOST_TRIANGLES || !(reach <= MOST_METRES)) {
        release(scene)
        throw new Error('The model is too large')
      }
      return { object: scene, box }
    },
    dispose: () => {
      draco.dispose()
      ktx2.dispose()
    },
  }
}

async function bytesOf(url: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(url, { signal })
  if (!response.ok || !response.body) throw new Error(`${response.status}`)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = Number(response.headers.get('content-length') ?? 0)
  if (size > MOST_BYTES) {
    await response.body.cancel()
    throw new Error('The file is too large')
  }
  size = 0
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts).arrayBuffer()
    parts.push(value)
    size += value.length
    if (size <= MOST_BYTES) continue
    await reader.cancel()
    throw new Error('The file is too large')
  }
}

const meshesOf = (object: Object3D): Mesh[] => {
  const meshes: Mesh[] = []
  object.traverse((one) => {
    if ((one as Mesh).isMesh) meshes.push(one as Mesh)
  })
  return meshes
}
const materialsOf = ({ material }: Mesh): Material[] => [material].flat()

/** Prepares a model to be drawn in the map's frame. @returns its triangles */
function prepared(object: Object3D): number {
  let triangles = 0
  for (const mesh of meshesOf(object)) {
    // The camera of the map is no camera of three.js, by which it could be left out.
    mesh.frustumCulled = false
    triangles += (mesh.geometry.index ?? mesh.geometry.attributes.position!).count / 3
    // Metal is black where there is nothing that it reflects.
    for (const material of materialsOf(mesh) as MeshStandardMaterial[])
      if (material.metalness > 0.3) material.metalness = 0.3
  }
  return triangles
}

/** Frees the memory of the graphics card. */
export function release(object: Object3D): void {
  for (const mesh of meshesOf(object)) {
    mesh.geometry.dispose()
    for (const material of materialsOf(mesh)) {
      for (const value of Object.values(material)) if (value?.isTexture) value.dispose()
      material.dispose()
    }
  }
}
