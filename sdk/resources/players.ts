import type * as api from '../generated/types.gen.ts'
import { type Conditions, conditionHeaders } from '../http/conditions.ts'
import type { CallOptions, Connection, Tagged } from '../http/connection.ts'
import { toFormData } from '../http/form-data.ts'

/** The players of an app. Require its key. */
export const players = (to: Connection) => ({
  /** Oldest first. `search` matches display names. */
  list: (query?: api.ListPlayersData['query'], call?: CallOptions) =>
    to.list<api.ListPlayersData, api.PlayerList, api.Player>(
      '/api/v1/apps/players',
      { query },
      ({ players }) => players,
      call,
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetPlayerData, api.Player>('/api/v1/apps/players/{id}', { path: { id } }, call),
  /** A player with one ranking per mini game they have scores in. */
  getWithRankings: (id: string, call?: CallOptions) =>
    to.get<api.GetPlayerData, api.PlayerWithGlobalRankings>(
      '/api/v1/apps/players/{id}',
      { path: { id }, query: { includeGlobalRankings: true } },
      call,
    ),
  /** @throws CairnError 409 if the name is taken */
  create: (body: api.CreatePlayerData['body'], call?: CallOptions) =>
    to.post<api.CreatePlayerData, api.CreatePlayerResponse>('/api/v1/apps/players', { body }, call),
  update: (id: string, body: api.PlayerUpdateInput, call?: CallOptions) =>
    to.patch<api.UpdatePlayerData, api.UpdatePlayerResponse>('/api/v1/apps/players/{id}', { path: { id }, body }, call),
  /** Deletes the player and their scores. */
  delete: (id: string, call?: CallOptions) =>
    to.delete<api.DeletePlayerData>('/api/v1/apps/players/{id}', { path: { id } }, call),
  /** A JPEG, PNG, GIF or WebP of at least 512 × 512 pixels, up to 5 MB. */
  setImage: (id: string, image: Blob, call?: CallOptions) =>
    to.patch<api.SetProfileImageData, api.SetProfileImageResponse>(
      '/api/v1/apps/players/{id}/profile-image',
      { path: { id }, body: toFormData({ image }) },
      call,
    ),
  removeImage: (id: string, call?: CallOptions) =>
    to.delete<api.DeleteProfileImageData, api.DeleteProfileImageResponse>(
      '/api/v1/apps/players/{id}/profile-image',
      { path: { id } },
      call,
    ),
  /** The player's rank in one mini game, or in the default game. @throws CairnError 404 without a ranking */
  ranking: (playerId: string, query?: api.GetPlayerRankingData['query'], call?: CallOptions) =>
    to.get<api.GetPlayerRankingData, api.PlayerRankingResponse>(
      '/api/v1/apps/players/{playerId}/global-ranking',
      { path: { playerId }, query },
      call,
    ),
  /** The player's scores, most recently joined session first. */
  scores: (playerId: string, query?: api.ListPlayerScoresData['query'], call?: CallOptions) =>
    to.list<api.ListPlayerScoresData, api.PlayerScoreList, api.PlayerScore>(
      '/api/v1/apps/players/{playerId}/scores',
      { path: { playerId }, query },
      ({ scores }) => scores,
      call,
    ),
  /** Everything that happened to the player, the newest first: sessions, scores, reviews, check-ins and changes. Requires a server key or a member. */
  timeline: (playerId: string, query?: api.ListPlayerTimelineData['query'], call?: CallOptions) =>
    to.list<api.ListPlayerTimelineData, api.Timeline, api.TimelineEntry>(
      '/api/v1/apps/players/{playerId}/timeline',
      { path: { playerId }, query },
      ({ timeline }) => timeline,
      call,
    ),
  /** Every score written for the player, the last first: current ones, and those replaced or removed since. */
  scoreHistory: (playerId: string, query?: api.ListScoreHistoryData['query'], call?: CallOptions) =>
    to.list<api.ListScoreHistoryData, api.PastScoreList, api.PastScore>(
      '/api/v1/apps/players/{playerId}/score-history',
      { path: { playerId }, query },
      ({ scoreHistory }) => scoreHistory,
      call,
    ),
})

/** JSON that a game keeps for a player, by key. Requires the app's key. */
export const playerData = (to: Connection) => ({
  /** The keys of a player in order, without their values. */
  keys: (playerId: string, query?: api.ListPlayerStorageKeysData['query'], call?: CallOptions) =>
    to.list<api.ListPlayerStorageKeysData, api.PlayerStorageKeyList, api.PlayerStorageKey>(
      '/api/v1/apps/players/{id}/storage',
      { path: { id: playerId }, query },
      ({ keys }) => keys,
      call,
    ),
  /** A value and its ETag. @throws CairnError 404 without the key */
  get: <Value = api.PlayerStorageValue>(playerId: string, key: string, call?: CallOptions): Promise<Tagged<Value>> =>
    to.tagged<api.GetPlayerStorageValueData, Value>(
      '/api/v1/apps/players/{id}/storage/{key}',
      { path: { id: playerId, key } },
      call,
    ),
  /** Replaces a value. With a condition it is sent once only. @throws CairnError 412 if the condition does not hold */
  set: (playerId: string, key: string, body: object, conditions: Conditions = {}, call?: CallOptions) =>
    to.put<api.SetPlayerStorageValueData, api.PlayerStorageKey>(
      '/api/v1/apps/players/{id}/storage/{key}',
      { path: { id: playerId, key }, body: body as api.PlayerStorageValueInput, ...conditionHeaders(conditions) },
      call,
    ),
  /** @throws CairnError 404 without the key, 412 if the condition does not hold */
  delete: (playerId: string, key: string, conditions: Conditions = {}, call?: CallOptions) =>
    to.delete<api.DeletePlayerStorageValueData>(
      '/api/v1/apps/players/{id}/storage/{key}',
      { path: { id: playerId, key }, ...conditionHeaders(conditions) },
      call,
    ),
})
