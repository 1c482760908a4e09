import type { Growth } from './growth.ts'

/** When some operations were measured again after the others, and which tables were filled for it. */
export type Again = { at: string; commit: string; tables: string }

/** What was found, with operations of a later run in place of the earlier ones: a whole run takes most of an hour. @throws when that was of other sizes */
export function putAgain<Kept extends Growth>(kept: Kept, found: Growth, again: Again): Kept {
  if (kept.rows.join() !== found.rows.join()) throw new Error(`Kept are ${kept.rows}, measured again ${found.rows}`)
  const later = new Map(found.operations.map((one) => [one.name, { ...one, again }]))
  return { ...kept, operations: kept.operations.map((one) => later.get(one.name) ?? one) }
}

/** A sentence on each such run. */
export function whatWasAgain(operations: Growth['operations']): string {
  const runs = Map.groupBy(
    operations.filter((one) => one.again),
    ({ again }) =>
      `${again!.at.slice(0, 16)} (${again!.commit}), with ${again!.tables.replaceAll(',', ', ')} filled alone`,
  )
  return [...runs]
    .map(([run, some]) => `Measured again ${run}: ${some.map(({ name }) => name).join('; ')}.\n`)
    .join('\n')
}
