import { readdirSync } from 'node:fs'
import { gridFileError } from './check-grid.ts'
import { gridFiles } from './grid-folder.ts'
import { type GridUse, openGridRegistry } from './grid-registry.ts'
import { PUBLISHED_GRIDS, type PublishedGrid } from './published-grids.ts'

/** Maximum number of transformations in a line. */
const MAX_USES = 4

/** A file of the folder: the reason why it cannot be used or null, its PROJ name or null, and its transformations. */
export type ListedGrid = {
  file: string
  bytes: number
  unusable: string | null
  projName: string | null
  uses: GridUse[]
}

export type GridListing = {
  folder: string
  /** The reason why the folder cannot be read, or null. */
  fault: string | null
  grids: ListedGrid[]
  /** Well-known grids that are missing. */
  missing: (PublishedGrid & { uses: GridUse[] })[]
}

/** Lists a folder of grids: what each file adds, and which well-known ones are missing. */
export function listGrids(folder: string): GridListing {
  const register = openGridRegistry()
  try {
    const grids = gridFiles(folder).map(({ name, path, bytes }) => {
      const projName = register.nameOf(name)
      return {
        file: name,
        bytes,
        unusable: gridFileError(path) ?? null,
        projName: projName ?? null,
        uses: projName ? register.usesOf(projName) : [],
      }
    })
    const usable = new Set(grids.filter(({ unusable }) => unusable === null).map(({ projName }) => projName))
    return {
      folder,
      fault: faultOf(folder),
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

/** Transformations with a grid, in a line. */
export function usesInWords(uses: GridUse[]): string {
  if (uses.length === 0) return 'no transformation of the register'
  const named = uses
    .slice(0, MAX_USES)
    .map(({ from, to, accuracy }) => `${from} – ${to}${accuracy === null ? '' : ` ${accuracy} m`}`)
  const more = uses.length - named.length
  return `${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

function faultOf(folder: string): string | null {
  try {
    readdirSync(folder)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? 'there is no such folder' : `the folder cannot be read (${code})`
  }
}
