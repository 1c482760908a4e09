/** How much is done: `short` in continuous integration (some minutes for all rows, beside other tests), `ordinary` (a few minutes a row at most), `long` at night. */
export type Scale = 'short' | 'ordinary' | 'long'

/** What a row is given. */
export type Context = {
  scale: Scale
  /** The one of these that goes with the scale, e.g. how many kills. */
  times: (short: number, ordinary: number, long: number) => number
  /** Tells whoever watches how far it is. */
  say: (sentence: string) => void
  /** To be done when the row is over, however it ends; the last one named is done first. */
  after: (undo: () => unknown) => void
}

/** The cells of the table. `seen` holds what decides: figures, and where it failed what was wrong. */
export type Result = {
  /** The faults and the load. */
  what: string
  /** How many faults, and how much was written meanwhile. */
  count: string
  criterion: string
  seen: string
  passed: boolean
}

/** One fault, tried on a running service. Several rows may share an id, such as one process and many: naming the id runs them all. */
export type Row = {
  /** As in docs/faults.md: F1 to F18. */
  id: string
  title: string
  /** Left out of the short form, for its time. */
  isLong?: boolean
  /** @throws what kept it from coming to a result: the row has failed then too */
  run: (context: Context) => Promise<Result>
}

/** What is wrong, gathered while a row goes on; each kind is told once, with how often it was seen. */
export function createFindings() {
  const counts = new Map<string, { first: string; times: number }>()
  return {
    /** @param kind of what is wrong, always in the same words @param detail of this one */
    add(kind: string, detail = ''): void {
      const known = counts.get(kind)
      if (known) known.times++
      else counts.set(kind, { first: detail, times: 1 })
    },
    get any() {
      return counts.size > 0
    },
    /** In one line: of each kind how many, and the first of them. */
    text: () =>
      [...counts]
        .map(([kind, { first, times }]) => `${kind} (${times}x${first ? `, first: ${first.slice(0, 700)}` : ''})`)
        .join('; '),
  }
}
export type Findings = ReturnType<typeof createFindings>
