import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'
import { type FollowOptions, followRecord } from '../http/event-stream.ts'
import { Pages } from '../http/pagination.ts'

type NewScan = Omit<api.NewScanInput, 'file'>
type ListQuery = { page?: number; limit?: number }

/** Scans: created from an uploaded file and processed by the service. Require a session. */
export const scans = (to: Connection) => ({
  /** The user's scans, newest first unless `sort` is given. */
  list: (query: NonNullable<api.ListScansData['query']> = {}, call?: CallOptions) =>
    numberedPages(query, (query) => to.get<api.ListScansData, api.ScanList>('/api/v1/user/scans', { query }, call)),
  /** All public scans, newest first. Requires an app key. */
  listPublic: (query: ListQuery = {}, call?: CallOptions) =>
    numberedPages(query, (query) =>
      to.get<api.ListPublicScansData, api.ScanList>('/api/v1/scans/public-scans', { query }, call),
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetScanData, api.Scan>('/api/v1/user/scans/{id}', { path: { id } }, call),
  /** Creates a scan from an uploaded file (`files.upload`). Private by default. */
  create: (body: NewScan & { fileId: number }, call?: CallOptions) =>
    to.post<api.CreateScanData, api.Scan>('/api/v1/user/scans', { body }, call),
  update: (id: string, body: api.ScanChangeInput, call?: CallOptions) =>
    to.patch<api.UpdateScanData, api.Scan>('/api/v1/user/scans/{id}', { path: { id }, body }, call),
  /** Deletes the scan, and its file unless another record uses it. */
  delete: (id: string, call?: CallOptions) =>
    to.delete<api.DeleteScanData>('/api/v1/user/scans/{id}', { path: { id } }, call),
  /** Retries a FAILED scan. */
  retry: (id: string, call?: CallOptions) =>
    to.post<api.RetryScanData, api.Scan>('/api/v1/user/scans/{id}/retry', { path: { id } }, call),
  /** Yields the scan now and after each change, until it is processed and a GLB is converted. */
  follow: (id: string, options?: FollowOptions) =>
    followRecord<api.Scan>(to, { url: '/api/v1/user/scans/{id}/stream', path: { id } }, options),
})

/** A list with numberedPages pages. */
function numberedPages<Query extends ListQuery>(query: Query, load: (query: Query) => Promise<api.ScanList>) {
  return new Pages<api.Scan>(async (from) => {
    const { scans, pagination } = await load(from ? { ...query, page: Number(from) } : query)
    const { page, total, totalPages } = pagination
    return { items: scans, total, next: page < totalPages ? String(page + 1) : null }
  })
}
