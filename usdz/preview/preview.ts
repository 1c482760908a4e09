import type { Color, Pixels, Wrap } from '../scene/materials/material.ts'
import type { Matrix } from '../scene/matrix.ts'

/** A model as it is seen at rest: what a renderer needs of it, in metres of the model's own space. */
export type Drawing = {
  surfaces: Surface[]
  clouds: Cloud[]
  /** Which way is up. */
  up: 'y' | 'z'
  /** What is shown differently or not at all, each a sentence. */
  notes: string[]
}

/** Triangles with one look, drawn at each of its places. Arrays may be the file's own bytes: they must not be written to. */
export type Surface = {
  /** x y z. */
  points: Float32Array
  /** Three a triangle, counter-clockwise seen from outside. */
  indices: Uint32Array
  normals?: Float32Array
  /** u v of the look's images, v growing downwards. */
  uvs?: Float32Array
  /** Linear r g b, which multiply the look's colour. */
  colors?: Float32Array
  opacities?: Float32Array
  look: Look
  places: readonly Matrix[]
}

/** Points without triangles. */
export type Cloud = {
  points: Float32Array
  /** r g b in sRGB. */
  colors?: Uint8Array
  places: readonly Matrix[]
}

/** A surface as far as a picture without surroundings shows it. */
export type Look = {
  /** Linear, as all colours here but those in images. */
  color: Color
  opacity: number
  image?: DrawnImage
  alpha: 'opaque' | 'mask' | 'blend'
  alphaCutoff: number
  emissive: Color
  emissiveImage?: DrawnImage
  /** Its colour is what is seen, whatever the light. */
  isUnlit: boolean
  /** Whether its back is seen too. */
  isTwoSided: boolean
}

/** An image in sRGB. Looks that show the same one share it. */
export type DrawnImage = {
  wrapS: Wrap
  wrapT: Wrap
  source: {
    /** Its pixels, made no larger than `side` each way; undefined when it cannot be read. */
    pixels(side: number): Promise<Pixels | undefined>
  }
}
