import type { AnimatedValue } from '../motion/animation/curve.ts'
import type { ClipRange } from '../motion/motion.ts'
import type { DeformingMeshes } from '../motion/skinning/deforming-meshes.ts'
import type { Splats } from '../splats/splats.ts'
import type { Simplification } from './geometry/simplify.ts'
import type { Material } from './materials/material.ts'
import type { Matrix } from './matrix.ts'
import type { Origin } from './origin.ts'

/**
 * Triangles over one set of vertices. Vertex arrays have one entry for each vertex and may be shared between
 * geometries.
 */
export type Geometry = {
  /** x y z, in metres of the mesh's own space. */
  points: Float32Array
  /** Three for each triangle, counter-clockwise from outside. */
  indices: Uint32Array
  normals: Float32Array
  /** Whether there is a normal for each triangle corner, not for each vertex. */
  isFlat?: boolean
  /** u v as glTF has them (v grows downwards), one array a TEXCOORD set. */
  uvs: (Float32Array | undefined)[]
  /** Linear r g b. */
  colors?: Float32Array
  opacities?: Float32Array
  /** u v of each triangle corner in the image that its vertex colours are baked into. */
  colorUvs?: Float32Array
  /** Smallest x y z, largest x y z of the points. */
  extent: Float32Array
  /** The primitive's vertex for each vertex, when they differ. */
  source?: Uint32Array
}

/** Triangles with one material. Without one the viewer uses its default, tinted by vertex colours. */
export type MeshPart = {
  name: string
  origin?: Origin
  geometry: Geometry
  material: Material | undefined
  /** Its material in each variant, if variants change it. */
  variants?: readonly Material[]
  matrix?: Matrix
}

/** The animated transform of a node in its parent's space: scale, then rotation (x y z w), then translation. */
export type NodeMotion = { translation: AnimatedValue; rotation: AnimatedValue; scale: AnimatedValue }

/**
 * A node of the scene, with a constant or an animated transform. Names are legal and unique among siblings; names of
 * animated nodes are unique in the model.
 */
export type SceneNode = {
  name: string
  origin?: Origin
  matrix?: Matrix
  motion?: NodeMotion
  parts: MeshPart[]
  splats?: { name: string; splats: Splats }[]
  children: SceneNode[]
}

/** A whole model: rigid meshes in nodes, deforming meshes on a skeleton, clips on one timeline. */
export type Scene = {
  nodes: SceneNode[]
  deforming?: DeformingMeshes & { name: string }
  clips: ClipRange[]
  /** Present if meshes were simplified. */
  simplification?: Simplification
}
