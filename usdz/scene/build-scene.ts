import type { Mesh, Node } from '@gltf-transform/core'
import { type Motion, readMotion } from '../motion/motion.ts'
import { nodeMotion } from '../motion/node-motion.ts'
import { buildDeformingMeshes, type DeformingNode } from '../motion/skinning/deforming-meshes.ts'
import { constantWeights } from '../motion/skinning/morph-targets.ts'
import type { Settings } from '../options/options.ts'
import type { Model } from '../read/read-glb.ts'
import type { Notes } from '../report.ts'
import { type SplatMeshes, splatMeshes } from '../splats/read-splat-meshes.ts'
import { flatNodesAboveMotion, flattenedMeshes } from './flattened-meshes.ts'
import { type MeshPartBuilder, meshPartBuilder } from './geometry/mesh-parts.ts'
import { type Simplifier, simplifier } from './geometry/simplify.ts'
import { type Instance, readInstances } from './instancing.ts'
import type { MaterialSource } from './materials/material.ts'
import { identity, isIdentity, type Matrix, multiply } from './matrix.ts'
import { type NodeTransforms, nodeTransforms } from './node-transforms.ts'
import { originOf } from './origin.ts'
import { type UniqueNames, uniqueNames } from './prim-names.ts'
import type { Scene, SceneNode } from './scene.ts'
import { nodesAffectingMeshes, noteCameras, noteEmptyNodes, sceneRoots, visibleMeshNodes } from './visible-nodes.ts'

/**
 * Builds the scene: nodes with mesh parts, a skeleton for deforming meshes, and the motion of both. Names are legal and
 * unique, instances are expanded, and nodes without triangles are left out.
 * @param stage the names of the root prim and of other prims in it.
 * @param meshopt reduces triangles to the option `maxTriangles`.
 * @throws ConversionError when the model cannot be read or exceeds a limit.
 */
export function buildScene(
  model: Model,
  settings: Settings,
  materials: MaterialSource,
  stage: { root: string; materials: string },
  notes: Notes,
  meshopt?: Simplifier,
): Scene {
  noteCameras(model, notes)
  const transforms = nodeTransforms(model)
  const tops = sceneRoots(model, notes)
  const drawing = visibleMeshNodes(tops, notes)
  const movers = nodesAffectingMeshes(drawing, transforms)
  const motion = readMotion(model, settings, transforms, drawing, movers, notes)
  const { maxTriangles } = settings
  const simplify = meshopt && maxTriangles ? simplifier(meshopt, drawing, maxTriangles, notes) : undefined
  const splats = splatMeshes(model, settings, notes)
  const parts = meshPartBuilder(settings, materials, splats, simplify, notes)

  const isDeforming = (node: Node) => deforms(node, motion)
  const [deformed, rigid] = [drawing.filter(isDeforming), drawing.filter((node) => !isDeforming(node))]
  const movingNames = uniqueNames()
  for (const name of Object.values(stage)) movingNames(name, name)
  const names = nameMovingNodes(rigid, transforms, motion, movingNames, notes)
  const avoided = new Set([...names.values()].map((name) => name.toLowerCase()))
  const topNames = uniqueNames(avoided)
  topNames(stage.materials, stage.materials)

  const skeleton = { jointNames: movingNames, meshNames: uniqueNames(avoided) }
  const deforming = buildDeformingMeshes(
    deformed.flatMap((node) => deformingNodesOf(node, notes)),
    { settings, transforms, motion, parts, ...skeleton, notes },
  )
  const nodes = rigidNodes(tops, rigid, { transforms, motion, parts, splats, names, avoided, topNames, notes })
  noteEmptyNodes(tops, movers, notes)
  if (nodes.length === 0 && !deforming) {
    notes.leftOut('nothing_to_show', 'The GLB has no triangles, so the USDZ is empty.')
  }
  const skinned = deforming && { deforming: { ...deforming, name: topNames('Deforming', 'Deforming') } }
  const simplification = simplify?.result()
  return { nodes, ...skinned, clips: motion.clips, ...(simplification && { simplification }) }
}

/** Tells whether a node has a skin, or morph targets whose weights change. */
const deforms = (node: Node, motion: Motion): boolean =>
  node.getSkin() !== null || constantWeights(motion, node).includes(undefined)

/** Lists the deforming meshes of a node. Joints place a skinned mesh, so instances of its node have no effect. */
function deformingNodesOf(node: Node, notes: Notes): DeformingNode[] {
  const instances = readInstances(node, notes)
  if (instances && node.getSkin()) {
    notes.leftOut(
      'skinned_instances',
      'Instances of skinned meshes are drawn once: the joints of the skin determine their position.',
    )
  }
  const drawn: Instance[] = (!node.getSkin() && instances) || [{ matrix: identity }]
  return drawn.map(({ matrix, color }) => ({ node, mesh: node.getMesh()!, instance: matrix, tint: color }))
}

/**
 * Names the nodes with animated values first: no other prim or joint may share their names. Nodes of a scale of zero above
 * them are written as those are.
 */
function nameMovingNodes(
  drawing: readonly Node[],
  transforms: NodeTransforms,
  motion: Motion,
  uniqueName: UniqueNames,
  notes: Notes,
): Map<Node, string> {
  const names = new Map<Node, string>()
  const seen = new Set<Node>()
  const add = (node: Node) => names.set(node, uniqueName(nameOf(node), 'Node'))
  for (const node of drawing) {
    for (let at: Node | null = node; at && !seen.has(at); at = transforms.parentOf(at)) {
      seen.add(at)
      if (motion.isAnimated(at)) add(at)
    }
  }
  for (const node of flatNodesAboveMotion([...names.keys()], transforms, motion, notes)) add(node)
  return names
}

const nameOf = (node: Node) => node.getName() || (node.getMesh()?.getName() ?? '')

type Rigid = {
  transforms: NodeTransforms
  motion: Motion
  parts: MeshPartBuilder
  splats: SplatMeshes
  names: ReadonlyMap<Node, string>
  avoided: ReadonlySet<string>
  topNames: UniqueNames
  notes: Notes
}

/** Builds the nodes of rigid meshes and their ancestors. */
function rigidNodes(tops: readonly Node[], drawing: readonly Node[], rigid: Rigid): SceneNode[] {
  const { transforms, motion, parts, splats, names, avoided, topNames, notes } = rigid
  const draws = new Set(drawing)
  const flattened = flattenedMeshes(rigid)
  const needed = new Set<Node>()
  for (const node of drawing) {
    for (let at: Node | null = node; at && !needed.has(at); at = transforms.parentOf(at)) needed.add(at)
  }

  const splatsBelow = (mesh: Mesh, uniqueName: UniqueNames): Pick<SceneNode, 'splats'> => {
    const found = splats.of(mesh).map((own) => ({ name: uniqueName(mesh.getName(), 'Splats'), splats: own }))
    return found.length > 0 ? { splats: found } : {}
  }
  const visit = (node: Node, uniqueName: UniqueNames): SceneNode[] => {
    if (!needed.has(node)) return []
    const childNames = uniqueNames(avoided)
    const origin = originOf(node, notes)
    const here: SceneNode = {
      name: names.get(node) ?? uniqueName(nameOf(node), 'Node'),
      ...(origin && { origin }),
      ...(names.has(node) ? { motion: nodeMotion(node, motion) } : still(transforms.localMatrix(node))),
      parts: [],
      children: [],
    }
    const mesh = draws.has(node) ? node.getMesh() : null
    const instances = mesh && readInstances(node, notes)
    const weights = constantWeights(motion, node).map((weight) => weight ?? 0)
    if (mesh && instances) {
      for (const { matrix, color: tint } of instances) {
        const world = multiply(transforms.worldMatrix(node), matrix)
        const drawn = { mesh, world, weights, tint }
        const inside = uniqueNames(avoided)
        const own = flattened.takes(node, nameOf(node), drawn, matrix) ? [] : parts.rigid(drawn, inside)
        const name = childNames(mesh.getName(), 'Instance')
        const instance = { name, matrix, parts: own, ...splatsBelow(mesh, inside), children: [] }
        if (isShown(instance)) here.children.push(instance)
      }
    } else if (mesh) {
      const drawn = { mesh, world: transforms.worldMatrix(node), weights }
      if (!flattened.takes(node, nameOf(node), drawn)) here.parts = parts.rigid(drawn, childNames)
      Object.assign(here, splatsBelow(mesh, childNames))
    }
    for (const child of node.listChildren()) here.children.push(...visit(child, childNames))
    if (motion.isAnimated(node)) here.children.push(...flattened.nodesBelow(node, childNames))
    return isShown(here) ? [here] : []
  }
  return [...tops.flatMap((node) => visit(node, topNames)), ...flattened.nodesBelow(null, topNames)]
}

const isShown = ({ parts, splats, children }: SceneNode) => parts.length + (splats?.length ?? 0) + children.length > 0

const still = (matrix: Matrix): Pick<SceneNode, 'matrix'> => (isIdentity(matrix) ? {} : { matrix })
