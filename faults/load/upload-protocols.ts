import { createHash, randomBytes } from 'node:crypto'
import type { Findings } from '../row.ts'
import { type Answer, type Client, expectStatus } from './client.ts'
import { form } from './upload-kinds.ts'

const MB = 1_000_000
const TUS = { 'tus-resumable': '1.0.0' }

/** Returns distinct upload contents of 1 to `largest` MB. */
export function uploadBytes(largest: number) {
  const store = randomBytes(largest * MB)
  return (): Buffer => {
    const length = Math.floor(MB * largest ** Math.random())
    const bytes = store.subarray(0, length)
    randomBytes(32).copy(bytes)
    return Buffer.from(bytes)
  }
}

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The outcome of an upload: the record's id, or none without a response. */
export type Sent = { id?: number | undefined }

/**
 * Uploads a file by three protocols. Any may lose its service at any moment; `finish` does what a client does next,
 * against the restarted service.
 */
export function uploadWays(client: Client, wrong: Findings) {
  const strange = (way: string, answer: object) => {
    const { headers: _headers, ...rest } = answer as Answer
    wrong.add(`${way}: a response that is neither 2xx nor retryable`, JSON.stringify(rest))
  }

  return {
    /** Uploads a multipart form. The outcome is unknown when the response is lost. */
    async form(bytes: Buffer): Promise<Sent> {
      const answer = await client.send({ method: 'POST', path: '/api/upload', ...form({ fileName: 'a.bin', bytes }) })
      if (answer.status === 200) return { id: (answer as Answer).body.results[0].fileId }
      if (answer.status !== 0 && answer.status !== 503) strange('form', answer)
      return {}
    },

    /**
     * Starts a resumable upload (tus).
     * @returns what to do once the service runs again
     */
    async resumable(bytes: Buffer) {
      const created = await client.send({
        method: 'POST',
        path: '/api/upload/tus',
        headers: { ...TUS, 'upload-length': String(bytes.length) },
      })
      const at =
        created.status === 201 ? new URL(String((created as Answer).headers.location), client.url()).pathname : ''
      const send = (offset: number) =>
        client.send({
          method: 'PATCH',
          path: at,
          headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
          body: bytes.subarray(offset),
        })
      const sent = at ? send(0).then(() => {}) : Promise.resolve()
      return {
        sent,
        /**
         * Resumes at the offset the service reports.
         * @returns the record, and whether it resumed in the middle
         */
        async finish(): Promise<Sent & { resumed: boolean }> {
          if (!at) return { resumed: false }
          const head = await expectStatus(client.send({ method: 'HEAD', path: at, headers: TUS }), 200)
          const offset = Number(head.headers['upload-offset'])
          if (offset < bytes.length) await expectStatus(send(offset), 204)
          const { body } = await expectStatus(client.send({ method: 'GET', path: at }))
          if (body.status !== 'finished' || body.result.fileSize !== bytes.length) strange('tus', body)
          return { id: body.result.fileId, resumed: offset > 0 && offset < bytes.length }
        },
      }
    },

    /**
     * Uploads to a presigned URL.
     * @returns what to do once the service runs again
     */
    async presigned(bytes: Buffer) {
      const contentType = 'application/octet-stream'
      const asked = await client.send({
        method: 'POST',
        path: '/api/upload/presigned',
        body: { fileName: 'a.bin', contentType },
      })
      const { pathname, search } = new URL(asked.status === 200 ? (asked as Answer).body.uploadUrl : client.url())
      const put = () =>
        client.send({ method: 'PUT', path: pathname + search, headers: { 'content-type': contentType }, body: bytes })
      const first = asked.status === 200 ? put() : undefined
      return {
        sent: first?.then(() => {}),
        /** Repeats the PUT if there was no response; the file is then accepted or already present. */
        async finish(): Promise<Sent> {
          const answer = await first
          if (!answer) return {}
          if (answer.status === 200) return { id: (answer as Answer).body.fileId }
          const again = await put()
          if (again.status === 200) return { id: (again as Answer).body.fileId }
          if (again.status !== 409) strange('presigned', again)
          return {}
        },
      }
    },
  }
}
