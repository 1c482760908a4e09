import { statSync } from 'node:fs'
import { gridFiles } from './folder.ts'
import { PUBLISHED_GRIDS, type PublishedGrid } from './published.ts'
import { type GridUse, openGridRegister } from './register.ts'
import { whyUnreadable } from './whole.ts'

/** A file of the folder: why it cannot be used (`it ends early`) or null, PROJ's name of it or null, and the transformations that use it. */
export type ListedGrid = { file: string; bytes: number; unusable: string | null; projName: string | null; uses: GridUse[] }

export type GridListing = {
  folder: string
  /** Whether there is such a folder. */
  isThere: boolean
  grids: ListedGrid[]
  /** Well-known grids that are not in it. */
  missing: (PublishedGrid & { uses: GridUse[] })[]
}

/** What is in a folder of grids, what each file adds, and which well-known ones it lacks. */
export function listGrids(folder: string): GridListing {
  const register = openGridRegister()
  try {
    const grids = gridFiles(folder).map(({ name, path, bytes }) => {
      const projName = register.nameOf(name)
      return {
        file: name,
        bytes,
        unusable: whyUnreadable(path) ?? null,
        projName: projName ?? null,
        uses: projName ? register.usesOf(projName) : [],
      }
    })
    const usable = new Set(grids.filter(({ unusable }) => unusable === null).map(({ projName }) => projName))
    return {
      folder,
      isThere: statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false,
      grids,
      missing: PUBLISHED_GRIDS.filter(({ file }) => !usable.has(file)).map((one) => ({
        ...one,
        uses: register.usesOf(one.file),
      })),
    }
  } finally {
    register.close()
  }
}
