import { assertValidPackage } from '../check/valid-package.ts'
import type { Settings } from '../options/options.ts'
import { type Entry, writePackage } from '../package/zip.ts'
import type { ConversionReport } from '../report.ts'
import { computeExtent } from '../scene/geometry/extent.ts'
import { writeCrate } from '../usd/crate/write-crate.ts'
import { sceneLayer } from '../usd/write-scene.ts'
import type { Splats } from './splats.ts'
import { splatsPrim } from './write-splats.ts'

/**
 * Writes a package of splats, for programs that read OpenUSD 26.03. The axes stay as in the file.
 * @param images of the anchor.
 * @throws ConversionError when a value is not finite.
 */
export function convertSplats(
  splats: Splats,
  settings: Settings,
  images: readonly Entry[],
): { usdz: Uint8Array; report: ConversionReport } {
  const layer = sceneLayer({ nodes: [], clips: [] }, new Map(), { names: [], titles: [] }, { about: {} }, settings)
  layer.prims[0]!.children.push(splatsPrim('Splats', splats))
  const usdz = writePackage([{ name: 'model.usdc', parts: writeCrate(layer) }, ...images])
  // Apple's viewers do not know the type.
  assertValidPackage(usdz, 'ARKitPrimTypeChecker')
  return { usdz, report: reportOf(splats, settings.scale) }
}

function reportOf({ positions }: Splats, scale: number): ConversionReport {
  const extent = computeExtent(positions, 'The positions of the splats are not finite.')
  const [width, height, depth] = [0, 1, 2].map((k) => (extent[k + 3]! - extent[k]!) * scale) as [number, number, number]
  const none = { triangles: 0, vertices: 0, meshes: 0, materials: 0, textures: 0, animations: 0, skins: 0 }
  return {
    ...none,
    morphTargets: 0,
    splats: positions.length / 3,
    clips: [],
    variants: [],
    size: { width, height, depth },
    metersPerUnit: scale,
    notes: [],
  }
}
