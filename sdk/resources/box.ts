import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** Health of this installation. Readable by ops; admins can retry jobs. */
export const box = (to: Connection) => ({
  health: (call?: CallOptions) => to.get<api.GetHealthData, api.BoxHealth>('/api/v1/box/health', {}, call),
  /** Newest first, for 90 days after they ended. */
  alerts: (query?: api.ListBoxAlertsData['query'], call?: CallOptions) =>
    to.list<api.ListBoxAlertsData, api.BoxAlertList, api.BoxAlert>(
      '/api/v1/box/alerts',
      { query },
      ({ alerts }) => alerts,
      call,
    ),
  /** Failed, running and waiting jobs, newest first. */
  jobs: (query?: api.ListJobsData['query'], call?: CallOptions) =>
    to.list<api.ListJobsData, api.BoxJobList, api.BoxJob>('/api/v1/box/jobs', { query }, ({ jobs }) => jobs, call),
  /** Retries a failed job. @throws CairnError 409 with the operation to use instead */
  retryJob: (queue: string, id: string, call?: CallOptions) =>
    to.post<api.RetryJobData, void>('/api/v1/box/jobs/{queue}/{id}/retry', { path: { queue, id } }, call),
  /** What the console's maps draw below pins and zones. */
  basemap: (call?: CallOptions) => to.get<api.GetBasemapData, api.Basemap>('/api/v1/box/basemap', {}, call),
  /** Chooses the basemap of the console, for pages that are opened afterwards. */
  setBasemap: (body: api.SetBasemapData['body'], call?: CallOptions) =>
    to.put<api.SetBasemapData, api.Basemap>('/api/v1/box/basemap', { body }, call),
  /** Copies an uploaded PMTiles archive into the data folder, in place of the one before. @throws CairnError 400 if it cannot be drawn */
  replaceBasemapArchive: (fileId: number, call?: CallOptions) =>
    to.put<api.ReplaceBasemapArchiveData, api.Basemap>('/api/v1/box/basemap/archive', { body: { fileId } }, call),
  /** Deletes the archive of the basemap. @throws CairnError 404 if there is none */
  deleteBasemapArchive: (call?: CallOptions) =>
    to.delete<api.DeleteBasemapArchiveData, void>('/api/v1/box/basemap/archive', {}, call),
  /** The current limits. */
  limits: (call?: CallOptions) => to.get<api.ListLimitsData, api.BoxLimitList>('/api/v1/box/limits', {}, call),
})
