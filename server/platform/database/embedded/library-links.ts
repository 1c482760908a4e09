import { chownSync, existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Account } from './data-directory.ts'

type Link = { source: string; target: string }

/**
 * The folders in which PostgreSQL's programs find their libraries: the installed one and, if the links of the libraries
 * are missing from it, one in the folder of the database that has them. A package on npm cannot hold links, and the
 * install script that makes them does not run everywhere. @param programs folder with `bin` and `lib`
 */
export function libraryFolders(programs: string, folder: string, account?: Account): string[] {
  const installed = join(programs, 'lib')
  const missing = linksOf(programs).filter(({ target }) => !existsSync(join(installed, basename(target))))
  if (missing.length === 0) return [installed]
  const links = join(folder, 'libraries')
  mkdirSync(links, { recursive: true, mode: 0o700 })
  if (account) chownSync(links, account.uid, account.gid)
  for (const { source, target } of missing) link(join(installed, basename(source)), join(links, basename(target)))
  return [links, installed]
}

/** The list that the package of PostgreSQL's programs has of them. */
function linksOf(programs: string): Link[] {
  const list = join(programs, 'pg-symlinks.json')
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
}

/** Replaces a link that leads elsewhere, such as to an older release. Processes that start together may both do so. */
function link(library: string, path: string): void {
  if (leadsTo(path) === library) return
  const partial = `${path}.${process.pid}`
  symlinkSync(library, partial)
  renameSync(partial, path)
}

function leadsTo(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
