import { bareList, type Entry, type Fields, fieldsOf, listOf, type ScoreFormat } from './format.ts'

function ofRecord(fields: Fields): Entry {
  const { id, identifier } = fieldsOf(fields.playerAlias)
  const isDeleted = fields.deletedAt !== undefined && fields.deletedAt !== null
  return {
    name: identifier,
    sourceId: id,
    score: fields.score,
    at: fields.createdAt,
    board: fields.leaderboardInternalName,
    hidden: fields.hidden === true ? 'Talo hides this entry' : isDeleted ? 'This entry was deleted in Talo' : undefined,
  }
}

const ofRow = (cells: Fields): Entry => ({
  name: cells['playerAlias.identifier'],
  sourceId: cells['playerAlias.id'],
  score: cells.score,
  at: cells.createdAt,
  board: cells['leaderboard.internalName'],
})

/**
 * Leaderboard entries of Talo: `entries` of `GET /v1/leaderboards/{internalName}/entries`, and the leaderboard entries of
 * a data export as CSV. Source: `LeaderboardEntry.toJSON` in src/entities/leaderboard-entry.ts and the columns of the
 * data exporter, both in TaloDev/backend.
 */
export const talo: ScoreFormat = {
  name: 'talo',
  table: (columns) => (columns.has('playerAlias.identifier') && columns.has('score') ? ofRow : undefined),
  document(document) {
    const entries = listOf(fieldsOf(document).entries, 'playerAlias') ?? bareList(document, 'playerAlias')
    return entries && { entries, entry: ofRecord }
  },
}
