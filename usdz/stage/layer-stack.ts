import { tooLarge } from '../errors.ts'
import { tokensOf } from '../layers/read-values.ts'
import type { Notes } from '../report.ts'
import { movesSublayers, noteTime } from './layer-time.ts'
import type { OpenPackage } from './open-package.ts'
import type { PackageLayer } from './usd-prim.ts'

/** The largest number of layers that are combined as sublayers of one. */
const maxLayers = 200

/** Returns a layer with its sublayers, strongest first, each once. */
export type LayerStacks = (layer: PackageLayer) => readonly PackageLayer[]

/**
 * Combines layers with their sublayers. Source: "LayerStack" in the glossary of OpenUSD.
 * @throws ConversionError, from the result, when there are too many.
 */
export function layerStacks(layerAt: OpenPackage['layerAt'], notes: Notes): LayerStacks {
  const known = new Map<PackageLayer, readonly PackageLayer[]>()
  const read = (layer: PackageLayer): readonly PackageLayer[] => {
    const found = new Set<PackageLayer>()
    const visit = (each: PackageLayer) => {
      if (found.has(each)) return
      found.add(each)
      if (found.size > maxLayers) throw tooLarge(`${layer.name} has more than ${maxLayers} sublayers.`)
      const { crate, metadata } = each.stage
      const isMoved = movesSublayers(each)
      for (const path of tokensOf(crate, metadata.get('subLayers'))) {
        const below = layerAt(path, each)
        if (below) {
          noteTime(each, [below], isMoved, notes)
          visit(below)
        } else notes.leftOut('composition', 'Layers that are not in the package are left out.')
      }
    }
    visit(layer)
    return [...found]
  }
  return (layer) => {
    const stack = known.get(layer) ?? read(layer)
    known.set(layer, stack)
    return stack
  }
}
