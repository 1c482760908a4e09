import type { Crate, Rep } from '../../layers/read-crate.ts'
import { floatsOf, lengthOf, textOf, tokensOf } from '../../layers/read-values.ts'

/** What the rules of the stage check: the prims of one layer, or those that several layers make together. */
export type Subject = {
  /** Depth-first, parents first. */
  prims: readonly CheckedPrim[]
  /** Without prims whose contents are those of an earlier one, such as other instances of a reference. */
  distinct: readonly CheckedPrim[]
  tops: readonly CheckedPrim[]
  /** Metadata of the root layer. */
  text(name: string): string | undefined
  number(name: string): number | undefined
  /** The targets of a relationship. */
  targetsOf(property: CheckedProperty): Target[]
  /** What an attribute is connected to. */
  connectionsOf(property: CheckedProperty): Target[]
}

export type CheckedPrim = {
  readonly path: string
  readonly name: string
  readonly type: string
  readonly parent: CheckedPrim | undefined
  /** For a prim in a variant: the prim outside that it overrides, if any. */
  readonly base: CheckedPrim | undefined
  readonly apiSchemas: readonly string[]
  /** The properties authored on this prim. */
  readonly own: ReadonlyMap<string, CheckedProperty>
  /** Its properties, including those of an overridden prim. */
  readonly properties: ReadonlyMap<string, CheckedProperty>
}

export type CheckedProperty = {
  readonly path: string
  readonly name: string
  readonly isRelationship: boolean
  readonly typeName: string
  /** The file of its values. */
  readonly crate: Crate
  readonly value: Rep | undefined
  readonly samples: Rep | undefined
  /** Metadata, such as `interpolation`. */
  text(field: string): string | undefined
  number(field: string): number | undefined
}

/** Where a relationship or a connection leads. */
export type Target = {
  readonly path: string
  /** The prim, or the prim of the property. */
  readonly prim: CheckedPrim | undefined
  /** Whether it leads to an existing property. */
  readonly isProperty: boolean
}

const reader =
  <T>(read: (crate: Crate, rep: Rep | undefined) => T) =>
  (property: CheckedProperty | undefined): T | undefined =>
    property && read(property.crate, property.value)

/** Read the value of a property; undefined when it has none, or one of another kind. */
export const textIn = reader(textOf)
export const floatsIn = reader(floatsOf)
export const lengthIn = reader(lengthOf)
export const tokensIn = (property: CheckedProperty | undefined): string[] => reader(tokensOf)(property) ?? []
