import type { Node } from '@gltf-transform/core'
import type { Visibility } from '@gltf-transform/extensions'
import type { Settings } from '../options.ts'
import type { Model } from '../read/read-glb.ts'
import type { NoteBook } from '../report.ts'
import { instanceMatrices } from './instances.ts'
import type { MaterialSource } from './material.ts'
import { identity, isIdentity, multiply } from './matrix.ts'
import { partMaker } from './mesh-parts.ts'
import { type NameGiver, nameGiver } from './names.ts'
import { placements } from './placements.ts'
import type { SceneNode } from './scene.ts'
import { noteUnwritten, shownNodes } from './shown.ts'

/**
 * Turns the model's scene into nodes with mesh parts: names legal and unique, skins and morph targets in their rest
 * pose, instances written out, nodes without triangles below them left out.
 * @param topNames gives the names under the stage's root, which the nodes share with what else stands there.
 * @throws ConversionError when there is nothing to draw, or more than the limits allow.
 */
export function buildScene(
  model: Model,
  settings: Settings,
  materials: MaterialSource,
  topNames: NameGiver,
  notes: NoteBook,
): SceneNode[] {
  noteUnwritten(model, notes)
  const place = placements(model)
  const makeParts = partMaker(settings, place, materials, notes)
  const skinnedNodes: SceneNode[] = []

  const visit = (node: Node, giveName: NameGiver): SceneNode[] => {
    if (node.getExtension<Visibility>('KHR_node_visibility')?.getVisible() === false) {
      notes.add('hidden_nodes', 'Nodes that are hidden at the start are left out.')
      return []
    }
    const mesh = node.getMesh()
    const matrix = place.localOf(node)
    const here: SceneNode = {
      name: giveName(node.getName() || mesh?.getName() || '', 'Node'),
      ...(!isIdentity(matrix) && { matrix }),
      parts: [],
      children: [],
    }
    const childNames = nameGiver()
    const instances = instanceMatrices(node)
    if (mesh && node.getSkin()) {
      // Posed vertices are in world space, so they hang from the root and not from their node.
      const parts = makeParts(node, mesh, identity)
      if (parts.length > 0) skinnedNodes.push({ name: topNames(here.name, 'Node'), parts, children: [] })
    } else if (mesh && instances) {
      for (const instance of instances) {
        const parts = makeParts(node, mesh, multiply(place.worldOf(node), instance))
        const name = childNames(mesh.getName(), 'Instance')
        if (parts.length > 0) here.children.push({ name, matrix: instance, parts, children: [] })
      }
    } else if (mesh) {
      here.parts = makeParts(node, mesh, place.worldOf(node), childNames)
    }
    for (const child of node.listChildren()) here.children.push(...visit(child, childNames))
    if (here.parts.length > 0 || here.children.length > 0) return [here]
    if (!mesh) notes.add('empty_nodes', 'Nodes without triangles below them are left out.')
    return []
  }

  const nodes = shownNodes(model, notes).flatMap((node) => visit(node, topNames))
  nodes.push(...skinnedNodes)
  if (nodes.length === 0) notes.add('nothing_to_show', 'The GLB has no triangles, so the USDZ shows nothing.')
  return nodes
}
