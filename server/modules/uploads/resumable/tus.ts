import { randomBytes } from 'node:crypto'
import { type DataStore, ERRORS, type Locker, Server } from '@tus/server'
import { HttpError } from '../../../platform/errors.ts'
import type { NewFile } from '../../files/schema.ts'
import type { ResumableService, UploadCaller } from './resumable-service.ts'

export const TUS_VERSION = '1.0.0'
const TUS_PATH = '/api/upload/tus'

/** How long a request may continue once another one waits for its upload. */
const DRAIN_MS = 1000

type Deps = {
  datastore: DataStore
  locker: Locker
  service: Pick<ResumableService, 'begin' | 'finish'>
  publicUrl: () => string
  /** The URL of a file. */
  addressOf: (key: string) => string
}

/** A request of the protocol, already parsed. */
export type TusRequest = {
  method: string
  /** ID of its upload. */
  id?: string
  headers: Record<string, string>
  body: AsyncIterable<Uint8Array> | undefined
  caller: UploadCaller
  /** Bytes of the largest file that this caller may send. */
  maxBytes: number
}

export type Tus = ReturnType<typeof createTus>

/** The tus protocol, version 1.0.0 (https://tus.io/protocols/resumable-upload). */
export function createTus({ datastore, locker, service, publicUrl, addressOf }: Deps) {
  const asked = new WeakMap<object, TusRequest>()
  const server = new Server({
    path: TUS_PATH,
    datastore,
    locker,
    lockDrainTimeout: DRAIN_MS,
    disableTerminationForFinishedUploads: true,
    generateUrl: (_request, { id }) => `${publicUrl()}${TUS_PATH}/${id}`,
    getFileIdFromRequest: (request) => asked.get(request)!.id,
    namingFunction: () => randomBytes(16).toString('base64url'),
    maxSize: (request) => asked.get(request)!.maxBytes,
    onUploadCreate: async (request, { id, size, metadata }) => {
      await service.begin(id, { size: size ?? null, metadata: metadata ?? null }, asked.get(request)!.caller)
      return {}
    },
    onUploadFinish: async (_request, { id }) => {
      const file = await service.finish(id)
      return { headers: file ? fileHeaders(file, addressOf) : {} }
    },
    onResponseError: (_request, error) => {
      throw faultOf(error)
    },
  })

  return {
    extensions: datastore.extensions.join(','),

    /** @returns the response @throws HttpError */
    async answer(request: TusRequest): Promise<{ status: number; headers: Record<string, string> }> {
      const { method, id = '', headers, body } = request
      const init = { method, headers, body: body && ReadableStream.from(body), duplex: 'half' }
      const web = new Request(`http://localhost${TUS_PATH}/${id}`, init as RequestInit)
      asked.set(web, request)
      const response = await server.handleWeb(web as Parameters<typeof server.handleWeb>[0])
      if (response.status >= 400) throw new HttpError(response.status, sentenceOf(await response.text()))
      const answers = [...response.headers].filter(([name]) =>
        /^(upload-|location$|cache-control$|connection$)/.test(name),
      )
      return { status: response.status, headers: Object.fromEntries(answers) }
    },
  }
}

/** The response headers with the file that an upload has become. */
export const fileHeaders = ({ id, key }: NewFile, addressOf: (key: string) => string) => ({
  'upload-file-id': String(id),
  'upload-file-url': addressOf(key),
})

const METADATA = 'Upload-Metadata must be pairs of a name and a Base64 value, separated by commas'
const TOO_MUCH = 'This is more than Upload-Length stated, or more than one upload can have'

const REFUSALS = new Map<object, [status: number, sentence: string]>([
  [ERRORS.MISSING_OFFSET, [400, 'Send the header Upload-Offset with the current offset, which HEAD returns']],
  [ERRORS.INVALID_CONTENT_TYPE, [415, 'Send the bytes as application/offset+octet-stream']],
  [ERRORS.FILE_NOT_FOUND, [404, 'Upload not found']],
  [ERRORS.FILE_NO_LONGER_EXISTS, [410, 'This upload has expired: create a new one']],
  [ERRORS.INVALID_OFFSET, [409, 'Upload-Offset is not the current offset: get it with HEAD, and resume from there']],
  [ERRORS.ERR_SIZE_EXCEEDED, [413, TOO_MUCH]],
  [
    ERRORS.ERR_MAX_SIZE_EXCEEDED,
    [413, 'The file is too large: Tus-Max-Size has the limit with a session or an app key'],
  ],
  [ERRORS.INVALID_LENGTH, [400, 'Send either Upload-Length, in bytes, or Upload-Defer-Length: 1']],
  [ERRORS.INVALID_METADATA, [400, METADATA]],
  [ERRORS.INVALID_TERMINATION, [409, 'This upload is finished and has become a file']],
  [ERRORS.ERR_LOCK_TIMEOUT, [409, 'Another request for this upload is in progress: try again in a moment']],
  [ERRORS.ABORTED, [400, 'The upload was interrupted: get the offset with HEAD, and resume from there']],
  [ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION, [400, 'Parallel parts are not supported: send one upload']],
])

function faultOf(error: Error | { status_code: number; body: string }): unknown {
  const [status, sentence] = REFUSALS.get(error) ?? []
  if (status) return new HttpError(status, sentence!)
  if ('status_code' in error) return new HttpError(error.status_code as number, sentenceOf(error.body as string))
  return error
}

/** What an invalid header must be, if the library's error does not say so. */
const HEADERS: Record<string, string> = {
  'upload-length': 'Upload-Length must be the size of the file in bytes, as a whole number',
  'upload-offset': 'Upload-Offset must be the number of bytes received, as a whole number: get it with HEAD',
  'upload-defer-length': 'Upload-Defer-Length can only be 1: the length follows later',
  'upload-metadata': METADATA,
}

/** Expands the library's terse errors. */
function sentenceOf(text: string): string {
  const [, header] = /^Invalid ([\w-]+)/.exec(text) ?? []
  return HEADERS[header ?? ''] ?? (text === ERRORS.ERR_MAX_SIZE_EXCEEDED.body ? TOO_MUCH : text.trim())
}
