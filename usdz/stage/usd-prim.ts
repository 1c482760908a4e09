import type { ArrayRead } from '../check/reader/read-arrays.ts'
import type { Crate, Rep } from '../check/reader/read-crate.ts'
import {
  floatsOf,
  integersOf,
  numberOf,
  type ReadSamples,
  samplesOf,
  textOf,
  tokensOf,
  vectorOf,
} from '../check/reader/read-values.ts'
import type { StagePrim, StageProperty } from '../check/reader/stage.ts'

/** A prim of the stage with the opinions of its layer and of the selected variants. */
export type UsdPrim = {
  name: string
  path: string
  type: string
  parent: UsdPrim | undefined
  children: UsdPrim[]
  /** The opinions about the prim, strongest first. */
  opinions: readonly StagePrim[]
  properties: ReadonlyMap<string, StageProperty>
}

/** Reads the values of a prim's properties: an attribute without a default value has that of its first sample. */
export function valueReader(crate: Crate) {
  const rest = (prim: UsdPrim, name: string): Rep | undefined => {
    const property = prim.properties.get(name)
    return property?.value ?? samplesOf(crate, property?.samples)?.values[0]
  }
  const metadata = (prim: UsdPrim, name: string): Rep | undefined =>
    prim.opinions.find(({ fields }) => fields.has(name))?.fields.get(name)
  return {
    crate,
    rest,
    metadata,
    number: (prim: UsdPrim, name: string): number | undefined => finite(numberOf(crate, rest(prim, name))),
    text: (prim: UsdPrim, name: string): string | undefined => textOf(crate, rest(prim, name)),
    vector: (prim: UsdPrim, name: string): number[] | undefined => {
      const vector = vectorOf(crate, rest(prim, name))
      return vector?.every(Number.isFinite) ? vector : undefined
    },
    tokens: (prim: UsdPrim, name: string): string[] => tokensOf(crate, rest(prim, name)),
    floats: (prim: UsdPrim, name: string): ArrayRead | undefined => floatsOf(crate, rest(prim, name)),
    integers: (prim: UsdPrim, name: string): Int32Array | undefined => integersOf(crate, rest(prim, name)),
    samples: (prim: UsdPrim, name: string): ReadSamples | undefined =>
      samplesOf(crate, prim.properties.get(name)?.samples),
    /** Metadata of a property, such as `interpolation`. */
    field: (prim: UsdPrim, name: string, field: string): Rep | undefined =>
      prim.properties.get(name)?.fields.get(field),
    /** The paths of a relationship, or those that an attribute is connected to. */
    targets: (prim: UsdPrim, name: string): string[] => {
      const property = prim.properties.get(name)
      const numbers = property?.isRelationship ? property.targets : (property?.connections ?? [])
      return numbers.map((number) => plainPath(crate.paths.text(number)))
    },
  }
}
export type Values = ReturnType<typeof valueReader>

/** Whether all numbers of a list are finite. */
export function areFinite(list: ArrayLike<number>): boolean {
  for (let i = 0; i < list.length; i++) if (!Number.isFinite(list[i])) return false
  return true
}

const finite = (value: number | undefined) => (value !== undefined && Number.isFinite(value) ? value : undefined)

/** A path without the variants on its way: "/Root{look=red}Mesh" is the prim "/Root/Mesh". */
const plainPath = (path: string): string => path.replace(/(?:\{[^}]*\})+(?=\.|$)/g, '').replace(/(?:\{[^}]*\})+/g, '/')
