import { timeCodesPerSecond } from '../motion/animation/timeline.ts'
import type { ClipRange } from '../motion/motion.ts'
import type { IblVersion, Settings } from '../options/options.ts'
import type { Material } from '../scene/materials/material.ts'
import { compose } from '../scene/matrix.ts'
import type { MeshPart, Scene, SceneNode } from '../scene/scene.ts'
import { splatsPrim } from '../splats/write-splats.ts'
import { originMetadata } from './origin-metadata.ts'
import type { Layer, Metadatum, Prim, Value } from './prim.ts'
import type { Surface } from './surface.ts'
import { withAccessibility } from './write-accessibility.ts'
import { withAnchor } from './write-anchor.ts'
import { type VariantNames, variantMesh, withVariants } from './write-material-variants.ts'
import { meshWriter, motionOps, transformOps } from './write-mesh.ts'
import { skelRoot } from './write-skeleton.ts'
import { materialPrim } from './write-surface.ts'

/** The names of the root prim and of the prim for materials. */
export const stageNames = { root: 'Root', materials: 'Materials' }

/**
 * Builds the layer of a scene. Everything is below the default prim, so that other files can reference it. The y axis
 * is up and the unit is a metre, as in glTF.
 * @param variants the material variants; parts list their material in each.
 */
export function sceneLayer(
  scene: Scene,
  surfaces: ReadonlyMap<Material, Surface>,
  variants: VariantNames,
  assetInfo: AssetInfo,
  settings: Pick<Settings, 'scale' | 'anchor' | 'loop' | 'preferredIblVersion' | 'label' | 'description'>,
): Layer {
  const { scale, anchor, loop } = settings
  const rootPath = `/${stageNames.root}`
  const materialsPath = `${rootPath}/${stageNames.materials}`
  const writeMesh = meshWriter()
  const pathOf = (material: Material | undefined): string | undefined => {
    const surface = material && surfaces.get(material)
    return surface && `${materialsPath}/${surface.name}`
  }
  const meshPrim = (part: MeshPart): Prim => {
    const shown = [part.material, ...(part.variants ?? [])].flatMap((material) => material ?? [])
    const primvars = shown.flatMap((material) => surfaces.get(material)?.primvars ?? [])
    return variantMesh(writeMesh(part, pathOf(part.material), primvars), part)
  }
  const nodePrim = (node: SceneNode): Prim => ({
    name: node.name,
    typeName: 'Xform',
    ...originMetadata(node.name, node.origin),
    properties: node.motion ? motionOps(node.motion) : transformOps(node.matrix),
    children: [
      ...node.parts.map(meshPrim),
      ...(node.splats ?? []).map(({ name, splats }) => splatsPrim(name, splats)),
      ...node.children.map(nodePrim),
    ],
  })
  const { deforming } = scene
  const skinned = deforming ? [skelRoot(deforming, `${rootPath}/${deforming.name}`, meshPrim)] : []
  const materials: Prim = {
    name: stageNames.materials,
    typeName: 'Scope',
    properties: [],
    children: [...surfaces.values()].map((surface) => materialPrim(surface, materialsPath)),
  }
  const root: Prim = {
    name: stageNames.root,
    typeName: 'Xform',
    properties: transformOps(scale === 1 ? undefined : compose([], [], [scale, scale, scale])),
    children: [...(surfaces.size > 0 ? [materials] : []), ...scene.nodes.map(nodePrim), ...skinned],
  }
  return {
    metadata: [
      { name: 'defaultPrim', value: { type: 'token', value: stageNames.root } },
      { name: 'metersPerUnit', value: { type: 'double', value: 1 } },
      { name: 'upAxis', value: { type: 'token', value: 'Y' } },
      ...timeline(scene.clips),
      ...(scene.clips.length > 0 ? playback(loop) : []),
      {
        name: 'customLayerData',
        value: { type: 'dictionary', value: aboutLayer(assetInfo, settings.preferredIblVersion) },
      },
    ],
    prims: [withAccessibility(withAnchor(withVariants(root, variants, pathOf), anchor), settings)],
  }
}

/** Returns the time range and frame rate of the stage; none without animation. */
function timeline(clips: readonly ClipRange[]): Metadatum[] {
  if (clips.length === 0) return []
  const end = Math.max(...clips.map((clip) => clip.end)) * timeCodesPerSecond
  const codes = {
    endTimeCode: end,
    framesPerSecond: timeCodesPerSecond,
    startTimeCode: 0,
    timeCodesPerSecond: timeCodesPerSecond,
  }
  return Object.entries(codes).map(([name, value]) => ({ name, value: { type: 'double', value } }))
}

/** Returns what Apple's viewers read about playing the animations. Source: Apple, "USD schemas for AR", Animation. */
function playback(loop: boolean | undefined): Metadatum[] {
  if (loop === undefined) return []
  return [
    { name: 'autoPlay', value: { type: 'bool', value: true } },
    { name: 'playbackMode', value: { type: 'token', value: loop ? 'loop' : 'none' } },
  ]
}

/** What a GLB says about itself: its generator, its copyright, and texts such as author and licence, by name. */
export type AssetInfo = { generator?: string; copyright?: string; about: Readonly<Record<string, string>> }

/**
 * Builds `customLayerData` with the keys that tools read. Without a version of the light, Quick Look takes the classic
 * one for files dated before July 2022, as those of our packages are. Source: Apple, "preferredIblVersion".
 */
function aboutLayer(
  { generator, copyright, about }: AssetInfo,
  preferredIblVersion: IblVersion,
): Record<string, Value> {
  const texts = { ...about, creator: '@cairn/usdz', copyright: copyright ?? '', gltfGenerator: generator ?? '' }
  const entries = Object.entries(texts)
    .filter(([, value]) => value !== '')
    .map(([key, value]): [string, Value] => [key, { type: 'string', value }])
  return {
    ...Object.fromEntries(entries),
    Apple: { type: 'dictionary', value: { preferredIblVersion: { type: 'int', value: preferredIblVersion } } },
  }
}
