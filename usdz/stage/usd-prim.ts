import { createHash } from 'node:crypto'
import type { ArrayRead } from '../layers/read-arrays.ts'
import type { LayerTime } from '../layers/read-composition.ts'
import { valueIn } from '../layers/read-composition.ts'
import type { Crate, Rep } from '../layers/read-crate.ts'
import {
  floatsOf,
  integersOf,
  numberOf,
  numbersOf,
  pathOperationOf,
  samplesOf,
  textOf,
  tokensOf,
  vectorOf,
} from '../layers/read-values.ts'
import type { Stage, StagePrim } from '../layers/stage.ts'
import type { LayerStack } from './layer-stack.ts'
import { ownTime, timesInStage, timeWithin } from './layer-time.ts'

/** A layer of the package by the name of its file. */
export type PackageLayer = { name: string; stage: Stage; isText: boolean }

/**
 * Layers as the stage, or one reference, brings them in. `map` gives a path of theirs in the stage, `time` is that of the
 * strongest of them.
 */
export type Site = LayerStack & { time: LayerTime; map(path: string): string }

/** What a layer says about a prim. */
export type PrimOpinion = { site: Site; layer: PackageLayer; prim: StagePrim }

/** A prim of the stage, with the opinions of all layers, strongest first. */
export type UsdPrim = {
  name: string
  path: string
  type: string
  parent: UsdPrim | undefined
  children: UsdPrim[]
  opinions: readonly PrimOpinion[]
}

/** The time of the layer of an opinion, in the stage. */
export const timeOfOpinion = ({ site, layer }: PrimOpinion): LayerTime =>
  timeWithin(site.time, site.times.get(layer) ?? ownTime)

type Field = { crate: Crate; rep: Rep; from: PrimOpinion }

/** Returns a field of a property: each is that of the strongest opinion that has it. */
function fieldOf(prim: UsdPrim, name: string, ...fields: readonly string[]): Field | undefined {
  for (const from of prim.opinions) {
    const property = from.prim.own.get(name)
    const field = property && fields.find((each) => property.fields.has(each))
    if (field !== undefined) return { crate: from.layer.stage.crate, rep: property!.fields.get(field)!, from }
  }
  return undefined
}

/** The default value of an attribute, or the value of its first sample. */
function restOf(prim: UsdPrim, name: string): Field | undefined {
  const field = fieldOf(prim, name, 'default', 'timeSamples')
  const samples = field && samplesOf(field.crate, field.rep)
  if (!field || !samples) return field
  const rep = samples.values.at(timeOfOpinion(field.from).scale < 0 ? -1 : 0)
  return rep && { ...field, rep }
}

const reader =
  <T>(read: (crate: Crate, rep: Rep) => T) =>
  (prim: UsdPrim, name: string): T | undefined => {
    const field = restOf(prim, name)
    return field && read(field.crate, field.rep)
  }
/** The samples of an attribute: those of the strongest opinion that has a value, if it has any. */
const samplesAt = (prim: UsdPrim, name: string) => {
  const field = fieldOf(prim, name, 'timeSamples', 'default')
  const samples = field && samplesOf(field.crate, field.rep)
  if (!samples) return undefined
  const time = timeOfOpinion(field.from)
  const times = timesInStage(samples.times, time)
  const isReversed = time.scale < 0
  return {
    times: isReversed ? times.toReversed() : times,
    values: isReversed ? samples.values.toReversed() : samples.values,
    crate: field.crate,
  }
}
/** Values of each sample of an attribute. */
const sampler =
  <T>(read: (crate: Crate, rep: Rep) => T) =>
  (prim: UsdPrim, name: string): { times: number[]; values: T[] } | undefined => {
    const samples = samplesAt(prim, name)
    return samples && { times: samples.times, values: samples.values.map((rep) => read(samples.crate, rep)) }
  }

const finite = (value: number | undefined) => (value !== undefined && Number.isFinite(value) ? value : undefined)
const textReader = reader(textOf)
const tokenReader = reader(tokensOf)

/** Reads the values of a prim's properties at rest. */
export const values = {
  has: (prim: UsdPrim, name: string): boolean => prim.opinions.some((opinion) => opinion.prim.own.has(name)),
  /** The names of all properties. */
  names: (prim: UsdPrim): ReadonlySet<string> =>
    new Set(prim.opinions.flatMap((opinion) => [...opinion.prim.own.keys()])),
  number: reader((crate, rep) => finite(numberOf(crate, rep))),
  text: textReader,
  /** The numbers of a vector, quaternion (x y z w), matrix or single number, finite or not. */
  numbers: reader(numbersOf),
  vector: (prim: UsdPrim, name: string): readonly number[] | undefined => {
    const numbers = reader(vectorOf)(prim, name)
    return numbers?.every(Number.isFinite) ? numbers : undefined
  },
  tokens: (prim: UsdPrim, name: string): string[] => tokenReader(prim, name) ?? [],
  floats: reader((crate, rep): ArrayRead | undefined => floatsOf(crate, rep)),
  integers: reader(integersOf),
  sampledNumbers: sampler(numbersOf),
  sampledFloats: sampler(floatsOf),
  isAnimated: (prim: UsdPrim, name: string): boolean => samplesAt(prim, name) !== undefined,
  /** The path of a file, as the layer has it, and the layer. */
  asset: (prim: UsdPrim, name: string): { path: string; layer: string } | undefined => {
    const field = restOf(prim, name)
    const path = field && textOf(field.crate, field.rep)
    return path === undefined ? undefined : { path, layer: field!.from.layer.name }
  },
  typeName: (prim: UsdPrim, name: string): string => values.fieldText(prim, name, 'typeName') ?? '',
  /** Metadata of a property, such as `interpolation`. */
  fieldText: (prim: UsdPrim, name: string, field: string): string | undefined => {
    const found = fieldOf(prim, name, field)
    return found && textOf(found.crate, found.rep)
  },
  fieldNumber: (prim: UsdPrim, name: string, field: string): number | undefined => {
    const found = fieldOf(prim, name, field)
    return found && numberOf(found.crate, found.rep)
  },
  /** The paths of a relationship, or those that an attribute is connected to. */
  targets: (prim: UsdPrim, name: string): string[] => {
    const operations: { items: string[]; deleted: string[] }[] = []
    for (const { site, layer, prim: own } of prim.opinions) {
      const fields = own.own.get(name)?.fields
      const rep = fields?.get('targetPaths') ?? fields?.get('connectionPaths')
      if (!rep) continue
      const { crate } = layer.stage
      const { isExplicit, items, deleted } = pathOperationOf(crate, rep)
      const textsOf = (numbers: readonly number[]) =>
        numbers.map((number) => site.map(plainPath(crate.paths.text(number))))
      operations.push({ items: textsOf(items), deleted: textsOf(deleted) })
      if (isExplicit) break
    }
    // Stronger operations change the list of weaker ones.
    return operations.reduceRight<string[]>((list, { items, deleted }) => {
      const gone = new Set([...items, ...deleted])
      return [...items, ...list.filter((target) => !gone.has(target))]
    }, [])
  },
  /** A text of a prim's metadata, or of a dictionary in it: those of all opinions are combined. */
  metadata: (prim: UsdPrim, name: string, ...keys: readonly string[]): string | undefined => {
    for (const { layer, prim: own } of prim.opinions) {
      const { crate } = layer.stage
      const rep = valueIn(crate, own.fields.get(name), keys)
      if (rep) return textOf(crate, rep)
    }
    return undefined
  },
}

const contentKeys = new WeakMap<UsdPrim, string>()

/** A text that is the same for prims made of the same prims of layers, such as those of one reference. */
export function contentKey(prim: UsdPrim): string {
  const made = prim.opinions.map((opinion) => [opinion.layer.name, opinion.prim.number])
  const key = contentKeys.get(prim) ?? hashOf([made, prim.children.map(contentKey)])
  contentKeys.set(prim, key)
  return key
}

const storedFields = ['default', 'timeSamples', 'interpolation', 'elementSize', 'targetPaths']

/** A text that is the same for prims of one layer that store the same values in some properties; '' without any. */
export function storedValues({ layer, prim }: PrimOpinion, isWanted: (name: string) => boolean): string {
  const stored = [...prim.own.values()]
    .filter(({ name }) => isWanted(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, fields }) => [
      name,
      ...storedFields.map((field) => fields.get(field)).map((rep) => rep && [rep.code, rep.array, rep.payload]),
    ])
  return stored.length === 0 ? '' : hashOf([layer.name, stored])
}

/** A short text that is the same for equal values. */
const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64')

/** Whether all numbers of a list are finite. */
export function areFinite(list: ArrayLike<number>): boolean {
  for (let i = 0; i < list.length; i++) if (!Number.isFinite(list[i])) return false
  return true
}

/** A path without the variants on its way: "/Root{look=red}Mesh" is the prim "/Root/Mesh". */
export const plainPath = (path: string): string =>
  path.replace(/(?:\{[^}]*\})+(?=\.|$)/g, '').replace(/(?:\{[^}]*\})+/g, '/')
