/**
 * The extent of a run: `short` in continuous integration (some minutes for all rows, beside other tests), `ordinary` (a
 * few minutes per row at most), `long` at night.
 */
export type Scale = 'short' | 'ordinary' | 'long'

/** The context of a row. */
export type Context = {
  scale: Scale
  /** Selects a value by scale, e.g. the number of kills. */
  times: (short: number, ordinary: number, long: number) => number
  /** Prints progress. */
  say: (sentence: string) => void
  /** Registers a clean-up for the end of the row, however it ends; clean-ups run in reverse order. */
  after: (undo: () => unknown) => void
}

/** The cells of the results table. `seen` holds the deciding figures, and the findings of a failed row. */
export type Result = {
  /** The faults and the load. */
  what: string
  /** The number of faults and of writes. */
  count: string
  criterion: string
  seen: string
  passed: boolean
}

/**
 * One fault against a running service. Several rows may share an id, such as one process and many; the id then runs all
 * of them.
 */
export type Row = {
  /** The id in docs/faults.md: F1 to F18. */
  id: string
  title: string
  /** Excluded from the short form because it takes long. */
  isLong?: boolean
  /** @throws when the row cannot produce a result; it has then failed. */
  run: (context: Context) => Promise<Result>
}

/** Collects findings while a row runs. Each kind is reported once, with its count. */
export function createFindings() {
  const counts = new Map<string, { first: string; times: number }>()
  return {
    /**
     * @param kind the kind of finding, always in the same words
     * @param detail of this occurrence
     */
    add(kind: string, detail = ''): void {
      const known = counts.get(kind)
      if (known) known.times++
      else counts.set(kind, { first: detail, times: 1 })
    },
    get any() {
      return counts.size > 0
    },
    /** Formats all findings in one line: the count and first detail of each kind. */
    text: () =>
      [...counts]
        .map(([kind, { first, times }]) => `${kind} (${times}x${first ? `, first: ${first.slice(0, 700)}` : ''})`)
        .join('; '),
  }
}
export type Findings = ReturnType<typeof createFindings>
