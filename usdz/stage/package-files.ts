import { tooLarge } from '../errors.ts'
import { isCrate } from '../layers/read-crate.ts'
import { readZip } from '../layers/read-zip.ts'
import type { Budget } from '../layers/work-budget.ts'
import { isTextLayer } from '../text/text-crate.ts'

/** A file of a package, neither compressed nor encrypted. One of a package in it is named "a.usdz[b.png]". */
export type PackageFile = { name: string; data: Uint8Array }

/** Whether a file is a layer, binary or text, whatever its name. */
export const isLayer = ({ data }: PackageFile): boolean => isCrate(data) || isTextLayer(data)

/** How deep packages are in each other. */
const maxNesting = 4

/** The files of a package by their paths in it, the first one first. */
type Files = ReadonlyMap<string, PackageFile>

/** Finds files of a package, and of packages in it, which are opened when a path leads there. */
export function packageFiles(entries: readonly PackageFile[], limits: Budget) {
  /** The package that each file is in, and its path there. */
  const homes = new Map<string, { files: Files; path: string }>()
  const nested = new Map<string, Files>()

  const add = (files: readonly PackageFile[], outer?: PackageFile): Files => {
    const named = files.map(({ name, data }) => ({
      path: name,
      file: { name: outer ? `${outer.name}[${name}]` : name, data },
    }))
    const byPath = new Map(named.map(({ path, file }) => [path, file]))
    for (const { path, file } of named) homes.set(file.name, { files: byPath, path })
    return byPath
  }
  const filesIn = (file: PackageFile): Files => {
    const known = nested.get(file.name)
    if (known) return known
    if (file.name.split('[').length > maxNesting)
      throw tooLarge(`${file.name} is more than ${maxNesting} packages deep.`)
    const inside = readZip(file.data).filter(({ method, encrypted }) => method === 0 && !encrypted)
    limits.spend(inside.length)
    const files = add(inside, file)
    nested.set(file.name, files)
    return files
  }
  add(entries)
  return {
    /** Returns the file of a path, relative to a file or to its package. */
    fileAt(path: string, from: string): PackageFile | undefined {
      const home = homes.get(from)
      const [outer = '', ...inner] = path.split('[')
      const folder = home?.path.split('/').slice(0, -1) ?? []
      const steps = outer.split('/')
      const found = home?.files.get(joined([...folder, ...steps])) ?? home?.files.get(joined(steps))
      if (!found || inner.length === 0) return found
      return filesIn(found).get(joined(inner.join('[').replace(/\]+$/, '').split('/')))
    },
    /** Returns the first file of a package in the package. @throws Error when it is not a package. */
    firstIn: (file: PackageFile): PackageFile | undefined => [...filesIn(file).values()][0],
  }
}

function joined(parts: readonly string[]): string {
  const out: string[] = []
  for (const part of parts) {
    if (part === '..') out.pop()
    else if (part !== '.' && part !== '') out.push(part)
  }
  return out.join('/')
}
