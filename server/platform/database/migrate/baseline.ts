import { createHash } from 'node:crypto'

/** Names of applied migrations, with the checksums of their texts. */
export type History = ReadonlyMap<string, string>

/** The last migration of the baseline, which creates a new database. Every later migration only expands. */
export const BASELINE_ENDS = '0025_webhook_deliveries.sql'

/**
 * The migrations that the baseline replaced. A database that has all of them equals one made by the baseline.
 * Remove this after 2027-06-30, with {@link asBaseline}: nothing was released before the baseline.
 */
export const FORMER = {
  first: '0001_platform.sql',
  last: '0060_rows_of_strangers.sql',
  /** SHA-256 of their list as sha256sum(1) prints it, ordered by name. */
  digest: 'd3ca1b0d8cf219c1b6565e102cf7d66af92c8468aba2edec4af5c7b7802209f1',
}

export const LACKS_BASELINE = `This database is from before the baseline of migrations, and lacks migrations that the baseline includes: start the last release that has ${FORMER.last} on it once, then this one`

/**
 * Translates the history of a database from before the baseline: the baseline takes the place of the migrations it replaced.
 * @param known the migrations of this release
 * @returns the same history if it is from after the baseline; undefined if some of the former migrations are missing or changed
 */
export function asBaseline(applied: History, known: { name: string; checksum: string }[]): History | undefined {
  if (!applied.has(FORMER.first)) return applied
  const names = new Set(known.map(({ name }) => name))
  const former = [...applied].filter(([name]) => !names.has(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const list = former.map(([name, checksum]) => `${checksum}  ${name}\n`).join('')
  if (createHash('sha256').update(list).digest('hex') !== FORMER.digest) return undefined
  const baseline = known
    .filter(({ name }) => name <= BASELINE_ENDS)
    .map(({ name, checksum }) => [name, checksum] as const)
  return new Map([...baseline, ...[...applied].filter(([name]) => names.has(name))])
}
