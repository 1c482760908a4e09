import { assetsOf, pathInside } from '../check/rules/asset-rules.ts'
import { isCrate, readCrate } from '../layers/read-crate.ts'
import { buildStage } from '../layers/stage.ts'
import type { PackageFile } from '../stage/package-files.ts'
import { pathFrom } from './paths.ts'

/** Addresses of servers, and files in other packages, are what they say. */
const elsewhere = /^(?!file:)[a-z][a-z0-9+.-]*:\/\/|\[/i

/**
 * Finds the files that a layer names by a path which leads to none, such as one of the computer that exported it, or one
 * with other capital letters, where the package has exactly one file of that name.
 * @returns for each such path that of the file, relative to the layer.
 * @throws Error when the layer cannot be read.
 */
export function lostFiles(layer: PackageFile, files: readonly PackageFile[]): Map<string, string> {
  const folder = layer.name.slice(0, layer.name.lastIndexOf('/') + 1)
  const names = new Set(files.map(({ name }) => name))
  const found = new Map<string, string>()
  for (const asset of new Set(assetsIn(layer.data))) {
    const inside = pathInside(folder, asset)
    const isThere = names.has(asset) || (inside !== undefined && names.has(inside))
    if (isThere || elsewhere.test(asset)) continue
    const [file, ...others] = [...names].filter((name) => lastOf(name) === lastOf(asset))
    // A layer that names its own file would bring in itself.
    if (file !== undefined && others.length === 0 && file !== layer.name) found.set(asset, pathFrom(layer.name, file))
  }
  return found
}

const lastOf = (path: string): string => path.split(/[/\\]/).at(-1)!.toLowerCase()

function assetsIn(data: Uint8Array): string[] {
  if (!isCrate(data)) {
    return [...new TextDecoder().decode(data).matchAll(/@([^@\n]+)@/g)].map(([, path]) => path!)
  }
  const stage = buildStage(readCrate(data))
  return stage.prims.flatMap(({ own }) => [...own.values()].flatMap((property) => assetsOf(stage, property)))
}
