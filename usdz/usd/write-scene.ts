import { timeCodesPerSecond } from '../motion/animation/timeline.ts'
import type { ClipRange } from '../motion/motion.ts'
import type { Material } from '../scene/materials/material.ts'
import type { MeshPart, Scene, SceneNode } from '../scene/scene.ts'
import type { Layer, Metadatum, Prim, Value } from './prim.ts'
import type { Surface } from './surface.ts'
import { variantMesh, withVariants } from './write-material-variants.ts'
import { meshWriter, motionOps, transformOps } from './write-mesh.ts'
import { skelRoot } from './write-skeleton.ts'
import { materialPrim } from './write-surface.ts'

/** The prim that everything stands below, and the one in it that holds the materials. */
export const stageNames = { root: 'Root', materials: 'Materials' }

/**
 * The layer of a scene. Everything, materials too, is below the default prim, so that the file can be referenced into
 * another one whole. y is up and a unit is a metre, as in glTF.
 * @param looks the names of the looks it may be given; parts say which material they have in each.
 */
export function sceneLayer(
  scene: Scene,
  surfaces: ReadonlyMap<Material, Surface>,
  looks: readonly string[],
  assetInfo: AssetInfo,
): Layer {
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
    properties: node.motion ? motionOps(node.motion) : transformOps(node.matrix),
    children: [...node.parts.map(meshPrim), ...node.children.map(nodePrim)],
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
    properties: [],
    children: [...(surfaces.size > 0 ? [materials] : []), ...scene.nodes.map(nodePrim), ...skinned],
  }
  return {
    metadata: [
      { name: 'defaultPrim', value: { type: 'token', value: stageNames.root } },
      { name: 'metersPerUnit', value: { type: 'double', value: 1 } },
      { name: 'upAxis', value: { type: 'token', value: 'Y' } },
      ...timeline(scene.clips),
      { name: 'customLayerData', value: { type: 'dictionary', value: aboutLayer(assetInfo) } },
    ],
    prims: [withVariants(root, looks, pathOf)],
  }
}

/** How long the stage plays, and how fast. A stage that stands still has no time. */
function timeline(clips: readonly ClipRange[]): Metadatum[] {
  if (clips.length === 0) return []
  const end = clips.at(-1)!.end * timeCodesPerSecond
  const codes = {
    endTimeCode: end,
    framesPerSecond: timeCodesPerSecond,
    startTimeCode: 0,
    timeCodesPerSecond: timeCodesPerSecond,
  }
  return Object.entries(codes).map(([name, value]) => ({ name, value: { type: 'double', value } }))
}

/** What the GLB says of itself: who made it by what, and whose it is. */
export type AssetInfo = { generator?: string; copyright?: string }

/** Said under the names that tools look for; the model's own words stand apart. */
function aboutLayer({ generator, copyright }: AssetInfo): Record<string, Value> {
  const text = (value: string): Value => ({ type: 'string', value })
  return {
    creator: text('@cairn/usdz'),
    ...(copyright && { copyright: text(copyright) }),
    ...(generator && { gltfGenerator: text(generator) }),
  }
}
