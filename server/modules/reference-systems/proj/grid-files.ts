import { fstatSync, readSync } from 'node:fs'
import { gridFileError } from '../grids/check-grid.ts'
import { type GridFile, gridFiles } from '../grids/grid-folder.ts'
import { openFile as openedFile } from '../grids/open-files.ts'
import type { EmscriptenFiles, FileNode } from './library.ts'

/** A grid file changed or failed while PROJ read it: positions from it must be discarded. */
export class GridFault extends Error {}

type Stream = { position: number; node: FileNode }

/**
 * Mounts the grid files of folders on the disk into PROJ's file system. A file is resolved when PROJ first requests it, in
 * any case (`CHENYX06a.gsb` is `CHENyx06a.gsb`), and is skipped if it cannot be used. Of several with one name, the first
 * usable one counts, in the order of the folders. Bytes are read from the disk on demand.
 * @param onFault called before a GridFault is thrown through PROJ, which must not be used afterwards
 * @returns the files skipped so far, with the reason; it grows
 */
export function gridFilesIn(
  FS: EmscriptenFiles,
  target: FileNode,
  targetPath: string,
  folders: readonly string[],
  onFault: () => void,
): ReadonlyMap<string, string> {
  const byName = Map.groupBy(folders.flatMap(gridFiles), ({ name }) => name.toLowerCase())
  const unreadable = new Map<string, string>()
  const plain = target.node_ops
  let isMaking = false
  const isUsable = ({ name, path }: GridFile): boolean => {
    const why = gridFileError(path)
    if (why !== undefined) unreadable.set(name, why)
    return why === undefined
  }
  const lookup = (parent: FileNode, name: string): FileNode => {
    const named = isMaking ? [] : (byName.get(name.toLowerCase()) ?? [])
    const exact = named.filter((file) => file.name === name)
    const file = [...exact, ...named].find(isUsable)
    if (!file) return plain.lookup(parent, name)
    isMaking = true
    try {
      return readFrom(FS.createFile(targetPath, name, {}, true, false), file, onFault)
    } finally {
      isMaking = false
    }
  }
  target.node_ops = { ...plain, lookup }
  return unreadable
}

/** Serves reads of a node from a file on the disk. */
function readFrom(node: FileNode, { name, path }: GridFile, onFault: () => void): FileNode {
  const file = openedFile(path)
  const opened = fstatSync(file)
  Object.defineProperty(node, 'usedBytes', { value: opened.size, writable: true })
  node.stream_ops = {
    ...node.stream_ops,
    read(_: Stream, buffer: Uint8Array, offset: number, length: number, position: number): number {
      try {
        const { size, mtimeMs } = fstatSync(file)
        if (size === opened.size && mtimeMs === opened.mtimeMs) return readSync(file, buffer, offset, length, position)
      } catch (error) {
        fail(`cannot be read: ${(error as Error).message}`)
      }
      return fail('was changed while it was in use: import again')
    },
  }
  function fail(what: string): never {
    onFault()
    throw new GridFault(`The grid file ${name} ${what}`)
  }
  return node
}
