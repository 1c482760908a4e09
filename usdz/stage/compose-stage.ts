import { tooLarge } from '../errors.ts'
import { dictionaryOf, valueIn } from '../layers/read-composition.ts'
import { numberOf, textOf } from '../layers/read-values.ts'
import type { Notes } from '../report.ts'
import { pathBudget } from '../text/path-budget.ts'
import { layerStacks } from './layer-stack.ts'
import { ownTime } from './layer-time.ts'
import type { OpenPackage } from './open-package.ts'
import { type Look, opinionCollector, type VariantSet } from './opinions.ts'
import type { PrimOpinion, Site, UsdPrim } from './usd-prim.ts'

/** The largest number of prims, and the largest depth. */
const maxPrims = 200_000
const maxDepth = 500

/** The prims of a stage, as readers see them, and the metadata of its root layer. */
export type ComposedStage = {
  tops: UsdPrim[]
  primAt(path: string): UsdPrim | undefined
  /** The variants that prims of the stage offer, by the name of their set. */
  variantSets: ReadonlyMap<string, VariantSet>
  /** The number of opinions that were combined. */
  opinions: number
  metadata: {
    has(name: string): boolean
    /** A number, or one in dictionaries. */
    number(name: string, ...keys: readonly string[]): number | undefined
    text(name: string): string | undefined
    /** The texts of a dictionary. */
    texts(name: string): Map<string, string>
  }
}

/**
 * Combines the opinions of the layers of a package: those of the root layer and its sublayers, of selected variants,
 * references, payloads and classes.
 * @param look a variant that prims with it show, in place of the one that they select.
 * @throws ConversionError when there are too many prims.
 */
export function composeStage({ root, layerAt }: OpenPackage, notes: Notes, look?: Look): ComposedStage {
  const stackOf = layerStacks(layerAt, notes)
  const opinions = opinionCollector(
    (path, from) => {
      const layer = layerAt(path, from)
      if (!layer) notes.leftOut('composition', 'References to files that are not layers of the package are left out.')
      return layer && stackOf(layer)
    },
    notes,
    look,
  )
  const byPath = new Map<string, UsdPrim>()
  const spend = pathBudget()

  const build = (given: readonly PrimOpinion[], parent: UsdPrim | undefined, depth: number): UsdPrim | undefined => {
    if (byPath.size >= maxPrims) throw tooLarge(`The package has more than ${maxPrims} prims.`)
    if (depth > maxDepth) throw tooLarge(`The package has prims more than ${maxDepth} deep.`)
    const all = opinions.collect(given)
    if (!isActive(all)) {
      notes.leftOut('inactive', 'Prims that are not active are left out.')
      return undefined
    }
    const { name } = all[0]!.prim
    const prim: UsdPrim = {
      name,
      path: `${parent?.path ?? ''}/${name}`,
      type: all.find((opinion) => opinion.prim.type !== '')?.prim.type ?? '',
      parent,
      children: [],
      opinions: all,
    }
    spend(prim.path)
    byPath.set(prim.path, prim)
    const children = byName(all.flatMap(opinions.childrenOf))
    prim.children.push(...buildAll(children, prim, depth + 1))
    return prim
  }
  const buildAll = (named: readonly PrimOpinion[][], parent: UsdPrim | undefined, depth: number): UsdPrim[] =>
    named
      .filter((given) => given.some(isDefinition))
      .map((given) => build(given, parent, depth))
      .filter((prim) => prim !== undefined)
  const site: Site = { ...stackOf(root), time: ownTime, map: (path) => path }
  const tops = byName(site.layers.flatMap((layer) => layer.stage.tops.map((prim) => ({ site, layer, prim }))))
  const { crate, metadata } = root.stage
  const built = buildAll(tops, undefined, 1)
  return {
    tops: built,
    variantSets: opinions.variantSets,
    opinions: opinions.total(),
    primAt: (path) => byPath.get(path),
    metadata: {
      has: (name) => metadata.has(name),
      number: (name, ...keys) => numberOf(crate, valueIn(crate, metadata.get(name), keys)),
      text: (name) => textOf(crate, metadata.get(name)),
      texts: (name) => {
        const texts = [...dictionaryOf(crate, metadata.get(name))].map(
          ([key, rep]) => [key, textOf(crate, rep)] as const,
        )
        return new Map(texts.filter((entry): entry is [string, string] => entry[1] !== undefined))
      },
    },
  }
}

/** A class or an over alone draws nothing (SdfSpecifier: 0 def, 1 over, 2 class). */
const isDefinition = ({ prim }: PrimOpinion): boolean => prim.fields.get('specifier')?.low === 0

/** Whether the strongest opinion about it lets a prim be part of the stage. */
function isActive(opinions: readonly PrimOpinion[]): boolean {
  const said = opinions.find(({ prim }) => prim.fields.has('active'))
  return !said || numberOf(said.layer.stage.crate, said.prim.fields.get('active')) !== 0
}

function byName(opinions: readonly PrimOpinion[]): PrimOpinion[][] {
  const named = new Map<string, PrimOpinion[]>()
  for (const opinion of opinions) {
    const known = named.get(opinion.prim.name)
    if (known) known.push(opinion)
    else named.set(opinion.prim.name, [opinion])
  }
  return [...named.values()]
}
