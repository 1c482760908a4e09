import { readdirSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Kinds of grids that PROJ reads: GeoTIFF, NTv2, NOAA's vertical grids, triangulations, and the older ones of NAD27; not
 * the schemas that PROJ has beside them.
 */
const GRID_NAME =
  /^(?!.*\.schema\.json$)[\w.+-]{1,100}\.(?:tif|tiff|gsb|gtx|gvb|ct2|lla|json)$|^(?:conus|alaska|hawaii|prvi|ntv1_can\.dat)$/i

export type GridFile = { name: string; path: string; bytes: number }

/** The grid files of a folder, by name; links are followed. None if there is no such folder. */
export function gridFiles(folder: string): GridFile[] {
  return names(() => readdirSync(folder)).flatMap((name) => {
    const path = join(folder, name)
    const state = stateOf(path)
    return state?.isFile() ? [{ name, path, bytes: state.size }] : []
  })
}

/** What cannot be reached, such as a link that leads nowhere, is not there. */
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

/** Changes whenever a file of the folder is added, replaced or removed. */
async function folderVersion(folder: string): Promise<string> {
  const found = await readdir(folder).catch(() => [])
  const states = names(() => found).map(async (name) => {
    const state = await stat(join(folder, name)).catch(() => undefined)
    return `${name} ${state?.size} ${state?.mtimeMs} ${state?.ino}`
  })
  return (await Promise.all(states)).join('\n')
}

/** Options of work processes in which PROJ reads the grid files of a folder: those that are there when a task begins. */
export const readsGrids = (folder: string) => ({
  folders: { CAIRN_GRIDS: folder },
  version: () => folderVersion(folder),
})
