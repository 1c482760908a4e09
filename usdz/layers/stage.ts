import { specType } from '../usd/crate/specs.ts'
import type { Crate, CrateSpec, Rep } from './read-crate.ts'
import { numberOf, pathNumbersOf, textOf, tokensOf } from './read-values.ts'

export type StageProperty = {
  readonly path: string
  /** The layer. */
  crate: Crate
  name: string
  isRelationship: boolean
  fields: ReadonlyMap<string, Rep>
  typeName: string
  value: Rep | undefined
  samples: Rep | undefined
  /** The text, or the number, of a field. */
  text(field: string): string | undefined
  number(field: string): number | undefined
  /** The numbers of its connection or target paths. */
  connections: number[]
  targets: number[]
}

export type StagePrim = {
  readonly path: string
  /** The number of its path. */
  number: number
  name: string
  parent: StagePrim | undefined
  /** For a prim in a variant: the prim outside that it overrides, if any. */
  base: StagePrim | undefined
  type: string
  apiSchemas: string[]
  fields: ReadonlyMap<string, Rep>
  /** Its properties, including those of an overridden prim. */
  properties: ReadonlyMap<string, StageProperty>
  /** The properties authored on this prim. */
  own: Map<string, StageProperty>
  children: StagePrim[]
  child(name: string): StagePrim | undefined
}

/** The prims of a layer with their properties, parents first. */
export type Stage = {
  crate: Crate
  metadata: ReadonlyMap<string, Rep>
  /** In depth-first order, including prims in variants. */
  prims: StagePrim[]
  /** By path number. */
  primAt(path: number): StagePrim | undefined
  propertyAt(path: number): StageProperty | undefined
  /** The root prims. */
  tops: StagePrim[]
}

/**
 * Builds prims from the specs of a layer. A prim in a variant is combined with the prim outside that it overrides, as
 * if the variant were selected; nothing else is composed.
 */
export function buildStage(crate: Crate): Stage {
  const { paths } = crate
  const specs = new Map<number, CrateSpec>()
  for (const spec of crate.specs) specs.set(spec.pathNumber, spec)
  const prims = new Map<number, StagePrim>()
  const properties = new Map<number, StageProperty>()
  const tops: StagePrim[] = []
  let metadata: ReadonlyMap<string, Rep> = new Map()

  const inVariants = new Set<number>()
  const build = (number: number, spec: CrateSpec) => {
    const parent = prims.get(paths.parent(number))
    const name = paths.name(number)
    if (spec.type === specType.pseudoRoot) metadata = spec.fields
    else if (spec.type === specType.prim) {
      const base = inVariants.has(number) ? parent?.base?.child(name) : undefined
      const prim = new Prim(crate, spec, name, parent, base)
      prims.set(number, prim)
      if (inVariants.has(number)) return
      if (parent) parent.children.push(prim)
      else tops.push(prim)
    } else if (spec.type === specType.variant && parent) {
      prims.set(number, new Prim(crate, spec, parent.name, parent.parent, parent.base ?? parent))
    } else if (spec.type === specType.attribute || spec.type === specType.relationship) {
      const property = new Property(crate, spec, name)
      properties.set(number, property)
      parent?.own.set(property.name, property)
    }
  }
  // Variants come last: they depend on everything outside.
  for (const number of paths.order) {
    const spec = specs.get(number)
    if (spec?.type === specType.variant || inVariants.has(paths.parent(number))) inVariants.add(number)
    else if (spec) build(number, spec)
  }
  for (const number of inVariants) {
    const spec = specs.get(number)
    if (spec) build(number, spec)
  }
  return {
    crate,
    metadata,
    prims: [...prims.values()],
    primAt: (path) => prims.get(path),
    propertyAt: (path) => properties.get(path),
    tops,
  }
}

class Prim implements StagePrim {
  readonly #spec: CrateSpec
  readonly name: string
  readonly parent: StagePrim | undefined
  readonly base: StagePrim | undefined
  readonly type: string
  readonly apiSchemas: string[]
  readonly own = new Map<string, StageProperty>()
  readonly children: StagePrim[] = []
  #childNames: Map<string, StagePrim> | undefined

  constructor(crate: Crate, spec: CrateSpec, name: string, parent: StagePrim | undefined, base: StagePrim | undefined) {
    this.#spec = spec
    this.name = name
    this.parent = parent
    this.base = base
    this.type = textOf(crate, spec.fields.get('typeName')) ?? base?.type ?? ''
    this.apiSchemas = [...tokensOf(crate, spec.fields.get('apiSchemas')), ...(base?.apiSchemas ?? [])]
  }

  get path(): string {
    return this.#spec.path
  }

  get number(): number {
    return this.#spec.pathNumber
  }

  get fields(): ReadonlyMap<string, Rep> {
    return this.#spec.fields
  }

  get properties(): ReadonlyMap<string, StageProperty> {
    return this.base ? new Map([...this.base.properties, ...this.own]) : this.own
  }

  /** Called when all children exist. */
  child(name: string): StagePrim | undefined {
    this.#childNames ??= new Map(this.children.map((child) => [child.name, child]))
    return this.#childNames.get(name)
  }
}

class Property implements StageProperty {
  readonly #spec: CrateSpec
  readonly crate: Crate
  readonly name: string

  constructor(crate: Crate, spec: CrateSpec, name: string) {
    this.crate = crate
    this.#spec = spec
    this.name = name
  }

  get path(): string {
    return this.#spec.path
  }

  get fields(): ReadonlyMap<string, Rep> {
    return this.#spec.fields
  }

  get isRelationship(): boolean {
    return this.#spec.type === specType.relationship
  }

  get typeName(): string {
    return textOf(this.crate, this.fields.get('typeName')) ?? ''
  }

  get value(): Rep | undefined {
    return this.fields.get('default')
  }

  get samples(): Rep | undefined {
    return this.fields.get('timeSamples')
  }

  text(field: string): string | undefined {
    return textOf(this.crate, this.fields.get(field))
  }

  number(field: string): number | undefined {
    return numberOf(this.crate, this.fields.get(field))
  }

  get connections(): number[] {
    return pathNumbersOf(this.crate, this.fields.get('connectionPaths'))
  }

  get targets(): number[] {
    return pathNumbersOf(this.crate, this.fields.get('targetPaths'))
  }
}
