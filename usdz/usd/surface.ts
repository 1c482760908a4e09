import type { UvTransform, Wrap } from '../scene/materials/material.ts'
import type { Origin } from '../scene/origin.ts'

/** Texture coordinates of a surface: a primvar on every mesh with that surface. */
export type UvPrimvar = {
  name: string
  /** The source TEXCOORD set, or the coordinates of baked vertex colours. */
  texCoord: number | 'colors'
  /** Baked into the coordinates. */
  transform?: UvTransform
}

/** A texture file of the package and its sampling parameters. */
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

/**
 * A surface shader of RealityKit in MaterialX: `unlit` or `pbr`. The values of an input with a `factor` are multiplied
 * by it.
 */
export type RealityKitSurface = { shader: 'pbr' | 'unlit'; inputs: (SurfaceInput & { factor?: number })[] }

/** A UsdPreviewSurface, with the shader that RealityKit uses instead if there is one. */
export type Surface = {
  name: string
  origin?: Origin
  inputs: SurfaceInput[]
  realityKit?: RealityKitSurface
  primvars: UvPrimvar[]
}

/** Returns the primvar name of a texture coordinate set: `st`, `st1` … */
export const plainPrimvar = (texCoord: number) => (texCoord === 0 ? 'st' : `st${texCoord}`)
