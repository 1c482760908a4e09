import { layerPathsOf } from '../layers/read-composition.ts'
import { isCrate } from '../layers/read-crate.ts'
import { packageLayers } from '../stage/open-package.ts'
import type { PackageFile } from '../stage/package-files.ts'

/** Puts the root layer first: the only layer, or the only one that no other refers to. Names a binary one .usdc. */
export function orderLayers(files: readonly PackageFile[], fixes: string[]): PackageFile[] {
  const layers = files.filter(({ name }) => /\.usd[ac]?$/.test(name))
  const [first] = files
  if (layers.length > 1 && first && layers.includes(first)) return [...files]
  const roots = layers.length > 1 ? rootsOf(layers) : layers
  const [layer] = roots
  if (!layer || roots.length > 1) return [...files]
  const which = layers.length > 1 ? 'which no other layer refers to' : 'the only layer'
  if (first !== layer) fixes.push(`${layer.name}, ${which}, is the first file.`)
  if (layers.length === 1 && layer.name.endsWith('.usd') && isCrate(layer.data)) {
    layer.name = `${layer.name}c`
    fixes.push(`The layer is named ${layer.name}, as its format is.`)
  }
  return [layer, ...files.filter((file) => file !== layer)]
}

/** The layers that no other layer refers to; none when one cannot be read. */
function rootsOf(files: readonly PackageFile[]): PackageFile[] {
  try {
    const { open, fileAt } = packageLayers(files)
    const used = new Set<string>()
    for (const file of files) {
      const layer = open(file)
      for (const path of layerPathsOf(layer.stage)) {
        const name = fileAt(path, layer.name)?.name
        if (name !== file.name && name !== undefined) used.add(name)
      }
    }
    return files.filter(({ name }) => !used.has(name))
  } catch {
    return []
  }
}
