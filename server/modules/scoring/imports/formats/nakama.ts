import { bareList, type Entry, type Fields, fieldsOf, listOf, type ScoreFormat } from './format.ts'

const entry = (fields: Fields): Entry => ({
  name: fields.username === undefined || fields.username === '' ? fields.owner_id : fields.username,
  sourceId: fields.owner_id,
  score: fields.score,
  at: fields.update_time,
  board: fields.leaderboard_id,
  lost: Number(fields.subscore ?? 0) === 0 ? undefined : 'subscores, which break ties in Nakama',
})

/**
 * Leaderboard records of Nakama: `records` of `GET /v2/leaderboard/{id}`, and the table `leaderboard_record` as CSV with
 * a header. Source: `LeaderboardRecord` in api/api.proto of heroiclabs/nakama-common, and
 * migrate/sql/20180103142001_initial_schema.sql of heroiclabs/nakama.
 */
export const nakama: ScoreFormat = {
  name: 'nakama',
  table: (columns) => (columns.has('owner_id') && columns.has('score') ? entry : undefined),
  document(document) {
    const entries = listOf(fieldsOf(document).records, 'owner_id') ?? bareList(document, 'owner_id')
    // JSON of protocol buffers leaves out members that are 0.
    return entries && { entries, entry: (fields) => entry({ score: 0, ...fields }) }
  },
}
