import type { Growth } from './growth.ts'

/** When some operations were measured again after the others, and which tables were filled for it, apart by commas; none: all. */
export type Again = { at: string; commit: string; tables: string }

/** What is kept, with operations of a later run of the same sizes in place of the earlier ones, and new ones behind them: a whole run takes most of an hour. */
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

/** A sentence on each such run. */
export function whatWasAgain(operations: Growth['operations']): string {
  const runs = Map.groupBy(
    operations.filter((one) => one.again),
    ({ again }) =>
      `${again!.at.slice(0, 16)} (${again!.commit})${again!.tables && `, with ${again!.tables.replaceAll(',', ', ')} filled alone`}`,
  )
  return [...runs]
    .map(([run, some]) => `Measured again ${run}: ${some.map(({ name }) => name).join('; ')}.\n`)
    .join('\n')
}
