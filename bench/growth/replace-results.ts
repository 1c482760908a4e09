import type { Growth } from './growth.ts'

/** A later measurement of some operations, and the tables filled for it (comma-separated; empty: all). */
export type Again = { at: string; commit: string; tables: string }

/**
 * Replaces operations in stored results by those of a later run with the same sizes, and appends new ones: a whole run
 * takes most of an hour.
 */
export function replaceResults<Kept extends Growth>(kept: Kept, found: Growth, again: Again): Kept {
  const later = new Map(found.operations.map((one) => [one.name, { ...one, again }]))
  const names = new Set(kept.operations.map(({ name }) => name))
  const added = [...later.values()].filter(({ name }) => !names.has(name))
  const filled = Object.entries(found.bytes).filter(
    ([table]) => again.tables.split(',').includes(table) || again.tables === '',
  )
  const bytes = { ...kept.bytes, ...Object.fromEntries(filled) }
  return { ...kept, bytes, operations: [...kept.operations.map((one) => later.get(one.name) ?? one), ...added] }
}

/** Returns a sentence for each such run. */
export function describeRemeasured(operations: Growth['operations']): string {
  const runs = Map.groupBy(
    operations.filter((one) => one.again),
    ({ again }) =>
      `${again!.at.slice(0, 16)} (${again!.commit})${again!.tables && `, with ${again!.tables.replaceAll(',', ', ')} filled alone`}`,
  )
  return [...runs]
    .map(([run, some]) => `Measured again ${run}: ${some.map(({ name }) => name).join('; ')}.\n`)
    .join('\n')
}
