import type { Node } from '@gltf-transform/core'
import type { Visibility } from '@gltf-transform/extensions'
import type { Model } from '../read/read-glb.ts'
import type { Notes } from '../report.ts'
import type { NodeTransforms } from './node-transforms.ts'

/** Returns the root nodes of the default scene, else of the first scene, else (without scenes) all root nodes. */
export function sceneRoots(model: Model, notes: Notes): Node[] {
  const root = model.document.getRoot()
  const scenes = root.listScenes()
  if (scenes.length === 0) return root.listNodes().filter((node) => !node.getParentNode())
  if (scenes.length > 1) notes.leftOut('scenes', 'Only the default scene is written.', scenes.length - 1)
  const scene = root.getDefaultScene() ?? scenes[0]!
  return scene.listChildren()
}

/** Notes cameras, which are not written. */
export function noteCameras(model: Model, notes: Notes): void {
  const cameras = model.document.getRoot().listCameras().length
  if (cameras > 0) notes.leftOut('cameras', 'Cameras are left out.', cameras)
}

/** Returns the visible nodes with meshes, parents first. */
export function visibleMeshNodes(tops: readonly Node[], notes: Notes): Node[] {
  const drawing: Node[] = []
  const visit = (node: Node) => {
    if (node.getExtension<Visibility>('KHR_node_visibility')?.getVisible() === false) {
      notes.leftOut('hidden_nodes', 'Hidden nodes are left out.')
      return
    }
    if (node.getMesh()) drawing.push(node)
    node.listChildren().forEach(visit)
  }
  tops.forEach(visit)
  return drawing
}

/**
 * Returns the nodes whose motion moves a visible mesh: the given nodes, the joints of their skins, and all ancestors.
 */
export function nodesAffectingMeshes(drawing: readonly Node[], transforms: NodeTransforms): Set<Node> {
  const movers = new Set<Node>()
  for (const node of drawing) {
    for (const start of [node, ...(node.getSkin()?.listJoints() ?? [])]) {
      for (let at: Node | null = start; at && !movers.has(at); at = transforms.parentOf(at)) movers.add(at)
    }
  }
  return movers
}

/** Notes nodes without visible descendants, which are not written. */
export function noteEmptyNodes(tops: readonly Node[], movers: ReadonlySet<Node>, notes: Notes): void {
  const visit = (node: Node) => {
    if (movers.has(node) || node.getMesh()) node.listChildren().forEach(visit)
    else notes.leftOut('empty_nodes', 'Nodes without triangles below them are left out.')
  }
  tops.forEach(visit)
}
