import { dictionaryOf } from '../check/reader/read-composition.ts'
import { numberOf, textOf, tokensOf } from '../check/reader/read-values.ts'
import { tooLarge } from '../errors.ts'
import type { Notes } from '../report.ts'
import type { OpenPackage } from './open-package.ts'
import { opinionCollector } from './opinions.ts'
import type { PackageLayer, PrimOpinion, PropertyOpinion, UsdPrim } from './usd-prim.ts'

/** The largest number of prims, and the largest depth. */
const maxPrims = 200_000
const maxDepth = 500

/** The prims of a stage, as readers see them, and the metadata of its root layer. */
export type ComposedStage = {
  tops: UsdPrim[]
  primAt(path: string): UsdPrim | undefined
  metadata: {
    number(name: string): number | undefined
    text(name: string): string | undefined
    /** The texts of a dictionary. */
    texts(name: string): Map<string, string>
  }
}

/**
 * Combines the opinions of the layers of a package: those of the root layer and its sublayers, of selected variants,
 * references, payloads and classes.
 * @throws ConversionError when there are too many prims.
 */
export function composeStage({ root, layerAt }: OpenPackage, notes: Notes): ComposedStage {
  const opinions = opinionCollector((path, from) => {
    const layer = layerAt(path, from)
    if (!layer) notes.leftOut('composition', 'References to files that are not layers of the package are left out.')
    return layer
  }, notes)
  const byPath = new Map<string, UsdPrim>()

  const build = (given: readonly PrimOpinion[], parent: UsdPrim | undefined, depth: number): UsdPrim => {
    if (byPath.size >= maxPrims) throw tooLarge(`The package has more than ${maxPrims} prims.`)
    if (depth > maxDepth) throw tooLarge(`The package has prims more than ${maxDepth} deep.`)
    const all = opinions.collect(given)
    const { name } = all[0]!.prim
    const prim: UsdPrim = {
      name,
      path: `${parent?.path ?? ''}/${name}`,
      type: all.find((opinion) => opinion.prim.type !== '')?.prim.type ?? '',
      parent,
      children: [],
      opinions: all,
      properties: propertiesOf(all),
    }
    byPath.set(prim.path, prim)
    const children = byName(all.flatMap(opinions.childrenOf))
    for (const child of children) if (child.some(isDefinition)) prim.children.push(build(child, prim, depth + 1))
    return prim
  }
  const tops = byName(
    sublayersOf(root, layerAt, notes).flatMap((layer) =>
      layer.stage.tops.map((prim) => ({ layer, prim, map: (path: string) => path })),
    ),
  )
  const { crate, metadata } = root.stage
  return {
    tops: tops.filter((top) => top.some(isDefinition)).map((top) => build(top, undefined, 1)),
    primAt: (path) => byPath.get(path),
    metadata: {
      number: (name) => numberOf(crate, metadata.get(name)),
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

function byName(opinions: readonly PrimOpinion[]): PrimOpinion[][] {
  const named = new Map<string, PrimOpinion[]>()
  for (const opinion of opinions) {
    const known = named.get(opinion.prim.name)
    if (known) known.push(opinion)
    else named.set(opinion.prim.name, [opinion])
  }
  return [...named.values()]
}

function propertiesOf(opinions: readonly PrimOpinion[]): Map<string, PropertyOpinion[]> {
  const properties = new Map<string, PropertyOpinion[]>()
  for (const from of opinions) {
    for (const [name, property] of from.prim.own) {
      const known = properties.get(name)
      if (known) known.push({ from, property })
      else properties.set(name, [{ from, property }])
    }
  }
  return properties
}

/** A layer with its sublayers, strongest first, each once. */
function sublayersOf(layer: PackageLayer, layerAt: OpenPackage['layerAt'], notes: Notes): PackageLayer[] {
  const found = new Set<PackageLayer>()
  const visit = (each: PackageLayer) => {
    if (found.has(each)) return
    found.add(each)
    const { crate, metadata } = each.stage
    for (const path of tokensOf(crate, metadata.get('subLayers'))) {
      const below = layerAt(path, each)
      if (below) visit(below)
      else notes.leftOut('composition', 'Layers that are not in the package are left out.')
    }
  }
  visit(layer)
  return [...found]
}
