import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** The kinds of games an app has, each with a leaderboard of its own. With the app's key. */
export const miniGameTypes = (to: Connection) => ({
  /** By name. `hidden: true`: the hidden ones, and those alone. */
  list: (query?: api.GetApiV1AppsMiniGameTypesData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1AppsMiniGameTypesData, api.MiniGameTypeList, api.MiniGameType>(
      '/api/v1/apps/mini-game-types',
      { query },
      ({ miniGameTypes }) => miniGameTypes,
      call,
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetApiV1AppsMiniGameTypesByIdData, api.MiniGameType>(
      '/api/v1/apps/mini-game-types/{id}',
      { path: { id } },
      call,
    ),
  /** @throws CairnError 409 when the app has a type of that name */
  create: (body: api.NewMiniGameTypeInput, call?: CallOptions) =>
    to.post<api.PostApiV1AppsMiniGameTypesData, api.MiniGameType>('/api/v1/apps/mini-game-types', { body }, call),
  update: (id: string, body: api.MiniGameTypeChangeInput, call?: CallOptions) =>
    to.patch<api.PatchApiV1AppsMiniGameTypesByIdData, api.MiniGameType>(
      '/api/v1/apps/mini-game-types/{id}',
      { path: { id }, body },
      call,
    ),
  /** Hides the type and frees its name; its sessions and scores stay. */
  delete: (id: string, call?: CallOptions) =>
    to.delete<api.DeleteApiV1AppsMiniGameTypesByIdData>('/api/v1/apps/mini-game-types/{id}', { path: { id } }, call),
  /** Shows a hidden type again. @throws CairnError 409 while another type has its name */
  restore: (id: string, call?: CallOptions) =>
    to.post<api.PostApiV1AppsMiniGameTypesByIdRestoreData, api.MiniGameType>(
      '/api/v1/apps/mini-game-types/{id}/restore',
      { path: { id } },
      call,
    ),
})

/** Rounds of games, who plays in them, and their scores. With the app's key. */
export const gameSessions = (to: Connection) => ({
  /** Newest first. `search` is found in names. */
  list: (query?: api.GetApiV1AppsGameSessionsData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1AppsGameSessionsData, api.GameSessionList, api.GameSession>(
      '/api/v1/apps/game-sessions',
      { query },
      ({ gameSessions }) => gameSessions,
      call,
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetApiV1AppsGameSessionsByIdData, api.GameSession>(
      '/api/v1/apps/game-sessions/{id}',
      { path: { id } },
      call,
    ),
  create: (body: api.NewGameSessionInput = {}, call?: CallOptions) =>
    to.post<api.PostApiV1AppsGameSessionsData, api.GameSession>('/api/v1/apps/game-sessions', { body }, call),
  update: (id: string, body: api.GameSessionChangeInput, call?: CallOptions) =>
    to.patch<api.PatchApiV1AppsGameSessionsByIdData, api.GameSession>(
      '/api/v1/apps/game-sessions/{id}',
      { path: { id }, body },
      call,
    ),
  /** Removes the session with its scores. */
  delete: (id: string, call?: CallOptions) =>
    to.delete<api.DeleteApiV1AppsGameSessionsByIdData>('/api/v1/apps/game-sessions/{id}', { path: { id } }, call),
  /** Who plays, in the order they joined. */
  players: (id: string, query?: api.GetApiV1AppsGameSessionsByIdPlayersData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1AppsGameSessionsByIdPlayersData, api.GameSessionPlayerList, api.GameSessionPlayer>(
      '/api/v1/apps/game-sessions/{id}/players',
      { path: { id }, query },
      ({ players }) => players,
      call,
    ),
  player: (id: string, playerId: string, call?: CallOptions) =>
    to.get<api.GetApiV1AppsGameSessionsByIdPlayersByPlayerIdData, api.GameSessionPlayer>(
      '/api/v1/apps/game-sessions/{id}/players/{playerId}',
      { path: { id, playerId } },
      call,
    ),
  /** Registers a player; a second time changes nothing. */
  join: (id: string, playerId: string, call?: CallOptions) =>
    to.post<api.PostApiV1AppsGameSessionsByIdPlayersData, api.GameSessionPlayer>(
      '/api/v1/apps/game-sessions/{id}/players',
      { path: { id }, body: { playerId } },
      call,
    ),
  /** Takes a player out, with its score. */
  leave: (id: string, playerId: string, call?: CallOptions) =>
    to.delete<api.DeleteApiV1AppsGameSessionsByIdPlayersByPlayerIdData>(
      '/api/v1/apps/game-sessions/{id}/players/{playerId}',
      { path: { id, playerId } },
      call,
    ),
  setScore: (id: string, playerId: string, score: number, call?: CallOptions) =>
    to.patch<api.PatchApiV1AppsGameSessionsByIdPlayersByPlayerIdData, api.GameSessionPlayer>(
      '/api/v1/apps/game-sessions/{id}/players/{playerId}',
      { path: { id, playerId }, body: { score } },
      call,
    ),
  /** Scores of up to 1,000 players, all or nothing. */
  setScores: (id: string, scores: api.ScoreBatchInput['scores'], call?: CallOptions) =>
    to.post<api.PostApiV1AppsGameSessionsByIdScoresData, api.GameSessionPlayerList>(
      '/api/v1/apps/game-sessions/{id}/scores',
      { path: { id }, body: { scores } },
      call,
    ),
})
