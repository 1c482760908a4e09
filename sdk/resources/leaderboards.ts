import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'
import { type FollowOptions, follow } from '../http/event-stream.ts'
import { toFormData } from '../http/form-data.ts'
import { applyLeaderboardEvent } from './leaderboard-changes.ts'

type Choice = NonNullable<api.CreateStreamTokenData['body']>

/** Leaderboards. Require an app key. Select one with `miniGameTypeId` or `miniGameTypeName`; the default game without either. */
export const leaderboards = (to: Connection) => ({
  /** The top of every leaderboard: the default game, then mini games by name. */
  all: (query?: api.ListLeaderboardsData['query'], call?: CallOptions) =>
    to.get<api.ListLeaderboardsData, api.GlobalLeaderboard>('/api/v1/apps/leaderboards', { query }, call),
  get: (query?: api.GetLeaderboardData['query'], call?: CallOptions) =>
    to.get<api.GetLeaderboardData, api.MiniGameLeaderboard>('/api/v1/apps/leaderboards/mini-game', { query }, call),
  /** All entries of a leaderboard. */
  entries: (query?: api.GetLeaderboardData['query'], call?: CallOptions) =>
    to.list<api.GetLeaderboardData, api.MiniGameLeaderboard, api.LeaderboardEntry>(
      '/api/v1/apps/leaderboards/mini-game',
      { query },
      ({ leaderboard }) => leaderboard,
      call,
    ),
  /** All entries of a session's leaderboard. */
  ofSession: (id: string, query?: api.GetSessionLeaderboardData['query'], call?: CallOptions) =>
    to.list<api.GetSessionLeaderboardData, api.MiniGameLeaderboard, api.LeaderboardEntry>(
      '/api/v1/apps/game-sessions/{id}/leaderboard',
      { path: { id }, query },
      ({ leaderboard }) => leaderboard,
      call,
    ),
  /** Imports scores from a CSV or JSON file of this service, PlayFab, Nakama or Talo; with `dryRun`, only says what that would do. */
  importScores: (file: Blob, query?: api.ImportLeaderboardData['query'], call?: CallOptions) =>
    to.post<api.ImportLeaderboardData, api.LeaderboardImportReport>(
      '/api/v1/apps/leaderboards/import',
      { query, body: toFormData({ file }) },
      call,
    ),
  /** A token that lets a browser follow one leaderboard for a minute without the app key. Create it on the game's server. */
  streamToken: (body: Choice = {}, call?: CallOptions) =>
    to.postOnce<api.CreateStreamTokenData, api.StreamToken>('/api/v1/apps/leaderboards/stream-token', { body }, call),
  /** Yields a leaderboard now and after each change, without end. Requires the app key, or `token`, which is called for each connection and returns a token from `streamToken`. */
  async *follow(
    { token, ...query }: Choice & { limit?: number; token?: () => Promise<string> } = {},
    options?: FollowOptions,
  ): AsyncGenerator<api.MiniGameLeaderboard, void, undefined> {
    let board: api.MiniGameLeaderboard | undefined
    const { limit } = query
    const stream = {
      url: '/api/v1/apps/leaderboards/stream',
      anonymous: token !== undefined,
      query: token ? async () => ({ token: await token(), limit }) : () => query,
    }
    for await (const event of follow(to, stream, options)) {
      board = applyLeaderboardEvent(board ?? { miniGameTypeId: null, miniGameTypeName: null, leaderboard: [] }, event)
      yield board
    }
  },
})
