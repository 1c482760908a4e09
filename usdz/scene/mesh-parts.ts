import type { Mesh, Node, Primitive } from '@gltf-transform/core'
import { tooLarge } from '../errors.ts'
import type { Settings } from '../options.ts'
import type { NoteBook } from '../report.ts'
import { geometryOf, type Shape } from './geometry.ts'
import type { MaterialSource } from './material.ts'
import { determinant, type Matrix } from './matrix.ts'
import { mirrored, mirrorX } from './mirror.ts'
import { type NameGiver, nameGiver } from './names.ts'
import type { Placements } from './placements.ts'
import { morphed, skinned } from './rest-pose.ts'
import type { Geometry, MeshPart } from './scene.ts'

/** Mesh prims in one file: each instance needs its own, and viewers slow down long before this. */
const maxParts = 50_000
/** Instances share their arrays, so they cost little here; a viewer draws each. */
const drawnPerTriangle = 10

/**
 * Makes the mesh parts of nodes, one a primitive. Nodes that share a primitive share its arrays; a skinned or morphed
 * one gets arrays of its own, in its rest pose. Counts what is drawn against the limits.
 */
export function partMaker(settings: Settings, place: Placements, materials: MaterialSource, notes: NoteBook) {
  const shared = new Map<Primitive, Geometry | undefined>()
  const flipped = new Map<Geometry, Geometry>()
  const stored = new Set<Geometry>()
  let triangles = 0
  let drawn = 0
  let parts = 0

  const geometryFor = (node: Node, mesh: Mesh, primitive: Primitive): Geometry | undefined => {
    if (node.getSkin() || primitive.listTargets().length > 0) {
      return geometryOf(primitive, notes, (shape) => atRest(node, mesh, primitive, shape, place))
    }
    if (!shared.has(primitive)) shared.set(primitive, geometryOf(primitive, notes))
    return shared.get(primitive)
  }
  const mirroredOnce = (geometry: Geometry): Geometry => {
    const known = flipped.get(geometry) ?? mirrored(geometry)
    flipped.set(geometry, known)
    return known
  }
  const count = (geometry: Geometry) => {
    if (!stored.has(geometry)) triangles += geometry.indices.length / 3
    stored.add(geometry)
    drawn += geometry.indices.length / 3
    parts++
    const most = settings.limits.triangles
    if (triangles > most) throw tooLarge(`The model has more than ${most} triangles.`)
    if (drawn > most * drawnPerTriangle) {
      throw tooLarge(`The model draws more than ${most * drawnPerTriangle} triangles, its instances counted each time.`)
    }
    if (parts > maxParts) throw tooLarge(`The model draws more than ${maxParts} separate meshes.`)
  }

  return (node: Node, mesh: Mesh, world: Matrix, giveName: NameGiver = nameGiver()): MeshPart[] => {
    const mirrors = settings.profile === 'quicklook' && determinant(world) < 0
    return mesh.listPrimitives().flatMap((primitive): MeshPart[] => {
      const upright = geometryFor(node, mesh, primitive)
      if (!upright) return []
      const geometry = mirrors ? mirroredOnce(upright) : upright
      count(geometry)
      const part = { name: giveName(mesh.getName(), 'Mesh'), material: materials.get(primitive), geometry }
      return [mirrors ? { ...part, matrix: mirrorX } : part]
    })
  }
}

function atRest(node: Node, mesh: Mesh, primitive: Primitive, shape: Shape, place: Placements): Shape {
  const weights = node.getWeights().length > 0 ? node.getWeights() : mesh.getWeights()
  const formed = morphed(primitive, weights, shape)
  return node.getSkin() ? skinned(node, primitive, formed, place.worldOf) : formed
}
