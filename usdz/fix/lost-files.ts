import { assetsOf, pathInside } from '../check/rules/asset-rules.ts'
import { isCrate, readCrate } from '../layers/read-crate.ts'
import { buildStage } from '../layers/stage.ts'
import { isLayer, type PackageFile } from '../stage/package-files.ts'
import { pathFrom } from './paths.ts'

/** Addresses of servers, and files in other packages, are what they say. */
const elsewhere = /^(?!file:)[a-z][a-z0-9+.-]*:\/\/|^data:|\[/i

/**
 * Finds the files that a layer names by a path which leads to none, such as one of the computer that exported it, or one
 * with other capital letters, where the package has exactly one file of that path or name. Layers stay lost: they could
 * bring in each other.
 * @param renamed the new path of each renamed file.
 * @returns for each such path that of the file, relative to the layer.
 * @throws Error when the layer cannot be read.
 */
export function lostFiles(
  layer: PackageFile,
  files: readonly PackageFile[],
  renamed: ReadonlyMap<string, string>,
): Map<string, string> {
  const folder = layer.name.slice(0, layer.name.lastIndexOf('/') + 1)
  const names = new Set(files.map(({ name }) => name))
  const sought = new Set(files.filter((file) => !isLayer(file)).map(({ name }) => name))
  const candidates = [...[...sought].map((name) => [name, name] as const), ...renamed].filter(([, name]) =>
    sought.has(name),
  )
  const onlyOne = (isMeant: (name: string) => boolean): string | undefined => {
    const [file, ...others] = new Set(candidates.filter(([name]) => isMeant(name)).map(([, name]) => name))
    return others.length === 0 ? file : undefined
  }
  const found = new Map<string, string>()
  for (const asset of new Set(assetsIn(layer.data))) {
    const inside = pathInside(folder, asset)
    const isThere = names.has(asset) || (inside !== undefined && names.has(inside))
    if (isThere || elsewhere.test(asset)) continue
    const file =
      onlyOne((name) => name.toLowerCase() === inside?.toLowerCase()) ??
      onlyOne((name) => lastOf(name) === lastOf(asset))
    if (file !== undefined) found.set(asset, pathFrom(layer.name, file))
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
