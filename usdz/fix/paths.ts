/** A path in the package, relative to the folder of a file. */
export function pathFrom(file: string, path: string): string {
  const [folders, steps] = [file.split('/').slice(0, -1), path.split('/')]
  const differs = folders.findIndex((folder, i) => folder !== steps[i])
  const shared = differs < 0 ? folders.length : differs
  return [...folders.slice(shared).map(() => '..'), ...steps.slice(shared)].join('/')
}

/** Renamed files, by the paths with which a layer may name them: relative to its folder, or to the package. */
export function asNamedIn(layer: string, renamed: ReadonlyMap<string, string>): Map<string, string> {
  const names = new Map<string, string>()
  for (const [from, to] of renamed) {
    for (const name of [(path: string) => pathFrom(layer, path), (path: string) => path]) {
      for (const start of ['', './'])
        if (!names.has(`${start}${name(from)}`)) names.set(`${start}${name(from)}`, name(to))
    }
  }
  return names
}
