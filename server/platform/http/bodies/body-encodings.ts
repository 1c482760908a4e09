import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../errors.ts'
import { hasBody } from './body-bytes.ts'

/** Methods whose bodies nobody reads (RFC 9110 §9.3.1). */
const IGNORED = ['GET', 'HEAD']

/**
 * Refuses compressed bodies, after the request is counted and before it is read: decompression has no bound that the
 * sender pays for.
 */
export function refuseEncodedBodies(app: FastifyInstance) {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding']
    const isRead = hasBody(request.raw) && !IGNORED.includes(request.method)
    if (encoding === undefined || encoding === '' || encoding === 'identity' || !isRead) return done(null, payload)
    const named = encoding.slice(0, 50)
    const sentence = `The Content-Encoding ${named} is not accepted: send the body without Content-Encoding`
    done(new HttpError(415, sentence))
  })
}

/**
 * JSON is UTF-8 (RFC 8259 §8.1): other encodings would be stored as wrong characters. @returns the error for a body
 * that declares or contains something else
 */
export function utf8Fault(contentType: string, bytes: Buffer): HttpError | undefined {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? []
  if (!/^(utf-?8|us-ascii)$/i.test(charset))
    return new HttpError(415, `JSON in ${charset} is not accepted: send it in UTF-8`)
  return isUtf8(bytes) ? undefined : new HttpError(400, 'The body is not valid UTF-8: send JSON in UTF-8')
}
