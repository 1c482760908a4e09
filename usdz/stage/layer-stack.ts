import { tooLarge } from '../errors.ts'
import { type LayerTime, subLayerTimesOf } from '../layers/read-composition.ts'
import { tokensOf } from '../layers/read-values.ts'
import type { Notes } from '../report.ts'
import { ownTime, timeOfLayer, timeWithin } from './layer-time.ts'
import type { OpenPackage } from './open-package.ts'
import type { PackageLayer } from './usd-prim.ts'

/** The largest number of layers that are combined as sublayers of one. */
const maxLayers = 200

/** A layer with its sublayers, strongest first, each once, and the time of each in that layer. */
export type LayerStack = { layers: readonly PackageLayer[]; times: ReadonlyMap<PackageLayer, LayerTime> }

/**
 * Combines layers with their sublayers. Source: "LayerStack" in the glossary of OpenUSD.
 * @throws ConversionError, from the result, when there are too many.
 */
export function layerStacks(layerAt: OpenPackage['layerAt'], notes: Notes): (layer: PackageLayer) => LayerStack {
  const known = new Map<PackageLayer, LayerStack>()
  const read = (layer: PackageLayer): LayerStack => {
    const found = new Map<PackageLayer, LayerTime>()
    const visit = (each: PackageLayer, time: LayerTime) => {
      if (found.has(each)) return
      found.set(each, time)
      if (found.size > maxLayers) throw tooLarge(`${layer.name} has more than ${maxLayers} sublayers.`)
      const { crate, metadata } = each.stage
      const times = subLayerTimesOf(crate, metadata.get('subLayerOffsets'))
      for (const [at, path] of tokensOf(crate, metadata.get('subLayers')).entries()) {
        const below = layerAt(path, each)
        if (below) visit(below, timeWithin(time, timeOfLayer(each, below, times[at] ?? ownTime, notes)))
        else notes.leftOut('composition', 'Layers that are not in the package are left out.')
      }
    }
    visit(layer, ownTime)
    return { layers: [...found.keys()], times: found }
  }
  return (layer) => {
    const stack = known.get(layer) ?? read(layer)
    known.set(layer, stack)
    return stack
  }
}
