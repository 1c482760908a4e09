import { malformed, tooLarge } from '../errors.ts'
import { type LayerTime, referencesOf, variantSelectionsOf } from '../layers/read-composition.ts'
import { pathNumbersOf, textOf } from '../layers/read-values.ts'
import type { Stage, StagePrim } from '../layers/stage.ts'
import type { Notes } from '../report.ts'
import { pathBudget } from '../text/path-budget.ts'
import type { LayerStack } from './layer-stack.ts'
import { timeOfLayer, timeWithin } from './layer-time.ts'
import { type PackageLayer, type PrimOpinion, plainPath, type Site, timeOfOpinion } from './usd-prim.ts'

/** The largest number of opinions about one prim, of those about all, and of references from one to the next. */
const maxOpinions = 1000
const maxTotal = 400_000
const maxDepth = 50

/** The prims of a layer: in its variants, and by path. */
type LayerIndex = {
  variants: Map<StagePrim, StagePrim[]>
  children: Map<StagePrim, StagePrim[]>
  byPath: Map<string, StagePrim>
}

/**
 * Collects what the layers of a package say about a prim: local opinions, inherited classes, variants, references and
 * payloads, specialized prims, from strong to weak. Source: "LIVRPS strength ordering" of OpenUSD.
 * @param layersAt the layer of a path, relative to another layer, with its sublayers; undefined, with a note, when it
 * cannot be read.
 * @param look a variant that prims with it show, in place of the one that they select.
 */
export function opinionCollector(
  layersAt: (path: string, from: PackageLayer) => LayerStack | undefined,
  notes: Notes,
  look?: Look,
) {
  let total = 0
  /** Whether the prim whose opinions are collected has the variant of the look. */
  let isOffered = false
  const variantSets = new Map<string, VariantSet>()

  const at = (
    { site, prim }: PrimOpinion,
    { layers, times }: LayerStack,
    time: LayerTime,
    path: string,
  ): PrimOpinion[] => {
    const own = plainPath(prim.path)
    const below: Site = { layers, times, time, map: (target) => site.map(moved(target, path, own)) }
    const found = layers.flatMap((layer): PrimOpinion[] => {
      const target = indexOf(layer.stage).byPath.get(path)
      return target ? [{ site: below, layer, prim: target }] : []
    })
    if (found.length === 0) {
      notes.leftOut('composition', 'References to prims that are not in the package are left out.')
    }
    return found
  }
  const referenced = (field: string) => (opinion: PrimOpinion) =>
    referencesOf(opinion.layer.stage.crate, opinion.prim.fields.get(field)).map(({ asset, path, time }) => {
      const stack = asset === '' ? opinion.site : layersAt(asset, opinion.layer)
      if (!stack) return []
      const strongest = stack.layers[0]!
      const own = asset === ''
      const inside = timeOfLayer(own ? strongest : opinion.layer, strongest, time, notes)
      const placed = timeWithin(own ? opinion.site.time : timeOfOpinion(opinion), inside)
      const { crate, metadata } = strongest.stage
      return at(opinion, stack, placed, path === '' ? `/${textOf(crate, metadata.get('defaultPrim')) ?? ''}` : path)
    })
  const classes = (field: string) => (opinion: PrimOpinion) => {
    const { crate } = opinion.layer.stage
    const paths = pathNumbersOf(crate, opinion.prim.fields.get(field)).map((number) => crate.paths.text(number))
    return paths.map((path) => at(opinion, opinion.site, opinion.site.time, path))
  }
  const variants = (selections: Selections) => (opinion: PrimOpinion) =>
    selectedVariants(opinion, selections).map((prim) => [{ ...opinion, prim }])

  /** The selected variants of a prim; OpenUSD selects none by itself. */
  const selectedVariants = ({ layer, prim }: PrimOpinion, selections: Selections): StagePrim[] => {
    const own = indexOf(layer.stage).variants.get(prim) ?? []
    const named = own.map((variant) => ({ variant, ...variantNames(layer.stage, variant) }))
    return named
      .filter(({ set, name }) => {
        const isShown = selections.get(set) === name
        isOffered ||= set === look?.set && name === look.name
        const known = variantSets.get(set) ?? { names: new Set(), unselected: 0 }
        variantSets.set(set, known)
        known.names.add(name)
        if (!isShown) known.unselected++
        return isShown
      })
      .map(({ variant }) => variant)
  }

  /** @param local the opinions of one site. @param selections the variants that stronger opinions select. */
  const collect = (local: readonly PrimOpinion[], selections: Selections, out: PrimOpinion[], depth: number): void => {
    if (local.length === 0) return
    total += local.length
    if (total > maxTotal) throw tooLarge(`The package has more than ${maxTotal} opinions, with those of references.`)
    const path = plainPath(local[0]!.prim.path)
    if (depth > maxDepth && out.some(({ prim }) => prim === local[0]!.prim))
      throw malformed(`${path} refers to itself.`)
    if (depth > maxDepth) throw tooLarge(`${path} is at the end of more than ${maxDepth} references.`)
    if (out.length >= maxOpinions) throw tooLarge(`${path} has more than ${maxOpinions} opinions, with references.`)
    out.push(...local)
    for (const { layer, prim } of local) {
      for (const [set, name] of variantSelectionsOf(layer.stage.crate, prim.fields.get('variantSelection'))) {
        // Text layers have '' for a set without a selection.
        if (name !== '' && !selections.has(set)) selections.set(set, name)
      }
    }
    const arcs = [
      classes('inheritPaths'),
      variants(selections),
      referenced('references'),
      referenced('payload'),
      classes('specializes'),
    ]
    for (const weaker of arcs.flatMap((arc) => local.flatMap(arc))) collect(weaker, selections, out, depth + 1)
  }
  const collectAll = (opinions: readonly PrimOpinion[], selections: Selections): PrimOpinion[] => {
    const out: PrimOpinion[] = []
    for (const local of bySite(opinions)) collect(local, selections, out, 0)
    return out
  }
  return {
    variantSets,
    total: () => total,
    collect: (opinions: readonly PrimOpinion[]): PrimOpinion[] => {
      isOffered = false
      const plain = collectAll(opinions, new Map())
      const all = look && isOffered ? collectAll(opinions, new Map([[look.set, look.name]])) : plain
      if (look) look.budget.opinions -= all.length
      if (look && look.budget.opinions < 0) throw tooLarge('The variants of the package have too many opinions.')
      return all
    },
    /** The prims below one, in its layer. */
    childrenOf: ({ site, layer, prim }: PrimOpinion): PrimOpinion[] =>
      [...prim.children, ...(indexOf(layer.stage).children.get(prim) ?? [])].map((child) => ({
        site,
        layer,
        prim: child,
      })),
  }
}

/** A variant of the sets with a name, and how many opinions the stages of all looks may still combine. */
export type Look = VariantName & { budget: { opinions: number } }

type VariantName = { set: string; name: string }

/** The variants of all sets with one name, and how many of them no prim selects. */
export type VariantSet = { names: Set<string>; unselected: number }

/** The selected variant of each set. */
type Selections = Map<string, string>

/** Divides opinions where the site changes: all layers of one are stronger than what they refer to. */
function bySite(opinions: readonly PrimOpinion[]): PrimOpinion[][] {
  const groups: PrimOpinion[][] = []
  for (const opinion of opinions) {
    const last = groups.at(-1)
    if (last?.[0]?.site === opinion.site) last.push(opinion)
    else groups.push([opinion])
  }
  return groups
}

/** A path below one prim as the same path below another. */
const moved = (path: string, from: string, to: string): string =>
  path === from || path.startsWith(`${from}/`) || path.startsWith(`${from}.`) ? `${to}${path.slice(from.length)}` : path

const indices = new WeakMap<Stage, LayerIndex>()

function indexOf(stage: Stage): LayerIndex {
  const known = indices.get(stage) ?? indexLayer(stage)
  indices.set(stage, known)
  return known
}

function indexLayer({ prims, crate, primAt }: Stage): LayerIndex {
  const index: LayerIndex = { variants: new Map(), children: new Map(), byPath: new Map() }
  const add = (map: Map<StagePrim, StagePrim[]>, key: StagePrim, prim: StagePrim) => {
    const list = map.get(key) ?? []
    map.set(key, list)
    list.push(prim)
  }
  const isVariant = (prim: StagePrim) => crate.paths.name(prim.number).startsWith('{')
  const inVariants = new Set<StagePrim>()
  const spend = pathBudget()
  for (const prim of prims) {
    if (isVariant(prim)) {
      inVariants.add(prim)
      // A variant in a variant is of that one alone.
      const owner = primAt(crate.paths.parent(prim.number))
      if (owner) add(index.variants, owner, prim)
    } else if (prim.parent && inVariants.has(prim.parent)) {
      inVariants.add(prim)
      add(index.children, prim.parent, prim)
    } else {
      const { path } = prim
      spend(path)
      index.byPath.set(path, prim)
    }
  }
  return index
}

/** The set and the name of a variant, of "{set=name}". */
function variantNames({ crate }: Stage, variant: StagePrim): VariantName {
  const [, set = '', name = ''] = /^\{([^=]*)=(.*)\}$/s.exec(crate.paths.name(variant.number)) ?? []
  return { set, name }
}
