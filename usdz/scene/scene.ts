import type { Material } from './material.ts'
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
}

/** What one draw call shows: triangles with one material (none: the viewer's default, tinted by vertex colours). */
export type MeshPart = { name: string; geometry: Geometry; material: Material | undefined; matrix?: Matrix }

/** A place in the model: everything below is in the space its matrix makes. Names are legal and unique among siblings. */
export type SceneNode = { name: string; matrix?: Matrix; parts: MeshPart[]; children: SceneNode[] }
