import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** The mini games of an app, each with its own leaderboard. Requires the app key. */
export const miniGameTypes = (to: Connection) => ({
  /** Sorted by name. `hidden: true` lists only hidden ones. */
  list: (query?: api.ListMiniGameTypesData['query'], call?: CallOptions) =>
    to.list<api.ListMiniGameTypesData, api.MiniGameTypeList, api.MiniGameType>(
      '/api/v1/apps/mini-game-types',
      { query },
      ({ miniGameTypes }) => miniGameTypes,
      call,
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetMiniGameTypeData, api.MiniGameType>('/api/v1/apps/mini-game-types/{id}', { path: { id } }, call),
  /** @throws CairnError 409 if the name is taken */
  create: (body: api.NewMiniGameTypeInput, call?: CallOptions) =>
    to.post<api.CreateMiniGameTypeData, api.MiniGameType>('/api/v1/apps/mini-game-types', { body }, call),
  update: (id: string, body: api.MiniGameTypeChangeInput, call?: CallOptions) =>
    to.patch<api.UpdateMiniGameTypeData, api.MiniGameType>(
      '/api/v1/apps/mini-game-types/{id}',
      { path: { id }, body },
      call,
    ),
  /** Hides the mini game and frees its name. Its sessions and scores stay. */
  delete: (id: string, call?: CallOptions) =>
    to.delete<api.HideMiniGameTypeData>('/api/v1/apps/mini-game-types/{id}', { path: { id } }, call),
  /** Shows a hidden mini game again. @throws CairnError 409 if its name is taken */
  restore: (id: string, call?: CallOptions) =>
    to.post<api.RestoreMiniGameTypeData, api.MiniGameType>(
      '/api/v1/apps/mini-game-types/{id}/restore',
      { path: { id } },
      call,
    ),
})

/** Scores that broke a rule of their mini game. Requires a server key. */
export const reviews = (to: Connection) => ({
  /** Newest first. */
  list: (query?: api.ListReviewsData['query'], call?: CallOptions) =>
    to.list<api.ListReviewsData, api.ReviewList, api.Review>(
      '/api/v1/apps/reviews',
      { query },
      ({ reviews: held }) => held,
      call,
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetReviewData, api.Review>('/api/v1/apps/reviews/{id}', { path: { id } }, call),
  /** Accepts or rejects a held score. @throws CairnError 409 if the decision is no longer possible */
  decide: (id: string, body: api.ReviewDecisionInput, call?: CallOptions) =>
    to.post<api.DecideReviewData, api.Review>('/api/v1/apps/reviews/{id}', { path: { id }, body }, call),
})

/** Game sessions, their players and scores. Requires the app key. */
export const gameSessions = (to: Connection) => ({
  /** Newest first. `search` matches names. */
  list: (query?: api.ListGameSessionsData['query'], call?: CallOptions) =>
    to.list<api.ListGameSessionsData, api.GameSessionList, api.GameSession>(
      '/api/v1/apps/game-sessions',
      { query },
      ({ gameSessions }) => gameSessions,
      call,
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetGameSessionData, api.GameSession>('/api/v1/apps/game-sessions/{id}', { path: { id } }, call),
  create: (body: api.NewGameSessionInput = {}, call?: CallOptions) =>
    to.post<api.CreateGameSessionData, api.GameSession>('/api/v1/apps/game-sessions', { body }, call),
  update: (id: string, body: api.GameSessionChangeInput, call?: CallOptions) =>
    to.patch<api.UpdateGameSessionData, api.GameSession>(
      '/api/v1/apps/game-sessions/{id}',
      { path: { id }, body },
      call,
    ),
  /** Deletes the session and its scores. */
  delete: (id: string, call?: CallOptions) =>
    to.delete<api.DeleteGameSessionData>('/api/v1/apps/game-sessions/{id}', { path: { id } }, call),
  /** The players in the order they joined. */
  players: (id: string, query?: api.ListSessionPlayersData['query'], call?: CallOptions) =>
    to.list<api.ListSessionPlayersData, api.GameSessionPlayerList, api.GameSessionPlayer>(
      '/api/v1/apps/game-sessions/{id}/players',
      { path: { id }, query },
      ({ players }) => players,
      call,
    ),
  player: (id: string, playerId: string, call?: CallOptions) =>
    to.get<api.GetSessionPlayerData, api.GameSessionPlayer>(
      '/api/v1/apps/game-sessions/{id}/players/{playerId}',
      { path: { id, playerId } },
      call,
    ),
  /** Adds a player. Adding a player again has no effect. */
  join: (id: string, playerId: string, call?: CallOptions) =>
    to.post<api.RegisterPlayerData, api.GameSessionPlayer>(
      '/api/v1/apps/game-sessions/{id}/players',
      { path: { id }, body: { playerId } },
      call,
    ),
  /** Removes a player and their score. */
  leave: (id: string, playerId: string, call?: CallOptions) =>
    to.delete<api.RemoveSessionPlayerData>(
      '/api/v1/apps/game-sessions/{id}/players/{playerId}',
      { path: { id, playerId } },
      call,
    ),
  /** Sets a score. With metadata, send both: `{ score, metadata }`. If it breaks a rule of the mini game, it is held: the result has `state: 'held'`. */
  setScore: (id: string, playerId: string, score: number | api.ScoreChangeInput, call?: CallOptions) =>
    to.patch<api.SetScoreData, api.GameSessionPlayer>(
      '/api/v1/apps/game-sessions/{id}/players/{playerId}',
      { path: { id, playerId }, body: typeof score === 'number' ? { score } : score },
      call,
    ),
  /** Replaces a score in a session of any state. The audit log records it. */
  correctScore: (id: string, playerId: string, score: number | api.ScoreChangeInput, call?: CallOptions) =>
    to.post<api.CorrectScoreData, api.GameSessionPlayer>(
      '/api/v1/apps/game-sessions/{id}/players/{playerId}/correction',
      { path: { id, playerId }, body: typeof score === 'number' ? { score } : score },
      call,
    ),
  /** Sets the scores of up to 1,000 players, all or none. */
  setScores: (id: string, scores: api.ScoreBatchInput['scores'], call?: CallOptions) =>
    to.post<api.SetScoresData, api.GameSessionPlayerList>(
      '/api/v1/apps/game-sessions/{id}/scores',
      { path: { id }, body: { scores } },
      call,
    ),
})
