import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** Seasons: leaderboards of a period. Requires the app key. Read them with `season` in `leaderboards.get` and `entries`. */
export const seasons = (to: Connection) => ({
  /** The latest start first. */
  list: (query?: api.ListSeasonsData['query'], call?: CallOptions) =>
    to.list<api.ListSeasonsData, api.SeasonList, api.Season>(
      '/api/v1/apps/seasons',
      { query },
      ({ seasons }) => seasons,
      call,
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetSeasonData, api.Season>('/api/v1/apps/seasons/{id}', { path: { id } }, call),
  create: (body: api.NewSeasonInput, call?: CallOptions) =>
    to.post<api.CreateSeasonData, api.Season>('/api/v1/apps/seasons', { body }, call),
  /** @throws CairnError 409 once it has ended */
  update: (id: string, body: api.SeasonChangeInput, call?: CallOptions) =>
    to.patch<api.UpdateSeasonData, api.Season>('/api/v1/apps/seasons/{id}', { path: { id }, body }, call),
  /** Deletes the season with its leaderboard. */
  delete: (id: string, call?: CallOptions) =>
    to.delete<api.DeleteSeasonData>('/api/v1/apps/seasons/{id}', { path: { id } }, call),
  /** Corrects the leaderboard of an ended season by what was corrected since. Requires a session of the app's owner. */
  recount: (id: string, appId: string, call?: CallOptions) =>
    to.post<api.RecountSeasonData, api.SeasonRecount>(
      '/api/v1/apps/seasons/{id}/recount',
      { path: { id }, query: { appId } },
      call,
    ),
  /** The whole leaderboard as CSV. */
  export: (id: string, call?: CallOptions) =>
    to.blob<api.ExportSeasonData>('/api/v1/apps/seasons/{id}/export', { path: { id } }, call),
})
