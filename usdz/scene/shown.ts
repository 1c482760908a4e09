import type { Node } from '@gltf-transform/core'
import type { Model } from '../read/read-glb.ts'
import type { NoteBook } from '../report.ts'

/** The top nodes of the scene that is shown: the default one, else the first, else (no scenes at all) every top node. */
export function shownNodes(model: Model, notes: NoteBook): Node[] {
  const root = model.document.getRoot()
  const scenes = root.listScenes()
  if (scenes.length === 0) return root.listNodes().filter((node) => !node.getParentNode())
  if (scenes.length > 1) notes.add('scenes', 'Only the default scene is written.', scenes.length - 1)
  const scene = root.getDefaultScene() ?? scenes[0]!
  return scene.listChildren()
}

/** Notes what this version does not write at all, whatever the scene makes of it. */
export function noteUnwritten(model: Model, notes: NoteBook): void {
  const root = model.document.getRoot()
  const say = (code: string, count: number, message: string) => {
    if (count > 0) notes.add(code, message, count)
  }
  say('animations', root.listAnimations().length, 'Animations are left out: the model stands still.')
  say('skins', root.listSkins().length, 'Skins are left out: skinned meshes are shown in their rest pose.')
  const targets = root
    .listMeshes()
    .map((mesh) => Math.max(0, ...mesh.listPrimitives().map((p) => p.listTargets().length)))
  const targetCount = targets.reduce((sum, count) => sum + count, 0)
  say('morph_targets', targetCount, 'Morph targets are left out: meshes are shown with their default weights.')
  say('cameras', root.listCameras().length, 'Cameras are left out.')
}
