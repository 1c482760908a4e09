import { referencesOf, variantSelectionsOf } from '../check/reader/read-composition.ts'
import { pathNumbersOf, textOf } from '../check/reader/read-values.ts'
import type { Stage, StagePrim } from '../check/reader/stage.ts'
import { tooLarge } from '../errors.ts'
import type { Notes } from '../report.ts'
import { type PackageLayer, type PrimOpinion, plainPath } from './usd-prim.ts'

/** The largest number of opinions about one prim, and of references from one to the next. */
const maxOpinions = 1000
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
 * @param layerAt the layer of a path, relative to another layer; undefined, with a note, when it cannot be read.
 */
export function opinionCollector(
  layerAt: (path: string, from: PackageLayer) => PackageLayer | undefined,
  notes: Notes,
) {
  const indices = new Map<Stage, LayerIndex>()
  const indexOf = (stage: Stage): LayerIndex => {
    const known = indices.get(stage) ?? indexLayer(stage)
    indices.set(stage, known)
    return known
  }

  const at = (opinion: PrimOpinion, layer: PackageLayer, path: string): PrimOpinion[] => {
    const prim = indexOf(layer.stage).byPath.get(path)
    if (!prim) {
      notes.leftOut('composition', 'References to prims that are not in the package are left out.')
      return []
    }
    const own = plainPath(opinion.prim.path)
    return [{ layer, prim, map: (target) => opinion.map(moved(target, path, own)) }]
  }
  const referenced = (opinion: PrimOpinion, field: string): PrimOpinion[] =>
    referencesOf(opinion.layer.stage.crate, opinion.prim.fields.get(field)).flatMap(({ asset, path, isTimed }) => {
      const layer = asset === '' ? opinion.layer : layerAt(asset, opinion.layer)
      if (!layer) return []
      if (isTimed) notes.changed('layer_offset', 'Referenced animations play at their own time.')
      const { crate, metadata } = layer.stage
      return at(opinion, layer, path === '' ? `/${textOf(crate, metadata.get('defaultPrim')) ?? ''}` : path)
    })
  const classes = (opinion: PrimOpinion, field: string): PrimOpinion[] => {
    const { crate } = opinion.layer.stage
    const paths = pathNumbersOf(crate, opinion.prim.fields.get(field)).map((number) => crate.paths.text(number))
    return paths.flatMap((path) => at(opinion, opinion.layer, path))
  }
  const variants = (opinion: PrimOpinion): PrimOpinion[] =>
    selectedVariants(opinion, indexOf(opinion.layer.stage), notes).map((prim) => ({ ...opinion, prim }))

  const collect = (opinion: PrimOpinion, out: PrimOpinion[], depth: number): void => {
    if (depth > maxDepth || out.length >= maxOpinions) throw tooLarge(`${opinion.prim.path} has too many references.`)
    out.push(opinion)
    const weaker = [
      ...classes(opinion, 'inheritPaths'),
      ...variants(opinion),
      ...referenced(opinion, 'references'),
      ...referenced(opinion, 'payload'),
      ...classes(opinion, 'specializes'),
    ]
    for (const each of weaker) collect(each, out, depth + 1)
  }
  return {
    collect: (opinions: readonly PrimOpinion[]): PrimOpinion[] => {
      const out: PrimOpinion[] = []
      for (const opinion of opinions) collect(opinion, out, 0)
      return out
    },
    /** The prims below one, in its layer. */
    childrenOf: ({ layer, prim, map }: PrimOpinion): PrimOpinion[] =>
      [...prim.children, ...(indexOf(layer.stage).children.get(prim) ?? [])].map((child) => ({
        layer,
        prim: child,
        map,
      })),
  }
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
  for (const prim of prims) {
    if (isVariant(prim)) {
      inVariants.add(prim)
      if (prim.base) add(index.variants, prim.base, prim)
    } else if (prim.parent && inVariants.has(prim.parent)) {
      inVariants.add(prim)
      add(index.children, prim.parent, prim)
    } else index.byPath.set(prim.path, prim)
  }
  return index
}

/** The selected variants of a prim; OpenUSD selects none by itself. */
function selectedVariants({ layer, prim }: PrimOpinion, { variants }: LayerIndex, notes: Notes): StagePrim[] {
  const own = variants.get(prim)
  if (!own) return []
  const { crate } = layer.stage
  const selections = variantSelectionsOf(crate, prim.fields.get('variantSelection'))
  const chosen = own.filter((variant) => {
    const [, set, name] = /^\{([^=]*)=(.*)\}$/s.exec(crate.paths.name(variant.number)) ?? []
    return set !== undefined && selections.get(set) === name
  })
  if (chosen.length < own.length) {
    notes.leftOut('variants', 'Variants that are not selected are left out.', own.length - chosen.length)
  }
  return chosen
}
