import type { UvTransform, Wrap } from '../scene/materials/material.ts'

/** Texture coordinates a surface reads, as a primvar every mesh with that surface carries. */
export type UvPrimvar = {
  name: string
  /** The TEXCOORD set they come from, or those of the corners of triangles. */
  texCoord: number | 'colors'
  /** Worked into the coordinates. */
  transform?: UvTransform
}

/** A file of the package and how it is sampled. */
export type Sampler = {
  file: string
  colorSpace: 'sRGB' | 'raw'
  wrapS: Wrap
  wrapT: Wrap
  /** The name of the primvar with the coordinates. */
  primvar: string
  /** Applied to the coordinates by the shader. */
  transform?: UvTransform
  /** Sampled values are multiplied by `scale`, then `bias` is added. */
  scale?: readonly number[]
  bias?: readonly number[]
}

export type SurfaceInput = { name: string; typeName: 'color3f' | 'float' | 'int' | 'normal3f' } & (
  | { value: number | readonly number[] }
  | { sampler: Sampler; channel: 'rgb' | 'r' | 'g' | 'b' | 'a' }
  | { primvar: 'displayColor' | 'displayOpacity'; fallback: number | readonly number[] }
)

/** A surface in UsdPreviewSurface's terms. */
export type Surface = { name: string; inputs: SurfaceInput[]; primvars: UvPrimvar[] }

/** The name of a set of texture coordinates: the one USD viewers look for first, and its successors. */
export const plainPrimvar = (texCoord: number) => (texCoord === 0 ? 'st' : `st${texCoord}`)
