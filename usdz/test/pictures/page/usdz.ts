import { AnimationMixer, LoopOnce, type Object3D, type WebGLRenderer } from 'three'
import { unzipSync } from 'three/examples/jsm/libs/fflate.module.js'
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js'
import { meshesOf } from './meshes.ts'
import { poser } from './pose.ts'
import type { Shown } from './shown.ts'
import { readStage } from './stage.ts'
import { surfaces } from './surface.ts'
import { textureSource } from './textures.ts'

/**
 * The package twice: by three's USDLoader, and completed. USDLoader omits double-sided faces, blend shapes, the scale, bias and
 * channel of a texture, textured clear coats and opacity without a colour texture; it confuses textures used in two ways, and
 * finds moving nodes only by the last part of their path. The completed side uses its meshes, and reads what is missing from
 * the package's crate file, by UsdPreviewSurface, UsdGeom and UsdSkel.
 */
export async function openUsdz(bytes: ArrayBuffer, renderer: WebGLRenderer): Promise<{ loader: Shown; usd: Shown }> {
  const plain = await load(bytes)
  const group = await load(bytes)
  const files = unzipSync(new Uint8Array(bytes))
  const [root] = Object.values(files)
  const stage = readStage(root!.slice().buffer as ArrayBuffer)
  const meshes = meshesOf(group, stage)
  const textures = textureSource(files, renderer)
  const dress = surfaces(stage, textures)
  for (const mesh of meshes) await dress(mesh)
  const pose = poser(group, stage, meshes)

  const mixer = new AnimationMixer(plain)
  return {
    loader: {
      object: still(plain),
      clips: [],
      pose(clips, timeCode) {
        mixer.stopAllAction()
        if (clips === undefined) return
        for (const animation of plain.animations) {
          const action = mixer.clipAction(animation).setLoop(LoopOnce, 1)
          action.clampWhenFinished = true
          action.reset().play()
        }
        mixer.setTime(timeCode / (stage.field<number>('/', 'timeCodesPerSecond') ?? 24))
      },
    },
    usd: { object: still(group), clips: [], pose: (clips, timeCode) => pose(clips && timeCode) },
  }
}

const load = (bytes: ArrayBuffer) =>
  new Promise<Object3D>((done, failed) => new USDLoader().parse(bytes, '', done, failed))

function still<T extends Object3D>(object: T): T {
  object.traverse((part) => {
    // Culling uses the bounds at rest.
    part.frustumCulled = false
  })
  return object
}
