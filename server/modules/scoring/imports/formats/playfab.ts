import { bareList, type Entry, type Fields, fieldsOf, listOf, type ScoreFormat } from './format.ts'

const nameOr = (name: unknown, id: unknown) => (name === undefined || name === null || name === '' ? id : name)

const ofPlayer = (fields: Fields): Entry => ({
  name: nameOr(fields.DisplayName, fields.PlayFabId),
  sourceId: fields.PlayFabId,
  score: fields.StatValue,
  board: fields.StatisticName,
})

function ofEntity(fields: Fields): Entry {
  const { Id } = fieldsOf(fields.Entity)
  const scores = Array.isArray(fields.Scores) ? (fields.Scores as unknown[]) : []
  return {
    name: nameOr(fields.DisplayName, Id),
    sourceId: Id,
    score: scores[0],
    at: fields.LastUpdated,
    lost: scores.length > 1 ? 'scores after the first, which break ties in PlayFab' : undefined,
  }
}

/**
 * Leaderboards of PlayFab: `Leaderboard` of GetLeaderboard (PlayerLeaderboardEntry) and `Rankings` of the newer
 * Leaderboards API (EntityLeaderboardEntry), with or without the `data` around them; a CSV has the members of
 * PlayerLeaderboardEntry as columns. Source: the API reference of PlayFab.
 */
export const playfab: ScoreFormat = {
  name: 'playfab',
  table: (columns) => (columns.has('PlayFabId') && columns.has('StatValue') ? ofPlayer : undefined),
  document(document) {
    const whole = fieldsOf(document)
    const data = 'data' in whole ? fieldsOf(whole.data) : whole
    const players = listOf(data.Leaderboard, 'PlayFabId', 'StatValue') ?? bareList(document, 'PlayFabId', 'StatValue')
    if (players) return { entries: players, entry: ofPlayer }
    const entities = listOf(data.Rankings, 'Entity', 'Scores')
    return entities && { entries: entities, entry: ofEntity }
  },
}
