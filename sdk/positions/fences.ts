import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'
import { type FollowOptions, followRecord } from '../http/event-stream.ts'
import { type WatchOptions, watchPositions } from './watch.ts'

/** An event at a fence, as streams have it. */
export type FollowedFenceEvent = api.FenceEvent & { playerId: string }

/** Places that players enter and leave, and check-ins there. Requires the app key; with a client key, listed fences are read. */
export const fences = (to: Connection) => {
  const report = (fixes: api.PositionFixInput[], call?: CallOptions) =>
    to.post<api.ReportPositionsData, api.PositionsAnswer>('/api/v1/apps/positions', { body: { fixes } }, call)
  return {
    /** Oldest first. */
    list: (query?: api.ListFencesData['query'], call?: CallOptions) =>
      to.list<api.ListFencesData, api.FenceList, api.Fence>(
        '/api/v1/apps/fences',
        { query },
        ({ fences }) => fences,
        call,
      ),
    get: (id: string, call?: CallOptions) =>
      to.get<api.GetFenceData, api.Fence>('/api/v1/apps/fences/{id}', { path: { id } }, call),
    create: (body: api.NewFenceInput, call?: CallOptions) =>
      to.post<api.CreateFenceData, api.Fence>('/api/v1/apps/fences', { body }, call),
    update: (id: string, body: api.FenceChangeInput, call?: CallOptions) =>
      to.patch<api.UpdateFenceData, api.Fence>('/api/v1/apps/fences/{id}', { path: { id }, body }, call),
    /** Deletes the fence with its check-ins; scores stay. */
    delete: (id: string, call?: CallOptions) =>
      to.delete<api.DeleteFenceData>('/api/v1/apps/fences/{id}', { path: { id } }, call),
    /** Positions of the player whose token is beside the key. @returns what they have shown at fences */
    report,
    /** Watches the position of the device, in a browser, and reports it in batches until it is stopped. */
    watch: (options?: WatchOptions) => watchPositions(report, options),
    /** What a walk would report at the fences, and how check-ins on it would be judged. Writes nothing. */
    simulate: (fixes: api.NewFenceSimulationInput['fixes'], call?: CallOptions) =>
      to.post<api.SimulateWalkData, api.FenceSimulation>('/api/v1/apps/fences/simulate', { body: { fixes } }, call),
    /** Yields what all players do at the app's fences, without end. Requires a server key, or the session of a member. */
    follow: (options?: FollowOptions) =>
      followRecord<FollowedFenceEvent>(to, { url: '/api/v1/apps/fences/stream' }, options),
    /** Yields what the player whose token is beside the key does at fences, on any device, without end. */
    followOwn: (options?: FollowOptions) =>
      followRecord<FollowedFenceEvent>(to, { url: '/api/v1/apps/positions/stream' }, options),
    settings: (call?: CallOptions) =>
      to.get<api.GetPositionSettingsData, api.PositionSettings>('/api/v1/apps/positions/settings', {}, call),
    setSettings: (body: api.NewPositionSettingsInput, call?: CallOptions) =>
      to.put<api.SetPositionSettingsData, api.PositionSettings>('/api/v1/apps/positions/settings', { body }, call),
    /**
     * Checks the player whose token is beside the key in. The state says whether it was accepted. `proof` is that of a
     * localization at most five minutes old.
     */
    checkIn: (
      fenceId: string,
      fix: api.PositionFixInput,
      { proof, ...call }: CallOptions & { proof?: string | null } = {},
    ) =>
      to.post<api.CheckInData, api.CheckInAnswer>(
        '/api/v1/apps/check-ins',
        { body: { fenceId, fix, proof: proof ?? undefined } },
        call,
      ),
    /** Newest first. */
    checkIns: (query?: api.ListCheckInsData['query'], call?: CallOptions) =>
      to.list<api.ListCheckInsData, api.CheckInList, api.CheckIn>(
        '/api/v1/apps/check-ins',
        { query },
        ({ checkIns }) => checkIns,
        call,
      ),
    /** Exact counts of the accepted check-ins of at most 366 days, by fence. */
    countCheckIns: (query?: api.CountCheckInsData['query'], call?: CallOptions) =>
      to.get<api.CountCheckInsData, api.CheckInCounts>('/api/v1/apps/check-ins/counts', { query }, call),
    getCheckIn: (id: string, call?: CallOptions) =>
      to.get<api.GetCheckInData, api.CheckIn>('/api/v1/apps/check-ins/{id}', { path: { id } }, call),
    /** @throws CairnError 409 if the check-in is not held */
    review: (id: string, body: api.CheckInReviewInput, call?: CallOptions) =>
      to.post<api.ReviewCheckInData, api.CheckIn>('/api/v1/apps/check-ins/{id}/review', { path: { id }, body }, call),
  }
}
