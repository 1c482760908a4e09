import type { Document, Node, Scene } from '@gltf-transform/core'
import type { Notes } from '../report.ts'
import type { Matrix } from '../scene/matrix.ts'
import type { ComposedStage } from '../stage/compose-stage.ts'
import { type UsdPrim, values } from '../stage/usd-prim.ts'
import { type Placing, placeByMatrix, placeNode } from './motion/place-node.ts'
import { readTransform } from './motion/transform-curves.ts'
import { extrasOf, nameOf } from './names.ts'
import { type Drawing, drawingOf, hasMesh, isDrawn, nodeNeed, noteHidden, plainDrawing } from './visibility.ts'

/** The nodes of a scene, and the prims that are meshes. */
export type WrittenNodes = { scene: Scene; nodeOf(prim: UsdPrim): Node | undefined; meshes: UsdPrim[] }

/** Prims that other prims use, and that are no nodes. */
const parts = new Set(['Material', 'Shader', 'NodeGraph', 'GeomSubset', 'BlendShape', 'SkelAnimation'])
const nodes = new Set(['', 'Xform', 'Scope', 'SkelRoot', 'Skeleton', 'Mesh'])

/** What glTF has no counterpart for, or what is not converted, by the type of the prim. */
const others: readonly (readonly [RegExp, string])[] = [
  [/Light/, 'Lights are left out.'],
  [/^Camera$/, 'Cameras are left out.'],
  [/^(Cube|Sphere|Cylinder|Cone|Capsule|Plane)(_1)?$/, 'Cubes, spheres and other solids without points are left out.'],
  [/^PointInstancer$/, 'Instances of a PointInstancer are left out.'],
  [
    /^(Points|BasisCurves|NurbsCurves|HermiteCurves|NurbsPatch|TetMesh|Volume)$/,
    'Points, curves and volumes are left out.',
  ],
  [/^ParticleField/, 'Gaussian splats and other particle fields are left out.'],
  [/Audio$/, 'Sounds are left out.'],
  [/^(Preliminary_|RealityKit)/, 'Behaviours and other parts for Apple’s viewers are left out.'],
]

/**
 * Writes a node for each prim that has a place. Prims that are not shown are left out.
 * @returns the nodes without their meshes.
 */
export function writeNodes(stage: ComposedStage, placing: Placing, scene: Scene): WrittenNodes {
  const { document, notes } = placing
  const placed = new Map<string, Node>()
  const meshes: UsdPrim[] = []
  const add = rootOf(stage, document, scene)

  const isNeeded = nodeNeed()
  const visit = (prim: UsdPrim, above: Drawing, attach: (node: Node) => void): void => {
    if (parts.has(prim.type)) return
    if (!nodes.has(prim.type)) {
      const message = others.find(([type]) => type.test(prim.type))?.[1] ?? 'Prims of other types are left out.'
      notes.leftOut('prim_type', message)
      // What a camera or a light carries is drawn; the prims in a PointInstancer are for its instances.
      if (prim.type === 'PointInstancer' || !prim.children.some(hasMesh)) return
    }
    const drawing = drawingOf(prim, above)
    noteHidden(prim, above, drawing, notes)
    if (!isNeeded(prim, drawing)) return
    noteUnseen(prim, notes)
    const node = document.createNode(nameOf(prim))
    // Extras of a mesh are those of the mesh in it.
    if (prim.type !== 'Mesh') node.setExtras(extrasOf(prim))
    const { ops, resets } = readTransform(prim, notes)
    const inner = placeNode(node, ops, placing)
    placed.set(prim.path, inner)
    if (prim.type === 'Mesh' && isDrawn(drawing)) meshes.push(prim)
    for (const child of prim.children) visit(child, drawing, (below) => inner.addChild(below))
    // A scope of materials has nothing to place.
    if (prim.type === 'Scope' && inner.listChildren().length === 0) {
      node.dispose()
      return
    }
    if (resets) add(node)
    else attach(node)
  }
  for (const top of stage.tops) visit(top, plainDrawing, add)
  return { scene, nodeOf: (prim) => placed.get(prim.path), meshes }
}

/** Notes what a prim says that a node cannot. */
function noteUnseen(prim: UsdPrim, notes: Notes): void {
  if (prim.opinions.some((opinion) => opinion.prim.apiSchemas.includes('Preliminary_AnchoringAPI'))) {
    notes.leftOut('anchor', 'Anchors for AR viewers are left out.')
  }
  if (prim.opinions.some((opinion) => opinion.prim.apiSchemas.some((name) => name.startsWith('AccessibilityAPI')))) {
    notes.leftOut('accessibility', 'Labels and descriptions for screen readers are left out.')
  }
  if ([...values.names(prim)].some((name) => name.startsWith('material:binding:collection'))) {
    notes.leftOut('collection', 'Materials of collections are left out.')
  }
}

/** Returns how to add a node to the scene: below one that turns the stage to metres and y up, if it needs that. */
function rootOf({ metadata }: ComposedStage, document: Document, scene: Scene) {
  const given = metadata.number('metersPerUnit')
  const metres = given !== undefined && given > 0 && Number.isFinite(given) ? given : 0.01
  const isZUp = metadata.text('upAxis')?.toUpperCase() === 'Z'
  if (metres === 1 && !isZUp) return (node: Node) => void scene.addChild(node)
  const [m, o] = [metres, 0]
  const zUp: Matrix = [m, o, o, o, o, o, -m, o, o, m, o, o, o, o, o, 1]
  const yUp: Matrix = [m, o, o, o, o, m, o, o, o, o, m, o, o, o, o, 1]
  const root = document.createNode('Stage')
  placeByMatrix(root, isZUp ? zUp : yUp, document)
  return (node: Node) => {
    if (root.listChildren().length === 0) scene.addChild(root)
    root.addChild(node)
  }
}
