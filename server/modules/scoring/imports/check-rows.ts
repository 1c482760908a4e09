import { isId } from '../../../platform/ids.ts'
import { foldName } from '../../../platform/names.ts'
import { chosenName } from '../../../platform/schema.ts'
import type { MiniGameType } from '../schema.ts'
import { MOST_SUMMAND } from '../scores/hidden-changes.ts'
import type { FileRow } from './read-file.ts'
import type { ImportedRow } from './schema.ts'
import { type Fault, readMoment, readScore } from './values.ts'

export type Refused = Pick<ImportedRow, 'status' | 'code' | 'message'>

/** A row of the file. `refused` is set once it is known that it will not be applied, and why. */
export type Row = {
  row: number
  line: number | null
  /** As in the file, for the report. */
  shownPlayer: string | null
  /** Lower case. Undefined if the file has none. */
  playerId?: string | undefined
  displayName?: string | undefined
  nameKey?: string | undefined
  score: number
  /** Orders equal scores. */
  at: string
  /** Whether `at` is when the score was reached, and not only the order of the file. */
  isDated: boolean
  refused?: Refused | undefined
}

export type Board = {
  ascending: boolean
  mode: MiniGameType['scoreMode']
  minScore: number | null
  maxScore: number | null
}

/** @param type none: the default game */
export function boardOf(type: MiniGameType | undefined): Board {
  const most = type?.scoreMode === 'sum' ? MOST_SUMMAND : Infinity
  const bounds = [Math.max(type?.minScore ?? -Infinity, -most), Math.min(type?.maxScore ?? Infinity, most)]
  const [minScore, maxScore] = bounds.map((bound) => (Number.isFinite(bound) ? bound : null)) as [number, number]
  return { ascending: type?.sortOrder === 'asc', mode: type?.scoreMode ?? 'best', minScore, maxScore }
}

const failed = (code: string, message: string): Refused => ({ status: 'failed', code, message })
const skipped = (code: string, message: string): Refused => ({ status: 'skipped', code, message })
const isFault = (value: unknown): value is Fault => typeof value === 'object'
const asText = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

/** Whether the database can store a text. */
const isText = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Checks the values of a row. @param fallback the time of a row without one */
export function checkRow(found: FileRow, board: Board, wanted: string | undefined, now: number, fallback: string): Row {
  const [name, id] = [asText(found.name), asText(found.playerId)?.trim()]
  const row: Row = {
    row: found.row,
    line: found.line,
    shownPlayer: (name?.trim() || id || '').slice(0, 255) || null,
    score: 0,
    at: fallback,
    isDated: false,
  }
  const refuse = (refused: Refused): Row => ({ ...row, refused })
  if (wanted !== undefined && asText(found.board) !== wanted)
    return refuse(skipped('other_board', `The row belongs to the board "${asText(found.board) ?? ''}"`))
  if (found.hidden !== undefined) return refuse(skipped('hidden', found.hidden))

  if (id && isId(id)) row.playerId = id.toLowerCase()
  if (name !== undefined && name.trim() !== '') {
    const chosen = chosenName.safeParse(name)
    if (chosen.success && isText(chosen.data)) {
      row.displayName = chosen.data
      row.nameKey = foldName(chosen.data)
    } else if (!row.playerId)
      return refuse(
        failed(
          'name_invalid',
          'A name has 1 to 255 characters, one of them visible, and none that is invisible, a control character or changes the direction of text',
        ),
      )
  }
  if (!row.playerId && !row.nameKey)
    return refuse(
      id
        ? failed('player_unknown', `This app has no player with the ID ${id.slice(0, 60)}`)
        : failed('player_missing', 'The row names no player'),
    )

  const score = readScore(found.score)
  if (isFault(score)) return refuse(failed(score.code, score.message))
  if (score < (board.minScore ?? -Infinity) || score > (board.maxScore ?? Infinity)) return refuse(outOfBounds(board))
  const at = readMoment(found.at, now)
  if (isFault(at)) return refuse(failed(at.code, at.message))
  row.score = score
  row.isDated = at !== undefined
  row.at = at ?? fallback
  return row
}

export const outOfBounds = ({ minScore, maxScore }: Board): Refused =>
  failed(
    'score_out_of_bounds',
    `The score must lie between ${minScore ?? 'any minimum'} and ${maxScore ?? 'any maximum'}`,
  )
export const notBetter = ({ mode }: Board): Refused =>
  mode === 'best'
    ? skipped('not_better', 'The best score of the player is at least as good')
    : skipped('has_score', `The player has a score already, and the scoreMode of the mini game type is ${mode}`)
export const unknownPlayer = (name: string | null): Refused =>
  failed('player_unknown', `This app has no player "${name}": create it, or set createPlayers`)
export const bannedPlayer = (): Refused => failed('player_banned', 'The player is banned')
export const notWritten = (message: string): Refused => failed('not_written', message)

/** Fails the rows of a player whose name an earlier row gives to another player of the file. */
export function refuseSharedNames(rows: Row[], found: FileRow[]): void {
  const owners = new Map<string, { id: string; row: number }>()
  rows.forEach((row, i) => {
    const id = asText(found[i]!.sourceId)
    if (row.refused || !row.nameKey || id === undefined || id === '') return
    const owner = owners.get(row.nameKey)
    if (!owner) owners.set(row.nameKey, { id, row: row.row })
    else if (owner.id !== id)
      row.refused = failed('name_shared', `Row ${owner.row} has another player of this name: rename one of them`)
  })
}

type Reached = Pick<Row, 'score' | 'at'>

/** Whether a score is better than another, or as good and earlier. */
const isBetter = ({ ascending }: Board, one: Reached, other: Reached): boolean =>
  one.score === other.score ? one.at < other.at : one.score < other.score === ascending

/** Whether a row is better than the best of its player, or dated, as good and earlier. Only a best is replaced. import_scores decides the same. */
export const improves = (board: Board, row: Row, best: Reached): boolean =>
  board.mode === 'best' && isBetter(board, row, best) && (row.isDated || row.score !== best.score)

/** Keeps the best row of each player. @param playerOf the key of a row's player */
export function refuseRepeats(rows: Row[], board: Board, playerOf: (row: Row) => string): void {
  const bests = new Map<string, Row>()
  for (const row of rows) {
    if (row.refused) continue
    const best = bests.get(playerOf(row))
    if (!best || isBetter(board, row, best)) bests.set(playerOf(row), row)
  }
  for (const row of rows) {
    const best = row.refused ? row : bests.get(playerOf(row))!
    if (best !== row) row.refused = skipped('other_row', `Row ${best.row} has the best score of this player`)
  }
}
