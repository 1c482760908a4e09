import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'
import { CairnError } from '../http/error.ts'
import { type FollowOptions, followRecord } from '../http/event-stream.ts'
import { formOf, formWith } from '../http/form-data.ts'
import { nameOf, sendResumable, type UploadOptions } from '../http/resumable-upload.ts'

/** Up to here a file is sent as a form, in one request; above it piece by piece. */
const FORM_BYTES = 512 * 1024
const asLongAsNeeded = { timeout: Number.POSITIVE_INFINITY }

/** Uploads, downloads and conversions. Open to all; with a session the file belongs to its user. */
export const files = (to: Connection) => ({
  /** Sends a file of any size. Large ones go piece by piece, survive breaks of the connection, and can be gone on with after a reload (`onBegun`, `resume`).
   * @throws CairnError when the service does not take the file */
  async upload(file: Blob, options: UploadOptions = {}): Promise<api.UploadResult & { fileId: number; url: string }> {
    const asForm = file.size <= FORM_BYTES && !options.resume
    const result = asForm ? await uploadForm(to, file, options) : await sendResumable(to, file, options)
    if (result.fileId === null || result.url === null) throw new CairnError(400, result.message)
    return { ...result, fileId: result.fileId, url: result.url }
  },
  /** Sends a file straight to where the service keeps files, when that has addresses of its own (S3); else to the service.
   * @returns its address, and its id once it is there */
  async uploadDirect(
    file: Blob,
    { fileName, contentType = file.type, ...call }: CallOptions & { fileName?: string; contentType?: string } = {},
  ): Promise<{ url: string; fileId: number }> {
    const body = { fileName: nameOf(file, fileName), contentType, fileSize: file.size, direct: true }
    const { uploadUrl, headers, url, fileId } = await to.post<api.PostApiUploadPresignedData, api.PresignAnswer>(
      '/api/upload/presigned',
      { body },
      call,
    )
    // A signed address is good for one PUT: a second would be refused, so it is sent a single time.
    const sending = { method: 'PUT', url: uploadUrl, headers, body: file, anonymous: true, repeatable: false }
    await to.send(sending, { ...asLongAsNeeded, ...call }, (response) => response.text())
    return { url, fileId }
  },
  /** An address to put a file to, for a program of yours that sends it. */
  presign: (body: api.PresignBodyInput, call?: CallOptions) =>
    to.post<api.PostApiUploadPresignedData, api.PresignAnswer>('/api/upload/presigned', { body }, call),
  /** A signed address to download from, for an address of this service's files. */
  async downloadUrl(url: string, call?: CallOptions): Promise<string> {
    const answer = await to.get<api.GetApiDownloadData, api.DownloadAnswer>('/api/download', { query: { url } }, call)
    return answer.downloadUrl
  },
  /** Uploads a file and converts it to USDZ if it is a GLB. `convertedFile` is absent as long as that takes: see `convert`. */
  uploadAndConvert: (file: Blob, { fileName, ...call }: CallOptions & { fileName?: string } = {}) =>
    to.post<api.PostApiUploadConvertData, api.ConvertAnswer>(
      '/api/upload/convert',
      { body: formWith('file', file, nameOf(file, fileName)) },
      { ...asLongAsNeeded, ...call },
    ),
  /** The USDZ of a GLB that was uploaded; waits until it is made. */
  convert: (fileId: number, call?: CallOptions) =>
    to.post<api.PostApiUploadByFileIdConvertedFileData, api.ConvertedFileAnswer>(
      '/api/upload/{fileId}/converted_file',
      { path: { fileId } },
      { timeout: 150_000, ...call },
    ),
  /** How far a conversion is. */
  conversion: (fileId: number, call?: CallOptions) =>
    to.get<api.GetApiUploadConvertData, api.ConvertAnswer>('/api/upload/convert', { query: { fileId } }, call),
  /** The conversion now and after each change, until there is a USDZ or there will be none. */
  followConversion: (fileId: number, options?: FollowOptions) =>
    followRecord<api.ConvertAnswer>(to, { url: '/api/upload/{fileId}/stream', path: { fileId } }, options),
  /** The files that the user sent, newest first. */
  list: (query?: api.GetApiV1UserFilesData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1UserFilesData, api.UserFileList, api.UserFile>(
      '/api/v1/user/files',
      { query },
      ({ files }) => files,
      call,
    ),
  /** One of them, with what its conversion noted. */
  get: (fileId: number, call?: CallOptions) =>
    to.get<api.GetApiV1UserFilesByFileIdData, api.UserFileDetail>(
      '/api/v1/user/files/{fileId}',
      { path: { fileId } },
      call,
    ),
  /** @throws CairnError 409 while a record shows it */
  delete: (fileId: number, call?: CallOptions) =>
    to.delete<api.DeleteApiV1UserFilesByFileIdData>('/api/v1/user/files/{fileId}', { path: { fileId } }, call),
  /** A photo by which a device finds out where it is. */
  uploadRelocalizationPhoto: (file: Blob, call?: CallOptions) =>
    to.post<api.PostApiUploadRelocalizationData, api.RelocalizationAnswer>(
      '/api/upload/relocalization',
      { body: formOf({ file }) },
      { ...asLongAsNeeded, ...call },
    ),
})

async function uploadForm(to: Connection, file: Blob, { fileName, onProgress, ...call }: UploadOptions) {
  onProgress?.({ sent: 0, total: file.size })
  const answer = await to.post<api.PostApiUploadData, api.UploadAnswer>(
    '/api/upload',
    { body: formWith('file', file, nameOf(file, fileName)) },
    { ...asLongAsNeeded, ...call },
  )
  onProgress?.({ sent: file.size, total: file.size })
  return answer.results[0]!
}
