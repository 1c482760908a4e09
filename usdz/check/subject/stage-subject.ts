import { tooLarge } from '../../errors.ts'
import type { Crate, Rep } from '../../layers/read-crate.ts'
import { numberOf, textOf } from '../../layers/read-values.ts'
import type { StageProperty } from '../../layers/stage.ts'
import type { ComposedStage } from '../../stage/compose-stage.ts'
import { type UsdPrim, values } from '../../stage/usd-prim.ts'
import type { CheckedPrim, CheckedProperty, Subject, Target } from './subject.ts'

/** The largest number of properties of all prims: each instance of a reference has its own. */
const maxProperties = 2_000_000

/**
 * The prims that the layers of a package make together.
 * @throws ConversionError, when properties are read, if there are too many.
 */
export function stageSubject({ tops, metadata, primAt }: ComposedStage): Subject {
  let left = maxProperties
  const spend = (count: number) => {
    left -= count
    if (left < 0) throw tooLarge(`The prims of the package have more than ${maxProperties} properties.`)
  }
  const prims: ComposedPrim[] = []
  const distinct: ComposedPrim[] = []
  const byPrim = new Map<UsdPrim, ComposedPrim>()
  const seen = new Set<string>()
  const add = (usd: UsdPrim, parent: ComposedPrim | undefined): ComposedPrim => {
    const prim = new ComposedPrim(usd, parent, spend)
    prims.push(prim)
    byPrim.set(usd, prim)
    const contents = JSON.stringify(usd.opinions.map((opinion) => [opinion.layer.name, opinion.prim.number]))
    if (!seen.has(contents)) distinct.push(prim)
    seen.add(contents)
    for (const child of usd.children) add(child, prim)
    return prim
  }
  const all = tops.map((top) => add(top, undefined))
  const targetAt = (path: string): Target => {
    const dot = path.lastIndexOf('.')
    const usd = primAt(dot < 0 ? path : path.slice(0, dot))
    const isProperty = dot >= 0 && usd !== undefined && values.has(usd, path.slice(dot + 1))
    return { path, prim: usd && byPrim.get(usd), isProperty }
  }
  const leadsTo = (property: CheckedProperty) =>
    property instanceof ComposedProperty ? values.targets(property.prim, property.name).map(targetAt) : []
  return {
    prims,
    distinct,
    tops: all,
    text: metadata.text,
    number: metadata.number,
    targetsOf: leadsTo,
    connectionsOf: leadsTo,
  }
}

class ComposedPrim implements CheckedPrim {
  readonly #usd: UsdPrim
  readonly #spend: (count: number) => void
  readonly parent: CheckedPrim | undefined
  readonly base = undefined
  #own: ReadonlyMap<string, CheckedProperty> | undefined

  constructor(usd: UsdPrim, parent: CheckedPrim | undefined, spend: (count: number) => void) {
    this.#usd = usd
    this.parent = parent
    this.#spend = spend
  }

  get path(): string {
    return this.#usd.path
  }

  get name(): string {
    return this.#usd.name
  }

  get type(): string {
    return this.#usd.type
  }

  get apiSchemas(): string[] {
    return this.#usd.opinions.flatMap(({ prim }) => prim.apiSchemas)
  }

  get own(): ReadonlyMap<string, CheckedProperty> {
    if (!this.#own) {
      const names = values.names(this.#usd)
      this.#spend(names.size)
      this.#own = new Map([...names].map((name) => [name, new ComposedProperty(this.#usd, name)]))
    }
    return this.#own
  }

  get properties(): ReadonlyMap<string, CheckedProperty> {
    return this.own
  }
}

/** A property with the opinions of all layers: its values are those of the strongest that has any. */
class ComposedProperty implements CheckedProperty {
  readonly prim: UsdPrim
  readonly name: string

  constructor(prim: UsdPrim, name: string) {
    this.prim = prim
    this.name = name
  }

  #found(has: (property: StageProperty) => boolean): StageProperty | undefined {
    for (const opinion of this.prim.opinions) {
      const property = opinion.prim.own.get(this.name)
      if (property && has(property)) return property
    }
    return undefined
  }

  get #strongest(): StageProperty {
    return this.#found(() => true)!
  }

  get #valued(): StageProperty | undefined {
    return this.#found(({ fields }) => fields.has('default') || fields.has('timeSamples'))
  }

  get path(): string {
    return `${this.prim.path}.${this.name}`
  }

  get isRelationship(): boolean {
    return this.#strongest.isRelationship
  }

  get typeName(): string {
    return this.text('typeName') ?? ''
  }

  get crate(): Crate {
    return (this.#valued ?? this.#strongest).crate
  }

  get value(): Rep | undefined {
    return this.#valued?.value
  }

  get samples(): Rep | undefined {
    return this.#valued?.samples
  }

  text(field: string): string | undefined {
    const found = this.#found(({ fields }) => fields.has(field))
    return found && textOf(found.crate, found.fields.get(field))
  }

  number(field: string): number | undefined {
    const found = this.#found(({ fields }) => fields.has(field))
    return found && numberOf(found.crate, found.fields.get(field))
  }
}
