import { readdirSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Extensions of grids that PROJ reads: GeoTIFF, NTv2, NOAA's vertical grids, triangulations, and old NAD27 grids; excludes
 * PROJ's schema files.
 */
const GRID_NAME =
  /^(?!.*\.schema\.json$)[\w.+-]{1,100}\.(?:tif|tiff|gsb|gtx|gvb|ct2|lla|json)$|^(?:conus|alaska|hawaii|prvi|ntv1_can\.dat)$/i

export type GridFile = { name: string; path: string; bytes: number }

/** The grid files of a folder, by name; follows links. Empty if there is no such folder. */
export function gridFiles(folder: string): GridFile[] {
  return names(() => readdirSync(folder)).flatMap((name) => {
    const path = join(folder, name)
    const state = stateOf(path)
    return state?.isFile() ? [{ name, path, bytes: state.size }] : []
  })
}

/** Skips unreachable entries, such as dangling links. */
function stateOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

function names(list: () => string[]): string[] {
  try {
    return list()
      .filter((name) => GRID_NAME.test(name))
      .sort()
  } catch {
    return []
  }
}

/** A value that changes when a file of the folder is added, replaced or removed. */
async function folderVersion(folder: string): Promise<string> {
  const found = await readdir(folder).catch(() => [])
  const states = names(() => found).map(async (name) => {
    const state = await stat(join(folder, name)).catch(() => undefined)
    return `${name} ${state?.size} ${state?.mtimeMs} ${state?.ino}`
  })
  return (await Promise.all(states)).join('\n')
}

/** Options of worker processes whose PROJ reads the grid files that are in a folder when a task begins. */
export const readsGrids = (folder: string) => ({
  folders: { CAIRN_GRIDS: folder },
  version: () => folderVersion(folder),
})
