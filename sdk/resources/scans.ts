import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'
import { type FollowOptions, followRecord } from '../http/event-stream.ts'
import { Pages } from '../http/pagination.ts'

type NewScan = Omit<api.NewScanInput, 'file'>
type ListQuery = { page?: number; limit?: number }

/** Captured things: made of an uploaded file, looked into by the service. With a session. */
export const scans = (to: Connection) => ({
  /** The user's own, newest first unless `sort` says otherwise. */
  list: (query: NonNullable<api.GetApiV1UserScansData['query']> = {}, call?: CallOptions) =>
    numbered(query, (query) => to.get<api.GetApiV1UserScansData, api.ScanList>('/api/v1/user/scans', { query }, call)),
  /** Everybody's public ones, newest first. With an app's key. */
  listPublic: (query: ListQuery = {}, call?: CallOptions) =>
    numbered(query, (query) =>
      to.get<api.GetApiV1ScansPublicScansData, api.ScanList>('/api/v1/scans/public-scans', { query }, call),
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetApiV1UserScansByIdData, api.Scan>('/api/v1/user/scans/{id}', { path: { id } }, call),
  /** Makes a scan of a file that was uploaded before (`files.upload`). It is private unless told. */
  create: (body: NewScan & { fileId: number }, call?: CallOptions) =>
    to.post<api.PostApiV1UserScansData, api.Scan>('/api/v1/user/scans', { body }, call),
  update: (id: string, body: api.ScanChangeInput, call?: CallOptions) =>
    to.patch<api.PatchApiV1UserScansByIdData, api.Scan>('/api/v1/user/scans/{id}', { path: { id }, body }, call),
  /** Removes the scan with its file, unless something else shows that. */
  delete: (id: string, call?: CallOptions) =>
    to.delete<api.DeleteApiV1UserScansByIdData>('/api/v1/user/scans/{id}', { path: { id } }, call),
  /** Looks into a scan again that FAILED. */
  retry: (id: string, call?: CallOptions) =>
    to.post<api.PostApiV1UserScansByIdRetryData, api.Scan>('/api/v1/user/scans/{id}/retry', { path: { id } }, call),
  /** The scan now and after each change, until it is looked into and a GLB has its USDZ. */
  follow: (id: string, options?: FollowOptions) =>
    followRecord<api.Scan>(to, { url: '/api/v1/user/scans/{id}/stream', path: { id } }, options),
})

/** A list whose pages have numbers. */
function numbered<Query extends ListQuery>(query: Query, load: (query: Query) => Promise<api.ScanList>) {
  return new Pages<api.Scan>(async (from) => {
    const { scans, pagination } = await load(from ? { ...query, page: Number(from) } : query)
    const { page, total, totalPages } = pagination
    return { items: scans, total, next: page < totalPages ? String(page + 1) : null }
  })
}
