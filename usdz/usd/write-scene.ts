import type { ClipRange } from '../motion/motion.ts'
import { codesPerSecond } from '../motion/timeline.ts'
import type { Material } from '../scene/material.ts'
import type { MeshPart, Scene, SceneNode } from '../scene/scene.ts'
import type { Layer, Metadatum, Prim } from './prim.ts'
import type { Surface } from './surface.ts'
import { meshWriter, motionOps, transformOps } from './write-mesh.ts'
import { skelRoot } from './write-skeleton.ts'
import { materialPrim } from './write-surface.ts'

/** The prim that everything stands below, and the one in it that holds the materials. */
export const stageNames = { root: 'Root', materials: 'Materials' }

/**
 * The layer of a scene. Everything, materials too, is below the default prim, so that the file can be referenced into
 * another one whole. y is up and a unit is a metre, as in glTF.
 */
export function sceneLayer(scene: Scene, surfaces: ReadonlyMap<Material, Surface>): Layer {
  const rootPath = `/${stageNames.root}`
  const materialsPath = `${rootPath}/${stageNames.materials}`
  const writeMesh = meshWriter()
  const meshPrim = (part: MeshPart): Prim => {
    const surface = part.material && surfaces.get(part.material)
    return writeMesh(part, surface && `${materialsPath}/${surface.name}`, surface?.primvars ?? [])
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
    ],
    prims: [root],
  }
}

/** How long the stage plays, and how fast. A stage that stands still has no time. */
function timeline(clips: readonly ClipRange[]): Metadatum[] {
  if (clips.length === 0) return []
  const end = clips.at(-1)!.end * codesPerSecond
  const codes = {
    endTimeCode: end,
    framesPerSecond: codesPerSecond,
    startTimeCode: 0,
    timeCodesPerSecond: codesPerSecond,
  }
  return Object.entries(codes).map(([name, value]) => ({ name, value: { type: 'double', value } }))
}
