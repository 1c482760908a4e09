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
 */
export function opinionCollector(layersAt: (path: string, from: PackageLayer) => LayerStack | undefined, notes: Notes) {
  let total = 0
  const indices = new Map<Stage, LayerIndex>()
  const indexOf = (stage: Stage): LayerIndex => {
    const known = indices.get(stage) ?? indexLayer(stage)
    indices.set(stage, known)
    return known
  }

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
    selectedVariants(opinion, selections, indexOf(opinion.layer.stage), notes).map((prim) => [{ ...opinion, prim }])

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
  return {
    collect: (opinions: readonly PrimOpinion[]): PrimOpinion[] => {
      const out: PrimOpinion[] = []
      const selections: Selections = new Map()
      for (const local of bySite(opinions)) collect(local, selections, out, 0)
      return out
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

function indexLayer({ prims, crate }: Stage): LayerIndex {
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
      if (prim.base) add(index.variants, prim.base, prim)
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

/** The selected variants of a prim; OpenUSD selects none by itself. */
function selectedVariants(
  { layer, prim }: PrimOpinion,
  selections: Selections,
  { variants }: LayerIndex,
  notes: Notes,
): StagePrim[] {
  const own = variants.get(prim)
  if (!own) return []
  const { crate } = layer.stage
  const chosen = own.filter((variant) => {
    const [, set, name] = /^\{([^=]*)=(.*)\}$/s.exec(crate.paths.name(variant.number)) ?? []
    return set !== undefined && selections.get(set) === name
  })
  if (chosen.length < own.length) {
    notes.leftOut('variants', 'Variants that are not selected are left out.', own.length - chosen.length)
  }
  return chosen
}
