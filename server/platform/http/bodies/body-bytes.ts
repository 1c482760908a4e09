import type { IncomingMessage } from 'node:http'

/** Tells of every piece of a body as it comes in, and of what came before, whoever reads it and however: all of it goes through `push`. To be called before anybody reads. */
export function countBodyBytes(raw: IncomingMessage, seen: (bytes: number) => void) {
  if (raw.readableLength > 0) seen(raw.readableLength)
  const push = raw.push
  raw.push = function (chunk, encoding) {
    if (chunk !== null) seen(chunk.length)
    return push.call(this, chunk, encoding)
  }
}

/** The length that a request says its body has; undefined when it does not say. */
export const bodyLength = ({ headers }: IncomingMessage): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/** Whether a body comes with a request. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
