import type { IncomingMessage } from 'node:http'

/**
 * Calls `seen` with the size of every chunk of a body as it arrives, however it is read: all of it passes `push`. Call
 * it before anything reads the body.
 */
export function countBodyBytes(raw: IncomingMessage, seen: (bytes: number) => void) {
  if (raw.readableLength > 0) seen(raw.readableLength)
  const push = raw.push
  raw.push = function (chunk, encoding) {
    if (chunk !== null) seen(chunk.length)
    return push.call(this, chunk, encoding)
  }
}

/** The Content-Length of a request; undefined without one. */
export const bodyLength = ({ headers }: IncomingMessage): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/** Whether a request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
