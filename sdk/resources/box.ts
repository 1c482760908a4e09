import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** How the installation fares: for ops to see, for admins to mend. */
export const box = (to: Connection) => ({
  health: (call?: CallOptions) => to.get<api.GetApiV1BoxHealthData, api.BoxHealth>('/api/v1/box/health', {}, call),
  /** Jobs that failed, run or wait; newest first. */
  jobs: (query?: api.GetApiV1BoxJobsData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1BoxJobsData, api.BoxJobList, api.BoxJob>(
      '/api/v1/box/jobs',
      { query },
      ({ jobs }) => jobs,
      call,
    ),
  /** Does a job again that failed. @throws CairnError 409 that names what to use instead */
  retryJob: (queue: string, id: string, call?: CallOptions) =>
    to.post<api.PostApiV1BoxJobsByQueueByIdRetryData, void>(
      '/api/v1/box/jobs/{queue}/{id}/retry',
      { path: { queue, id } },
      call,
    ),
  /** The limits and sizes in effect. */
  limits: (call?: CallOptions) => to.get<api.GetApiV1BoxLimitsData, api.BoxLimitList>('/api/v1/box/limits', {}, call),
})
