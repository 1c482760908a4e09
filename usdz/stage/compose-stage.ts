import { variantSelectionsOf } from '../check/reader/read-composition.ts'
import type { Stage, StagePrim } from '../check/reader/stage.ts'
import { tooLarge } from '../errors.ts'
import type { Notes } from '../report.ts'
import { type UsdPrim, type Values, valueReader } from './usd-prim.ts'

/** The largest number of prims, and the largest depth. */
const maxPrims = 200_000
const maxDepth = 500

/** The prims of a stage, as readers see them. */
export type ComposedStage = {
  values: Values
  tops: UsdPrim[]
  metadata: Stage['metadata']
  primAt(path: string): UsdPrim | undefined
}

/**
 * Combines the opinions of a layer with those of its selected variants. Opinions of the layer itself are stronger.
 * References, payloads and inherited classes are left out, with a note.
 * @throws ConversionError when there are too many prims.
 */
export function composeStage(stage: Stage, notes: Notes): ComposedStage {
  const values = valueReader(stage.crate)
  const inside = variantsByHost(stage)
  const byPath = new Map<string, UsdPrim>()

  const build = (opinions: readonly StagePrim[], parent: UsdPrim | undefined, depth: number): UsdPrim => {
    if (byPath.size >= maxPrims) throw tooLarge(`The package has more than ${maxPrims} prims.`)
    if (depth > maxDepth) throw tooLarge(`The package has prims more than ${maxDepth} deep.`)
    const all = opinions.flatMap((opinion) => [opinion, ...selected(stage, opinion, inside, notes)])
    const { name } = all[0]!
    const prim: UsdPrim = {
      name,
      path: `${parent?.path ?? ''}/${name}`,
      type: all.find(({ type }) => type !== '')?.type ?? '',
      parent,
      children: [],
      opinions: all,
      properties: new Map(all.toReversed().flatMap(({ own }) => [...own])),
    }
    noteArcs(prim, notes)
    byPath.set(prim.path, prim)
    const children = new Map<string, StagePrim[]>()
    for (const child of all.flatMap((opinion) => [...opinion.children, ...(inside.children.get(opinion) ?? [])])) {
      children.set(child.name, [...(children.get(child.name) ?? []), child])
    }
    for (const child of children.values()) {
      if (child.some((opinion) => isDefinition(opinion))) prim.children.push(build(child, prim, depth + 1))
    }
    return prim
  }
  const tops = stage.tops.filter((top) => isDefinition(top)).map((top) => build([top], undefined, 1))
  return { values, tops, metadata: stage.metadata, primAt: (path) => byPath.get(path) }
}

/** A class or an over alone draws nothing (SdfSpecifier: 0 def, 1 over, 2 class). */
const isDefinition = ({ fields }: StagePrim): boolean => fields.get('specifier')?.low === 0

type Inside = { variants: Map<StagePrim, StagePrim[]>; children: Map<StagePrim, StagePrim[]> }

/** The variants of each prim, and the prims in each variant. */
function variantsByHost({ prims, crate }: Stage): Inside {
  const inside: Inside = { variants: new Map(), children: new Map() }
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
      if (prim.base) add(inside.variants, prim.base, prim)
    } else if (prim.parent && inVariants.has(prim.parent)) {
      inVariants.add(prim)
      add(inside.children, prim.parent, prim)
    }
  }
  return inside
}

/** The selected variants of a prim, by name; OpenUSD selects none by itself. */
function selected({ crate }: Stage, prim: StagePrim, { variants }: Inside, notes: Notes): StagePrim[] {
  const own = variants.get(prim)
  if (!own) return []
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

function noteArcs({ opinions }: UsdPrim, notes: Notes): void {
  for (const [field, what] of arcs) {
    const count = opinions.filter(({ fields }) => fields.has(field)).length
    if (count > 0) notes.leftOut('composition', `${what} of prims are not read: what they add is left out.`, count)
  }
}
const arcs = [
  ['references', 'References'],
  ['payload', 'Payloads'],
  ['inheritPaths', 'Inherited classes'],
  ['specializes', 'Specialized prims'],
] as const
