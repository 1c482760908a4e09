import { openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { EmscriptenFiles } from './library.ts'

/** Kinds of grids that PROJ reads: GeoTIFF, NTv2, NOAA's vertical grids, and its own of NAD27. */
const GRID_NAME =
  /^[\w.+-]{1,100}\.(?:tif|tiff|gsb|gtx|gvb|ct2|lla|json)$|^(?:conus|alaska|hawaii|prvi|ntv1_can\.dat)$/i

type Stream = { position: number; node: { file?: number; usedBytes: number } }

/** Names of the grid files in a folder, in order; none if there is no such folder. */
export function gridNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => GRID_NAME.test(name))
      .sort()
  } catch {
    return []
  }
}

/**
 * Lets PROJ see the grid files of a folder in its own. Their bytes stay on the disk and are read as they are needed.
 * @returns their names
 */
export function addGridFiles(FS: EmscriptenFiles, target: string, folder: string): string[] {
  const names = gridNames(folder)
  for (const name of names) {
    const path = join(folder, name)
    const node = FS.createFile(target, name, {}, true, false)
    const state = node as typeof node & { file?: number }
    Object.defineProperty(state, 'usedBytes', { value: statSync(path).size, writable: true })
    const stream_ops = {
      ...node.stream_ops,
      read(_stream: Stream, buffer: Uint8Array, offset: number, length: number, position: number): number {
        state.file ??= openSync(path, 'r')
        return readSync(state.file, buffer, offset, length, position)
      },
    }
    state.stream_ops = stream_ops
  }
  return names
}
