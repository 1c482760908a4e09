import {
  AnimationMixer,
  CompressedTexture,
  type Group,
  Light,
  LinearFilter,
  LinearMipmapLinearFilter,
  LoopOnce,
  type Material,
  Mesh,
  type MeshStandardMaterial,
  NoColorSpace,
  SkinnedMesh,
  SRGBColorSpace,
  Texture,
} from 'three'
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js'
import { DRACOLoader } from 'three/examples/jsm/loaders/DRACOLoader.js'
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js'
import { drawInstancesApart, turnInstancedNormalMaps } from './corrections/singular.ts'
import { PixelKtx2Loader } from './ktx2.ts'
import type { Shown } from './shown.ts'

/** The source as three's GLTFLoader shows it, without its own lights: both sides use the same light. */
export async function openGlb(bytes: ArrayBuffer): Promise<Shown> {
  const loader = new GLTFLoader()
    .setDRACOLoader(new DRACOLoader().setDecoderPath('/three/examples/jsm/libs/draco/gltf/'))
    .setKTX2Loader(new PixelKtx2Loader().setTranscoderPath('/three/examples/jsm/libs/basis/'))
    .setMeshoptDecoder(MeshoptDecoder)
  const gltf = await loader.parseAsync(bytes, '')
  const group = await shownScene(gltf)
  turnInstancedNormalMaps(group)
  drawInstancesApart(group)
  group.traverse((object) => {
    // Not removed: the nodes below it may have meshes.
    if (object instanceof Light) object.intensity = 0
    // Culling uses the bounds at rest.
    object.frustumCulled = false
    if (object instanceof Mesh) {
      readAsData(object.material)
      filter(object.material)
    }
  })
  turnMirrored(group)
  await hideInvisible(gltf)

  const mixer = new AnimationMixer(group)
  return {
    object: group,
    clips: gltf.animations.map(({ name, duration }) => ({ name, duration })),
    pose(clips, seconds) {
      mixer.stopAllAction()
      for (const clip of clips ?? []) {
        const action = mixer.clipAction(gltf.animations[clip]!).setLoop(LoopOnce, 1)
        action.clampWhenFinished = true
        action.reset().play()
      }
      if (clips) mixer.setTime(seconds)
    },
  }
}

const dataMaps = ['aoMap', 'metalnessMap', 'normalMap', 'roughnessMap'] as const

/** The loader has one colour space for a texture: also for occlusion, if the base colour is of the same texture. */
function readAsData(materials: Material | Material[]): void {
  for (const material of [materials].flat() as Partial<MeshStandardMaterial>[]) {
    for (const name of dataMaps) {
      const map = material[name]
      if (map?.colorSpace !== SRGBColorSpace) continue
      material[name] = map.clone()
      material[name].colorSpace = NoColorSpace
    }
  }
}

/**
 * The bitangents of glTF are those of a mesh, which its node mirrors with it. Shaders of three compute them from what is
 * mirrored already, and so to the other side.
 */
function turnMirrored(group: Group): void {
  group.updateMatrixWorld(true)
  group.traverse((object) => {
    if (!(object instanceof Mesh) || object instanceof SkinnedMesh || object.matrixWorld.determinant() >= 0) return
    if (!object.geometry.hasAttribute('tangent')) return
    object.geometry = object.geometry.clone()
    const tangents = object.geometry.getAttribute('tangent')
    for (let i = 0; i < tangents.count; i++) tangents.setW(i, -tangents.getW(i))
  })
}

/** USD has no sampler filters: both sides use the default ones. */
function filter(materials: Material | Material[]): void {
  for (const material of [materials].flat()) {
    for (const texture of Object.values(material)) {
      if (!(texture instanceof Texture)) continue
      texture.magFilter = LinearFilter
      texture.minFilter = texture instanceof CompressedTexture ? LinearFilter : LinearMipmapLinearFilter
      texture.generateMipmaps = !(texture instanceof CompressedTexture)
      texture.needsUpdate = true
    }
  }
}

/** The default scene, or the first; without scenes, all nodes. */
async function shownScene(gltf: GLTF): Promise<Group> {
  const shown = gltf.scene ?? gltf.scenes[0]
  if (shown) return shown as Group
  const { Group } = await import('three')
  const group = new Group()
  const nodes = ((gltf.parser.json as Json).nodes ?? []).map((_, index) => index)
  const below = new Set(((gltf.parser.json as Json).nodes ?? []).flatMap(({ children = [] }) => children))
  for (const index of nodes) if (!below.has(index)) group.add(await gltf.parser.getDependency('node', index))
  return group
}

type Json = { nodes?: { children?: number[]; extensions?: { KHR_node_visibility?: { visible?: boolean } } }[] }

/** KHR_node_visibility, which the loader does not support. */
async function hideInvisible(gltf: GLTF): Promise<void> {
  for (const [index, node] of ((gltf.parser.json as Json).nodes ?? []).entries()) {
    if (node.extensions?.KHR_node_visibility?.visible !== false) continue
    const object = await gltf.parser.getDependency('node', index)
    object.visible = false
  }
}
