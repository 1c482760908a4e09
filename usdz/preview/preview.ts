import type { Color, Pixels, Wrap } from '../scene/materials/material.ts'
import type { Matrix } from '../scene/matrix.ts'

/** A model at rest, prepared for rendering, in metres of the model's space. */
export type Preview = {
  meshes: PreviewMesh[]
  pointClouds: PointCloud[]
  /** The up axis. */
  up: 'y' | 'z'
  /** Notes about what is shown differently or not at all, one sentence each. */
  notes: string[]
}

/**
 * Triangles with one material, drawn with each transform. Arrays may be the file's own bytes and must not be modified.
 */
export type PreviewMesh = {
  /** x y z. */
  points: Float32Array
  /** Three for each triangle, counter-clockwise from outside. */
  indices: Uint32Array
  normals?: Float32Array
  /** u v of the material's images, with v downwards. */
  uvs?: Float32Array
  /** Linear RGB, multiplied by the material's colour. */
  colors?: Float32Array
  opacities?: Float32Array
  material: PreviewMaterial
  transforms: readonly Matrix[]
}

/** A point cloud. */
export type PointCloud = {
  points: Float32Array
  /** sRGB colours. */
  colors?: Uint8Array
  transforms: readonly Matrix[]
}

/** The material properties visible without an environment. */
export type PreviewMaterial = {
  /** Linear, as all colours except in images. */
  color: Color
  opacity: number
  image?: PreviewImage
  alpha: 'opaque' | 'mask' | 'blend'
  alphaCutoff: number
  emissive: Color
  emissiveImage?: PreviewImage
  /** Whether the colour is shown regardless of lighting. */
  isUnlit: boolean
  /** Whether back faces are visible. */
  doubleSided: boolean
}

/** An sRGB image. Materials with the same image share it. */
export type PreviewImage = {
  wrapS: Wrap
  wrapT: Wrap
  source: {
    /** Decodes the pixels, reduced to at most `side` per dimension; undefined when they cannot be read. */
    pixels(side: number): Promise<Pixels | undefined>
  }
}
