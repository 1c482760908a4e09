import {
  Box3,
  type InstancedMesh,
  type Line,
  type Material,
  type Mesh,
  type MeshStandardMaterial,
  type Object3D,
  type Points,
  REVISION,
  type SkinnedMesh,
  type Texture,
  type WebGLRenderer,
} from 'three'
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js'
import { DRACOLoader } from 'three/examples/jsm/loaders/DRACOLoader.js'
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js'
import { KTX2Loader } from 'three/examples/jsm/loaders/KTX2Loader.js'
import { assertBounded } from './glb-bounds.ts'

/** Larger models are not drawn on the map. */
const MOST_BYTES = 20_000_000
const MOST_TRIANGLES = 1_000_000
const MOST_METRES = 1000
/** Emitted by web/decoders.ts. */
const DECODERS = `${import.meta.env.BASE_URL}assets/three-${REVISION}/`

/** A model, and the box around it in metres. */
export type LoadedModel = { object: Object3D; box: Box3 }

/** The model may be loaded later. */
export class Unavailable extends Error {}

/** Loads models with the decoders of this service. One is decoded at a time: together they would take too much memory. */
export function modelLoader(renderer: WebGLRenderer) {
  const ktx2 = new KTX2Loader().setTranscoderPath(DECODERS).detectSupport(renderer)
  let before: Promise<unknown> = Promise.resolve()

  const decode = async (bytes: ArrayBuffer): Promise<LoadedModel> => {
    // A decoder of its own: one that has run out of memory reads nothing more.
    const draco = new DRACOLoader().setDecoderPath(`${DECODERS}bounded/`).setWorkerLimit(1)
    const loader = new GLTFLoader().setDRACOLoader(draco).setKTX2Loader(ktx2).setMeshoptDecoder(MeshoptDecoder)
    const { scene } = await loader.parseAsync(bytes, '').finally(() => draco.dispose())
    try {
      return { object: scene, box: boxAround(scene) }
    } catch (error) {
      release(scene)
      throw error
    }
  }
  return {
    /** @throws Unavailable; if it cannot be read, or is too large */
    async load(url: string, signal: AbortSignal): Promise<LoadedModel> {
      const bytes = await bytesOf(url, signal)
      assertBounded(bytes)
      const decoded = before.then(() => {
        signal.throwIfAborted()
        return decode(bytes)
      })
      before = decoded.catch(() => {})
      return decoded
    },
    dispose: () => ktx2.dispose(),
  }
}

async function bytesOf(url: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await unlessCut(fetch(url, { signal }))
  if (response.status === 429 || response.status >= 500) throw new Unavailable(`${response.status}`)
  if (!response.ok || !response.body) throw new Error(`${response.status}`)
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body.getReader()
  for (let size = Number(response.headers.get('content-length') ?? 0), read = 0; ; size = read) {
    if (size > MOST_BYTES) {
      await reader.cancel()
      throw new Error('The file is too large')
    }
    const { done, value } = await unlessCut(reader.read())
    if (done) return new Blob(parts).arrayBuffer()
    parts.push(value)
    read += value.length
  }
}

/** @throws Unavailable if the connection is cut */
async function unlessCut<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw new Unavailable('The file did not arrive', { cause })
  }
}

type Drawn = Mesh | Points | Line
const drawnOf = (object: Object3D): Drawn[] => {
  const drawn: Drawn[] = []
  object.traverse((one) => {
    if ((one as Mesh).geometry) drawn.push(one as Mesh)
  })
  return drawn
}
const materialsOf = ({ material }: Drawn): Material[] => [material].flat()

/** Prepares a model to be drawn in the map's frame. @returns the box around it @throws if it is too large */
function boxAround(object: Object3D): Box3 {
  let triangles = 0
  for (const drawn of drawnOf(object)) {
    // The camera of the map is no camera of three.js, by which it could be left out.
    drawn.frustumCulled = false
    const { index, attributes } = drawn.geometry
    const instances = (drawn as InstancedMesh).isInstancedMesh ? (drawn as InstancedMesh).count : 1
    triangles += ((index ?? attributes.position)?.count ?? 0) * (instances / 3)
    // Metal is black where there is nothing that it reflects.
    for (const material of materialsOf(drawn) as MeshStandardMaterial[])
      if (material.metalness > 0.3) material.metalness = 0.3
  }
  if (triangles > MOST_TRIANGLES) throw new Error('The model has too many triangles')
  object.updateMatrixWorld(true)
  const box = new Box3().setFromObject(object)
  if (!(Math.max(box.min.length(), box.max.length()) <= MOST_METRES)) throw new Error('The model is too large')
  return box
}

/** Frees the memory of the graphics card. */
export function release(object: Object3D): void {
  for (const drawn of drawnOf(object)) {
    drawn.geometry.dispose()
    const { skeleton } = drawn as SkinnedMesh
    skeleton?.dispose()
    for (const material of materialsOf(drawn)) {
      for (const value of Object.values(material) as (Texture | undefined)[])
        if (value?.isTexture) {
          value.dispose()
          if (value.image instanceof ImageBitmap) value.image.close()
        }
      material.dispose()
    }
  }
}
