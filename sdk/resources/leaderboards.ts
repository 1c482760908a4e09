import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'
import { type FollowOptions, follow } from '../http/event-stream.ts'
import { boardAfter } from './leaderboard-changes.ts'

type Choice = NonNullable<api.PostApiV1AppsLeaderboardsStreamTokenData['body']>

/** Boards of the best, with an app's key. `miniGameTypeId` or `miniGameTypeName` choose one; neither is the default game. */
export const leaderboards = (to: Connection) => ({
  /** The top of every board: the default game, then types by name. */
  all: (query?: api.GetApiV1AppsLeaderboardsData['query'], call?: CallOptions) =>
    to.get<api.GetApiV1AppsLeaderboardsData, api.GlobalLeaderboard>('/api/v1/apps/leaderboards', { query }, call),
  get: (query?: api.GetApiV1AppsLeaderboardsMiniGameData['query'], call?: CallOptions) =>
    to.get<api.GetApiV1AppsLeaderboardsMiniGameData, api.MiniGameLeaderboard>(
      '/api/v1/apps/leaderboards/mini-game',
      { query },
      call,
    ),
  /** A whole board, entry by entry. */
  entries: (query?: api.GetApiV1AppsLeaderboardsMiniGameData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1AppsLeaderboardsMiniGameData, api.MiniGameLeaderboard, api.LeaderboardEntry>(
      '/api/v1/apps/leaderboards/mini-game',
      { query },
      ({ leaderboard }) => leaderboard,
      call,
    ),
  /** The board of one game session, entry by entry. */
  ofSession: (id: string, query?: api.GetApiV1AppsGameSessionsByIdLeaderboardData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1AppsGameSessionsByIdLeaderboardData, api.MiniGameLeaderboard, api.LeaderboardEntry>(
      '/api/v1/apps/game-sessions/{id}/leaderboard',
      { path: { id }, query },
      ({ leaderboard }) => leaderboard,
      call,
    ),
  /** What lets a browser follow one board for a minute, without the app's key. For the game's server to give. */
  streamToken: (body: Choice = {}, call?: CallOptions) =>
    to.postOnce<api.PostApiV1AppsLeaderboardsStreamTokenData, api.StreamToken>(
      '/api/v1/apps/leaderboards/stream-token',
      { body },
      call,
    ),
  /** A board as it changes: the whole board at once, and again after each change, without an end.
   * With the app's key, or with `token`, which is called for each connection and gives a token of `streamToken`. */
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
      board = boardAfter(board ?? { miniGameTypeId: null, miniGameTypeName: null, leaderboard: [] }, event)
      yield board
    }
  },
})
