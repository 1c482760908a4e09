import { fstatSync, readSync } from 'node:fs'
import { gridFileError } from '../grids/check-grid.ts'
import { type GridFile, gridFiles } from '../grids/grid-folder.ts'
import { opened as openedFile } from '../grids/open-files.ts'
import type { EmscriptenFiles, FileNode } from './library.ts'

/** A grid file changed or failed while PROJ read it: positions made from it are not to be trusted. */
export class GridFault extends Error {}

type Stream = { position: number; node: FileNode }

/**
 * Lets PROJ find the grid files of folders on the disk in a folder of its own. A file is looked for when PROJ first asks
 * for it, in any case of letters (`CHENYX06a.gsb` is `CHENyx06a.gsb`), and is left out when it cannot be used. Of several
 * with one name the first that can be used counts, in the order of the folders. Bytes stay on the disk and are read as
 * they are needed.
 * @param onFault is called before a GridFault is thrown through PROJ, which is of no more use then
 * @returns the files that were left out so far, with the reason; it grows
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

/** Takes the bytes of a file on the disk for those of a node. */
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
