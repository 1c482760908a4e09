import type * as api from '../generated/types.gen.ts'
import { conditionHeaders, type IfMatch } from '../http/conditions.ts'
import type { CallOptions, Connection } from '../http/connection.ts'
import { type FollowOptions, followRecord } from '../http/event-stream.ts'
import { toFormData } from '../http/form-data.ts'
import { listFeatures } from './ogc-features.ts'

/** Ground control points, their photos and AprilTags. Reading is public, writing requires a session. */
export const gcps = (to: Connection) => ({
  /** Oldest first. */
  list: (query?: api.ListGcpsData['query'], call?: CallOptions) =>
    to.list<api.ListGcpsData, api.Gcp[], api.Gcp>('/api/gcp', { query }, (gcps) => gcps, call),
  get: (id: number, query?: api.GetGcpData['query'], call?: CallOptions) =>
    to.get<api.GetGcpData, api.Gcp>('/api/gcp/{id}', { path: { id }, query }, call),
  /** A control point and its ETag. */
  getTagged: (id: number, call?: CallOptions) =>
    to.tagged<api.GetGcpData, api.Gcp>('/api/gcp/{id}', { path: { id } }, call),
  /** Control points in a bounding box as GeoJSON, up to 10,000 per page, for maps. */
  features: (query: Parameters<typeof listFeatures>[2] = {}, call?: CallOptions) =>
    listFeatures(to, 'gcps', query, call),
  create: (body: api.NewGcpInput, call?: CallOptions) =>
    to.post<api.CreateGcpData, api.CreateGcpResponse>('/api/gcp', { body }, call),
  /** @throws CairnError 409 if a nearby point uses the AprilTag */
  update: (id: number, body: api.GcpChangeInput, call?: CallOptions) =>
    to.put<api.UpdateGcpData, api.UpdateGcpResponse>('/api/gcp/{id}', { path: { id }, body }, call),
  /** Updates a point if its ETag is still this one. It is sent once only. @returns the point and its new ETag @throws CairnError 412 otherwise */
  updateTagged: (id: number, body: api.GcpChangeInput, ifMatch: string, call?: CallOptions) =>
    to.putTagged<api.UpdateGcpData, api.UpdateGcpResponse>(
      '/api/gcp/{id}',
      { path: { id }, body, ...conditionHeaders({ ifMatch }) },
      call,
    ),
  /** @throws CairnError 412 if the condition does not hold */
  delete: (id: number, { ifMatch, ...call }: CallOptions & IfMatch = {}) =>
    to.delete<api.DeleteGcpData>('/api/gcp/{id}', { path: { id }, ...conditionHeaders({ ifMatch }) }, call),
  checkAprilTag: (query: api.CheckAprilTagData['query'], call?: CallOptions) =>
    to.get<api.CheckAprilTagData, api.AprilTagAnswer>('/api/gcp/check-april-tag', { query }, call),
  /** Pairs of nearby points with the same tag, nearest first. */
  tagConflicts: (query?: api.ListAprilTagConflictsData['query'], call?: CallOptions) =>
    to.get<api.ListAprilTagConflictsData, api.AprilTagConflictList>('/api/gcp/tag-conflicts', { query }, call),
  /** Uploads one to three photos. Without a GCP, assign them later by their `uploadedFileIds`. */
  uploadPhotos: (files: Blob[], fields: { gcpId?: number; userId?: string } = {}, call?: CallOptions) =>
    to.post<api.UploadGcpPhotosData, api.UploadGcpPhotosResponse>(
      '/api/upload/gcp-photos',
      { body: toFormData({ ...fields, files }) },
      call,
    ),
  photos: (gcpId: number, call?: CallOptions) =>
    to.get<api.ListGcpPhotosData, api.ListGcpPhotosResponse>('/api/upload/gcp-photos', { query: { gcpId } }, call),
  /** Computes the pose of a camera from the surveyed AprilTags in its image, which is not stored. */
  localize: (
    image: Blob,
    {
      camera,
      near,
      appId,
    }: { camera?: Camera; near?: { lat: number; lon: number; radius?: number }; appId?: string } = {},
    call?: CallOptions,
  ) =>
    to.post<api.LocalizeCameraData, api.Localization>(
      '/api/location/localize',
      {
        body: toFormData({
          image,
          ...(camera && { camera: JSON.stringify(camera) }),
          ...(near && { near: JSON.stringify(near) }),
          ...(appId && { appId }),
        }),
      },
      call,
    ),
  /** The same by the OSCP GeoPose Protocol. */
  geoPose: (body: api.LocateByGeoPoseProtocolData['body'], call?: CallOptions) =>
    to.post<api.LocateByGeoPoseProtocolData, api.GeoPoseResponse>('/geopose', { body }, call),
  /** A PDF of AprilTags to print. */
  tagSheet: (query: api.GetTagSheetData['query'], call?: CallOptions) =>
    to.blob<api.GetTagSheetData>('/api/v1/tags/sheet', { query }, call),
  removePhoto: (id: number, photoUrl: string, call?: CallOptions) =>
    to.delete<api.RemoveGcpPhotoData>('/api/gcp/{id}/remove-photo', { path: { id }, query: { photoUrl } }, call),
  /** Places the corners of the tag in a photo by hand: bottom left, bottom right, top right, top left. */
  setPhotoCorners: (id: number, photoId: number, body: api.PlacedCornersInput, call?: CallOptions) =>
    to.put<api.SetGcpPhotoCornersData, api.UploadedFile>(
      '/api/gcp/{id}/photos/{photoId}/corners',
      { path: { id, photoId }, body },
      call,
    ),
  /** The tags that the detector found count again. */
  removePhotoCorners: (id: number, photoId: number, call?: CallOptions) =>
    to.delete<api.RemoveGcpPhotoCornersData>('/api/gcp/{id}/photos/{photoId}/corners', { path: { id, photoId } }, call),
  /** Exports a zone's points as a file. Defaults to CSV. */
  export: (zoneId: number, query?: api.ExportGcpsData['query'], call?: CallOptions) =>
    to.blob<api.ExportGcpsData>('/api/gcp/zone/{zoneId}/export', { path: { zoneId }, query }, call),
})

/** In pixels, as OpenCV calibrates cameras: `distortion` is k1, k2, p1, p2, k3. */
type Camera = { fx: number; fy: number; cx: number; cy: number; distortion?: number[] }

type Finding = api.CsvUploadFindingList['findings'][number]
type CsvFiles = api.ListImportsResponse

/** Imports of survey files as ground control points. */
export const csvUploads = (to: Connection) => ({
  /** Imports an uploaded file. The record reports the progress. */
  create: (body: api.NewCsvUploadInput, query?: api.CreateImportData['query'], call?: CallOptions) =>
    to.post<api.CreateImportData, api.CsvUpload>('/api/gcp/upload', { body, query }, call),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetImportData, api.CsvUpload>('/api/gcp/upload/{id}', { path: { id } }, call),
  /** The result of each row. */
  report: (id: string, call?: CallOptions) =>
    to.get<api.GetImportReportData, api.CsvUploadReport>('/api/gcp/upload/{id}/report', { path: { id } }, call),
  /** The report without rows, except those about the whole file. Use `findings` to page through the others. */
  summary: (id: string, call?: CallOptions) =>
    to.get<api.GetImportReportData, api.CsvUploadReport>(
      '/api/gcp/upload/{id}/report',
      { path: { id }, query: { rows: 'file' } },
      call,
    ),
  /** Rows with errors or warnings, in file order. Filter by `status` or by `cause`, a code from the report. */
  findings: (id: string, query?: api.ListImportFindingsData['query'], call?: CallOptions) =>
    to.list<api.ListImportFindingsData, api.CsvUploadFindingList, Finding>(
      '/api/gcp/upload/{id}/findings',
      { path: { id }, query },
      ({ findings }) => findings,
      call,
    ),
  retry: (id: string, query?: api.RetryImportData['query'], call?: CallOptions) =>
    to.post<api.RetryImportData, api.CsvUpload>('/api/gcp/upload/{id}/retry', { path: { id }, query }, call),
  /** Yields the record now and after each change, until it is COMPLETED or FAILED. */
  follow: (id: string, options?: FollowOptions) =>
    followRecord<api.CsvUpload>(to, { url: '/api/gcp/upload/{id}/stream', path: { id } }, options),
  /** The imports of a zone, newest first. */
  ofZone: (zoneId: number, query?: api.ListImportsData['query'], call?: CallOptions) =>
    to.list<api.ListImportsData, CsvFiles, api.CsvUpload>(
      '/api/gcp/zone/{zoneId}',
      { path: { zoneId }, query },
      ({ csvFiles }) => csvFiles,
      call,
    ),
  /** Deletes the import and its file. `deleteGcps` also deletes the points it created that have not been changed since. */
  delete: (zoneId: number, csvUploadId: string, { deleteGcps }: { deleteGcps?: boolean } = {}, call?: CallOptions) =>
    to.delete<api.DeleteImportData>(
      '/api/gcp/zone/{zoneId}',
      { path: { zoneId }, query: { csvUploadId, deleteGcps } },
      call,
    ),
})
