import type { Node } from '@gltf-transform/core'
import { type Motion, motionOf, moving } from '../motion/motion.ts'
import { type Deformer, deformingOf } from '../motion/skinning/deforming-meshes.ts'
import type { Settings } from '../options.ts'
import type { Model } from '../read/read-glb.ts'
import type { NoteBook } from '../report.ts'
import { type PartMaker, partMaker } from './geometry/mesh-parts.ts'
import { instanceMatrices } from './instancing.ts'
import type { MaterialSource } from './materials/material.ts'
import { identity, isIdentity, type Matrix, multiply } from './matrix.ts'
import { type Placements, placements } from './node-transforms.ts'
import { type NameGiver, nameGiver } from './prim-names.ts'
import type { Scene, SceneNode } from './scene.ts'
import { drawingNodes, moversOf, noteEmpty, noteUnwritten, shownNodes } from './visible-nodes.ts'

/**
 * Turns the model's scene into nodes with mesh parts, a skeleton for meshes that deform, and the motion of both: names
 * legal and unique, instances written out, nodes without triangles below them left out.
 * @param stage the names of the prim that everything stands below, and of what else stands there.
 * @throws ConversionError when the model cannot be read, or has more than the limits allow.
 */
export function buildScene(
  model: Model,
  settings: Settings,
  materials: MaterialSource,
  stage: { root: string; materials: string },
  notes: NoteBook,
): Scene {
  noteUnwritten(model, notes)
  const place = placements(model)
  const tops = shownNodes(model, notes)
  const drawing = drawingNodes(tops, notes)
  const movers = moversOf(drawing, place)
  const motion = motionOf(model, settings, place, drawing, movers, notes)
  const parts = partMaker(settings, materials, notes)

  const [deformed, rigid] = [drawing.filter(deforms), drawing.filter((node) => !deforms(node))]
  const movingNames = nameGiver()
  for (const name of Object.values(stage)) movingNames(name, name)
  const names = namesOfMoved(rigid, place, motion, movingNames)
  const avoided = new Set([...names.values()].map((name) => name.toLowerCase()))
  const topNames = nameGiver(avoided)
  topNames(stage.materials, stage.materials)

  const skeleton = { jointNames: movingNames, meshNames: nameGiver(avoided) }
  const deforming = deformingOf(
    deformed.flatMap((node) => deformersOf(node, notes)),
    { settings, place, motion, parts, ...skeleton, notes },
  )
  const nodes = rigidNodes(tops, rigid, { place, motion, parts, names, avoided, topNames })
  noteEmpty(tops, movers, notes)
  if (nodes.length === 0 && !deforming) {
    notes.leftOut('nothing_to_show', 'The GLB has no triangles, so the USDZ shows nothing.')
  }
  const skinned = deforming && { deforming: { ...deforming, name: topNames('Deforming', 'Deforming') } }
  return { nodes, ...skinned, clips: motion.clips }
}

/** Whether the mesh of a node changes its shape. */
const deforms = (node: Node): boolean =>
  node.getSkin() !== null ||
  (node.getMesh()?.listPrimitives() ?? []).some((primitive) => primitive.listTargets().length > 0)

/** A skinned mesh stands where its joints are, so instances of it, which place its node, have no say. */
function deformersOf(node: Node, notes: NoteBook): Deformer[] {
  const instances = instanceMatrices(node)
  if (instances && node.getSkin()) {
    notes.leftOut('skinned_instances', 'Instances of skinned meshes are drawn once: their joints say where they stand.')
  }
  const drawn = (!node.getSkin() && instances) || [identity]
  return drawn.map((instance) => ({ node, mesh: node.getMesh()!, instance }))
}

/** Names for the nodes that move, given before all others: no other prim or joint may have them. */
function namesOfMoved(
  drawing: readonly Node[],
  place: Placements,
  motion: Motion,
  giveName: NameGiver,
): Map<Node, string> {
  const names = new Map<Node, string>()
  const seen = new Set<Node>()
  for (const node of drawing) {
    for (let at: Node | null = node; at && !seen.has(at); at = place.parentOf(at)) {
      seen.add(at)
      if (motion.isMoved(at)) names.set(at, giveName(nameOf(at), 'Node'))
    }
  }
  return names
}

const nameOf = (node: Node) => node.getName() || (node.getMesh()?.getName() ?? '')

type Rigid = {
  place: Placements
  motion: Motion
  parts: PartMaker
  names: ReadonlyMap<Node, string>
  avoided: ReadonlySet<string>
  topNames: NameGiver
}

/** The nodes whose meshes keep their shape, with those above them. */
function rigidNodes(tops: readonly Node[], drawing: readonly Node[], rigid: Rigid): SceneNode[] {
  const { place, motion, parts, names, avoided, topNames } = rigid
  const draws = new Set(drawing)
  const needed = new Set<Node>()
  for (const node of drawing) {
    for (let at: Node | null = node; at && !needed.has(at); at = place.parentOf(at)) needed.add(at)
  }

  const visit = (node: Node, giveName: NameGiver): SceneNode[] => {
    if (!needed.has(node)) return []
    const childNames = nameGiver(avoided)
    const here: SceneNode = {
      name: names.get(node) ?? giveName(nameOf(node), 'Node'),
      ...placeOf(node, place, motion),
      parts: [],
      children: [],
    }
    const mesh = draws.has(node) ? node.getMesh() : null
    const instances = mesh && instanceMatrices(node)
    if (mesh && instances) {
      for (const instance of instances) {
        const own = parts.rigid(mesh, multiply(place.worldOf(node), instance), nameGiver(avoided))
        const name = childNames(mesh.getName(), 'Instance')
        if (own.length > 0) here.children.push({ name, matrix: instance, parts: own, children: [] })
      }
    } else if (mesh) {
      here.parts = parts.rigid(mesh, place.worldOf(node), childNames)
    }
    for (const child of node.listChildren()) here.children.push(...visit(child, childNames))
    return here.parts.length > 0 || here.children.length > 0 ? [here] : []
  }
  return tops.flatMap((node) => visit(node, topNames))
}

function placeOf(node: Node, place: Placements, motion: Motion): { matrix?: Matrix } | Pick<SceneNode, 'motion'> {
  if (motion.isMoved(node)) {
    const part = (path: 'translation' | 'rotation' | 'scale') => moving(motion, node, path)
    return { motion: { translation: part('translation'), rotation: part('rotation'), scale: part('scale') } }
  }
  const matrix = place.localOf(node)
  return isIdentity(matrix) ? {} : { matrix }
}
