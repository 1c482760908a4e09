import type { Row } from './check-rows.ts'
import type { FileRow } from './read-file.ts'
import type { ImportQuery, ImportReport } from './schema.ts'

type Parts = {
  query: ImportQuery
  format: ImportReport['format']
  found: FileRow[]
  rows: Row[]
  typeId: string | undefined
  gameSessionId: string | null
  playersCreated: number
}

/** What became of the rows of a file. */
export function reportOf({ query, format, found, rows, typeId, gameSessionId, playersCreated }: Parts): ImportReport {
  const refused = rows.flatMap(({ row, line, shownPlayer, refused }) =>
    refused ? [{ row, line, player: shownPlayer, ...refused }] : [],
  )
  const failed = refused.filter(({ status }) => status === 'failed').length
  const lost = new Map<string, number>()
  for (const { lost: what } of found) if (what !== undefined) lost.set(what, (lost.get(what) ?? 0) + 1)
  return {
    dryRun: query.dryRun,
    format,
    gameSessionId,
    miniGameTypeId: typeId ?? null,
    summary: {
      rows: rows.length,
      applied: rows.length - refused.length,
      skipped: refused.length - failed,
      failed,
      playersCreated,
    },
    notices: [...lost].map(
      ([what, count]) => `${count} ${count === 1 ? 'row has' : 'rows have'} ${what}: equal scores share a rank here`,
    ),
    rows: refused,
  }
}
