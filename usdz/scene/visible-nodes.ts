import type { Node } from '@gltf-transform/core'
import type { Visibility } from '@gltf-transform/extensions'
import type { Model } from '../read/read-glb.ts'
import type { Notes } from '../report.ts'
import type { NodeTransforms } from './node-transforms.ts'

/** The top nodes of the scene that is shown: the default one, else the first, else (no scenes at all) every top node. */
export function sceneRoots(model: Model, notes: Notes): Node[] {
  const root = model.document.getRoot()
  const scenes = root.listScenes()
  if (scenes.length === 0) return root.listNodes().filter((node) => !node.getParentNode())
  if (scenes.length > 1) notes.leftOut('scenes', 'Only the default scene is written.', scenes.length - 1)
  const scene = root.getDefaultScene() ?? scenes[0]!
  return scene.listChildren()
}

/** Notes what is not written at all, whatever the scene makes of it. */
export function noteCameras(model: Model, notes: Notes): void {
  const cameras = model.document.getRoot().listCameras().length
  if (cameras > 0) notes.leftOut('cameras', 'Cameras are left out.', cameras)
}

/** The nodes that draw a mesh, parents first, without those that are hidden. */
export function visibleMeshNodes(tops: readonly Node[], notes: Notes): Node[] {
  const drawing: Node[] = []
  const visit = (node: Node) => {
    if (node.getExtension<Visibility>('KHR_node_visibility')?.getVisible() === false) {
      notes.leftOut('hidden_nodes', 'Nodes that are hidden at the start are left out.')
      return
    }
    if (node.getMesh()) drawing.push(node)
    node.listChildren().forEach(visit)
  }
  tops.forEach(visit)
  return drawing
}

/** The nodes whose motion moves something drawn: drawing ones, the joints of their skins, and all above either. */
export function nodesAffectingMeshes(drawing: readonly Node[], transforms: NodeTransforms): Set<Node> {
  const movers = new Set<Node>()
  for (const node of drawing) {
    for (const start of [node, ...(node.getSkin()?.listJoints() ?? [])]) {
      for (let at: Node | null = start; at && !movers.has(at); at = transforms.parentOf(at)) movers.add(at)
    }
  }
  return movers
}

/** Notes the nodes below which nothing is drawn, which are not written. */
export function noteEmptyNodes(tops: readonly Node[], movers: ReadonlySet<Node>, notes: Notes): void {
  const visit = (node: Node) => {
    if (movers.has(node) || node.getMesh()) node.listChildren().forEach(visit)
    else notes.leftOut('empty_nodes', 'Nodes without triangles below them are left out.')
  }
  tops.forEach(visit)
}
