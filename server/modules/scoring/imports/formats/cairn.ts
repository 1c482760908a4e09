import { type Entry, type Fields, fieldsOf, type ScoreFormat } from './format.ts'

/** The names of each column, without case and separators. */
const NAMES = {
  name: ['playername', 'playerdisplayname', 'displayname', 'name', 'player'],
  playerId: ['playerid'],
  score: ['score', 'playerscore'],
  at: ['achievedat'],
}

/** Reads entries with these members; undefined if they name no score or no player. */
function reader(
  columns: Iterable<string>,
  plain: (value: unknown) => unknown,
): ((fields: Fields) => Entry) | undefined {
  const known = new Map([...columns].map((column) => [column.toLowerCase().replace(/[\s_.-]/g, ''), column]))
  const column = (names: string[]) => names.map((name) => known.get(name)).find((found) => found !== undefined)
  const [name, playerId, score, at] = [NAMES.name, NAMES.playerId, NAMES.score, NAMES.at].map(column)
  if (score === undefined || (name === undefined && playerId === undefined)) return undefined
  const value = (fields: Fields, of: string | undefined) => (of === undefined ? undefined : fields[of])
  return (fields) => ({
    name: plain(value(fields, name)),
    playerId: value(fields, playerId),
    score: plain(value(fields, score)),
    at: value(fields, at),
  })
}

/** Exports put `'` before cells that begin like a formula (OWASP, CSV injection). */
const withoutGuard = (cell: unknown) =>
  typeof cell === 'string' ? cell.replace(/^'(?=[=+\-@\t\r＝＋－＠])/, '') : cell

/** The columns that docs/import-scores.md describes, the CSV of a season, and the JSON of a leaderboard. */
export const cairn: ScoreFormat = {
  name: 'cairn',
  table: (columns) => reader(columns, withoutGuard),
  document(document) {
    const entries = Array.isArray(document) ? document : fieldsOf(document).leaderboard
    if (!Array.isArray(entries)) return undefined
    if (entries.length === 0) return { entries, entry: () => ({ score: undefined }) }
    // Members may be missing in some entries.
    const columns = new Set(entries.slice(0, 100).flatMap((one) => Object.keys(fieldsOf(one))))
    const entry = reader(columns, (value) => value)
    return entry && { entries, entry }
  },
}
