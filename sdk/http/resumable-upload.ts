import type { ResumableState, UploadResult } from '../generated/types.gen.ts'
import type { CallOptions, Connection, OutgoingRequest } from './connection.ts'
import { CairnError, errorOf } from './error.ts'
import { pause, waitAfter } from './retry.ts'

export type Progress = { sent: number; total: number }

export type UploadOptions = CallOptions & {
  /** Display name. Defaults to the name of a `File`. */
  fileName?: string
  onProgress?: (progress: Progress) => void
  /** Resumes an upload: the URL passed to `onBegun`. Starts over if the service no longer has it. */
  resume?: string | null
  /** Called with the upload's URL before the first byte is sent. Store it to resume after a reload. */
  onBegun?: (address: string) => void
}

const TUS = { 'tus-resumable': '1.0.0' }
const [SMALLEST, LARGEST] = [256 * 1024, 16 * 1024 * 1024]

/** Uploads a file in chunks (tus 1.0.0). After a failure it asks for the offset and resumes. It gives up after as many failures without progress as `retry.attempts`. Chunk sizes adapt to about half a second each. @throws CairnError; the abort reason if `signal` aborts, after which `resume` continues */
export async function sendResumable(
  connection: Connection,
  file: Blob,
  { fileName, onProgress, resume, onBegun, signal }: UploadOptions,
): Promise<UploadResult> {
  const total = file.size
  let address = resume ?? null
  let offset: number | null = null
  let size = SMALLEST
  let failures = 0

  const reportProgress = (sent: number) => onProgress?.({ sent, total })
  const ask = async (request: Omit<OutgoingRequest, 'repeatable'>) => {
    const response = await connection.open({ repeatable: false, ...request }, signal)
    if (!response.ok) throw errorOf(response, await response.text())
    return response
  }

  for (;;) {
    try {
      if (address === null) {
        address = await begin(ask, total, nameOf(file, fileName))
        onBegun?.(address)
        offset = 0
      }
      offset ??= offsetOf(await ask({ method: 'HEAD', url: address, headers: TUS }))
      reportProgress(offset)
      while (offset < total) {
        const startedAt = performance.now()
        const headers = { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
        const body = file.slice(offset, offset + size)
        offset = offsetOf(await ask({ method: 'PATCH', url: address, headers, body }))
        failures = 0
        reportProgress(offset)
        size = nextSize(size, performance.now() - startedAt)
      }
      const { result } = (await (await ask({ method: 'GET', url: address })).json()) as ResumableState
      if (!result) throw new CairnError(0, 'The upload is there in full, and has not become a file')
      return result
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (!(error instanceof CairnError)) throw error
      const isForgotten = address !== null && [404, 410].includes(error.status)
      const isTransient = [0, 408, 409, 423, 429, 500, 502, 503, 504].includes(error.status)
      if ((!isForgotten && !isTransient) || ++failures >= connection.plan.attempts) throw error
      if (isForgotten) address = null
      offset = null
      size = SMALLEST
      await pause(waitAfter(failures, connection.plan, error.retryAfter), signal)
    }
  }
}

/** @returns the path of the upload. The service's own URL may differ from the one used to reach it. */
async function begin(
  ask: (request: Omit<OutgoingRequest, 'repeatable'>) => Promise<Response>,
  total: number,
  fileName: string,
): Promise<string> {
  const bytes = new TextEncoder().encode(fileName)
  const name = btoa(String.fromCharCode(...bytes))
  const headers = { ...TUS, 'upload-length': String(total), 'upload-metadata': `filename ${name}` }
  const { headers: answered } = await ask({ method: 'POST', url: '/api/upload/tus', headers })
  const [path] = /\/api\/upload\/tus\/[^/]+$/.exec(answered.get('location') ?? '') ?? []
  if (!path) throw new CairnError(0, 'The service did not say where to send the file to')
  return path
}

const offsetOf = (response: Response) => Number(response.headers.get('upload-offset'))

/** The size of the next chunk in bytes: doubled after a fast one, halved after a slow one. */
const nextSize = (size: number, tookMs: number) =>
  tookMs < 300 ? Math.min(LARGEST, size * 2) : tookMs > 1000 ? Math.max(SMALLEST, size / 2) : size

export const nameOf = (file: Blob, fileName?: string): string =>
  fileName ?? (file as Blob & { name?: string }).name ?? 'file'
