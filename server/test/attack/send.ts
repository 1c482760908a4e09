import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Sent } from './draft.ts'

/** Timeout of a response, against hanging; not a promise of speed. */
const TIMEOUT_MS = 120_000
/** A response that does not end, such as an event stream, is read up to this. */
const STREAM_BYTES = 1

export type Received = { status: number; headers: IncomingMessage['headers']; body: string }

/** Sends requests unchanged, without the normalization of fetch. */
export function sender(url: string) {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })

  /** @throws if there is no response */
  async function send({ method, path, headers, body }: Sent): Promise<Received> {
    try {
      return await once()
    } catch (error) {
      // The service closed the kept-alive connection before the request arrived: send it again on a new one.
      if ((error as { code?: string }).code === 'ECONNRESET') return await once()
      throw error
    }

    function once(): Promise<Received> {
      const { promise, resolve, reject } = Promise.withResolvers<Received>()
      const length = body ? { 'content-length': String(body.length) } : {}
      const options = { agent, hostname, port, method, path, headers: { ...length, ...headers }, timeout: TIMEOUT_MS }
      const outgoing = httpRequest(options, (incoming) => {
        const { statusCode: status = 0, headers: received } = incoming
        const pieces: Buffer[] = []
        const end = () =>
          resolve({ status, headers: received, body: decoded(Buffer.concat(pieces), received).toString() })
        incoming.on('data', (piece: Buffer) => {
          pieces.push(piece)
          if (!received['content-type']?.startsWith('text/event-stream') || piece.length < STREAM_BYTES) return
          end()
          outgoing.destroy()
        })
        incoming.on('end', end)
        incoming.on('error', reject)
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${TIMEOUT_MS / 1000} s`)))
      outgoing.on('error', reject)
      outgoing.end(body)
      return promise
    }
  }
  return { send, close: () => agent.destroy() }
}

/** Decodes the content encoding of a response. An undecodable body is returned unchanged. */
function decoded(bytes: Buffer, { 'content-encoding': encoding }: IncomingMessage['headers']): Buffer {
  if (bytes.length === 0) return bytes
  try {
    if (encoding === 'gzip') return gunzipSync(bytes)
    if (encoding === 'br') return brotliDecompressSync(bytes)
  } catch {
    // The caller reports that the body is not JSON.
  }
  return bytes
}
