import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'
import { CairnError } from '../http/error.ts'
import { type FollowOptions, followRecord } from '../http/event-stream.ts'
import { toFileForm, toFormData } from '../http/form-data.ts'
import { nameOf, sendResumable, type UploadOptions } from '../http/resumable-upload.ts'

/** Files up to this size are sent in one request, larger ones in chunks. */
const FORM_BYTES = 512 * 1024
type ConversionOptions = NonNullable<api.ConvertFileData['query']>
const noTimeout = { timeout: Number.POSITIVE_INFINITY }

/** Uploads, downloads and conversions. No credentials required; with a session, files belong to its user. */
export const files = (to: Connection) => ({
  /** Uploads a file of any size. Large files are sent in chunks, survive connection failures, and can be resumed after a reload (`onBegun`, `resume`). @throws CairnError if the service rejects the file */
  async upload(file: Blob, options: UploadOptions = {}): Promise<api.UploadResult & { fileId: number; url: string }> {
    const asForm = file.size <= FORM_BYTES && !options.resume
    const result = asForm ? await uploadForm(to, file, options) : await sendResumable(to, file, options)
    if (result.fileId === null || result.url === null) throw new CairnError(400, result.message)
    return { ...result, fileId: result.fileId, url: result.url }
  },
  /** Uploads a file directly to object storage (S3) if the service uses it, otherwise to the service. @returns its URL and ID */
  async uploadDirect(
    file: Blob,
    { fileName, contentType = file.type, ...call }: CallOptions & { fileName?: string; contentType?: string } = {},
  ): Promise<{ url: string; fileId: number }> {
    const body = { fileName: nameOf(file, fileName), contentType, fileSize: file.size, direct: true }
    const { uploadUrl, headers, url, fileId } = await to.post<api.CreatePresignedUploadData, api.PresignAnswer>(
      '/api/upload/presigned',
      { body },
      call,
    )
    // A signed URL accepts one PUT, so it is not retried.
    const request = { method: 'PUT', url: uploadUrl, headers, body: file, anonymous: true, repeatable: false }
    await to.send(request, { ...noTimeout, ...call }, (response) => response.text())
    return { url, fileId }
  },
  /** A URL for a PUT by another program. */
  presign: (body: api.PresignBodyInput, call?: CallOptions) =>
    to.post<api.CreatePresignedUploadData, api.PresignAnswer>('/api/upload/presigned', { body }, call),
  /** A signed download URL for a file URL of this service. */
  async downloadUrl(url: string, call?: CallOptions): Promise<string> {
    const answer = await to.get<api.GetDownloadUrlData, api.DownloadAnswer>('/api/download', { query: { url } }, call)
    return answer.downloadUrl
  },
  /** Uploads a file, and converts it to USDZ if it is a GLB, PLY, OBJ or STL; with `format: 'glb'` it must be a USDZ, which is converted to GLB. `convertedFile` is missing while the conversion runs; see `convert`. */
  uploadAndConvert: (
    file: Blob,
    { fileName, options: query, ...call }: CallOptions & { fileName?: string; options?: ConversionOptions } = {},
  ) =>
    to.post<api.UploadAndConvertData, api.ConvertAnswer>(
      '/api/upload/convert',
      { query, body: toFileForm('file', file, nameOf(file, fileName)) },
      { ...noTimeout, ...call },
    ),
  /** Converts an uploaded model to USDZ, or with `format: 'glb'` a USDZ to GLB, and waits for the result. @throws CairnError 409 if its content was converted with too many sets of options */
  convert: (fileId: number, { options: query, ...call }: CallOptions & { options?: ConversionOptions } = {}) =>
    to.post<api.ConvertFileData, api.ConvertedFileAnswer>(
      '/api/upload/{fileId}/converted_file',
      { path: { fileId }, query },
      { timeout: 150_000, ...call },
    ),
  /** The status of a conversion. */
  conversion: (fileId: number, { options, ...call }: CallOptions & { options?: ConversionOptions } = {}) =>
    to.get<api.GetConversionData, api.ConvertAnswer>('/api/upload/convert', { query: { ...options, fileId } }, call),
  /** Yields the conversion now and after each change, until it succeeds or fails. */
  followConversion: (fileId: number, { options, ...follow }: FollowOptions & { options?: ConversionOptions } = {}) =>
    followRecord<api.ConvertAnswer>(
      to,
      { url: '/api/upload/{fileId}/stream', path: { fileId }, ...(options && { query: async () => options }) },
      follow,
    ),
  /** The user's files, newest first. */
  list: (query?: api.ListFilesData['query'], call?: CallOptions) =>
    to.list<api.ListFilesData, api.UserFileList, api.UserFile>(
      '/api/v1/user/files',
      { query },
      ({ files }) => files,
      call,
    ),
  /** One of the user's files, with its conversion report. */
  get: (fileId: number, call?: CallOptions) =>
    to.get<api.GetFileData, api.UserFileDetail>('/api/v1/user/files/{fileId}', { path: { fileId } }, call),
  /** @throws CairnError 409 while a record uses the file */
  delete: (fileId: number, call?: CallOptions) =>
    to.delete<api.DeleteFileData>('/api/v1/user/files/{fileId}', { path: { fileId } }, call),
  /** The AprilTags of a relocalization photo. @param url as the upload or a pin has it */
  relocalizationPhoto: (url: string, call?: CallOptions) =>
    to.get<api.GetRelocalizationPhotoData, api.RelocalizationPhoto>(
      '/api/upload/relocalization',
      { query: { url } },
      call,
    ),
  /** Uploads a photo for visual relocalization of a device. */
  uploadRelocalizationPhoto: (file: Blob, call?: CallOptions) =>
    to.post<api.UploadRelocalizationPhotoData, api.RelocalizationAnswer>(
      '/api/upload/relocalization',
      { body: toFormData({ file }) },
      { ...noTimeout, ...call },
    ),
})

async function uploadForm(to: Connection, file: Blob, { fileName, onProgress, ...call }: UploadOptions) {
  onProgress?.({ sent: 0, total: file.size })
  const answer = await to.post<api.UploadFilesData, api.UploadAnswer>(
    '/api/upload',
    { body: toFileForm('file', file, nameOf(file, fileName)) },
    { ...noTimeout, ...call },
  )
  onProgress?.({ sent: file.size, total: file.size })
  return answer.results[0]!
}
