import { existsSync } from 'node:fs'
import { dirname, extname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The folder that holds `server/` with its migrations: the source tree, or the npm package, whose bundled code lies in
 * other folders than its sources.
 */
const PROJECT = folderAbove(import.meta.dirname)
/** `.ts`, or `.js` in the package. */
const EXTENSION = extname(import.meta.filename)

/** Whether this code is the npm package: compiled, without npm scripts. */
export const isPackage = EXTENSION === '.js'

/** The path of a file of the project, such as `web/dist`. */
export const projectFile = (path: string): string => join(PROJECT, path)

/**
 * The program that runs in a process or a thread of its own, by its path without extension:
 * `server/modules/scans/processing/scan-process`. The package has a bundle for each that is named so.
 */
export const programFile = (path: string): URL => pathToFileURL(projectFile(path + EXTENSION))

/**
 * Folders and files of the code and of the packages it loads: all that a process reads to run. An installed package
 * finds others in the folder that it is installed in itself.
 */
export function codeFolders(): string[] {
  const names = PROJECT.split(sep)
  const at = names.indexOf('node_modules')
  if (isPackage && at >= 0) return [names.slice(0, at + 1).join(sep)]
  return ['server', 'usdz', 'chunks', 'node_modules', 'package.json']
    .map(projectFile)
    .filter((path) => existsSync(path))
}

function folderAbove(folder: string): string {
  if (existsSync(join(folder, 'server', 'migrations'))) return folder
  const above = dirname(folder)
  if (above === folder) throw new Error(`The folder "server/migrations" is missing: reinstall Cairn`)
  return folderAbove(above)
}
