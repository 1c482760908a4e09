import type { AnimatedValue } from '../motion/animation/curve.ts'
import type { ClipRange } from '../motion/motion.ts'
import type { DeformingMeshes } from '../motion/skinning/deforming-meshes.ts'
import type { Material } from './materials/material.ts'
import type { Matrix } from './matrix.ts'

/** Triangles over one set of vertices. All vertex arrays have one entry a vertex; arrays may be shared between geometries. */
export type Geometry = {
  /** x y z, in metres of the mesh's own space. */
  points: Float32Array
  /** Three a triangle, counter-clockwise seen from outside. */
  indices: Uint32Array
  normals: Float32Array
  /** u v as glTF has them (v grows downwards), one array a TEXCOORD set. */
  uvs: (Float32Array | undefined)[]
  /** Linear r g b. */
  colors?: Float32Array
  opacities?: Float32Array
  /** u v of each corner of each triangle in an image of its vertex colours, which are then worked into it. */
  colorUvs?: Float32Array
  /** Smallest x y z, largest x y z of the points. */
  extent: Float32Array
  /** For each vertex the vertex of the primitive that it comes from, where they are not the same. */
  source?: Uint32Array
}

/** What one draw call shows: triangles with one material (none: the viewer's default, tinted by vertex colours). */
export type MeshPart = {
  name: string
  geometry: Geometry
  material: Material | undefined
  /** Its material in each look of the model, when looks change it. */
  variants?: readonly Material[]
  matrix?: Matrix
}

/** Where an animated node stands in its parent's space, at rest and over time: scaled, turned (x y z w), then moved. */
export type NodeMotion = { translation: AnimatedValue; rotation: AnimatedValue; scale: AnimatedValue }

/**
 * A place in the model: everything below is in the space its matrix, or its motion, makes. Names are legal and unique
 * among siblings; those of nodes with a motion are unique in the model.
 */
export type SceneNode = {
  name: string
  matrix?: Matrix
  motion?: NodeMotion
  parts: MeshPart[]
  children: SceneNode[]
}

/** A whole model: what keeps its shape hangs from nodes, what deforms from a skeleton. Clips lie on one timeline. */
export type Scene = { nodes: SceneNode[]; deforming?: DeformingMeshes & { name: string }; clips: ClipRange[] }
