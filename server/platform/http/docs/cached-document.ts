import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor, varyByEncoding } from '../responses/compression.ts'

/** A document that stays the same while the process runs: serialized and compressed on the first request. */
export function cachedDocument(make: () => object) {
  let made: ReturnType<typeof write> | undefined

  /** Responds with the document, or with 304 if the client has it. */
  return async (request: FastifyRequest, reply: FastifyReply) => {
    made ??= write(make())
    const { etag, plain, br, gzip } = await made
    varyByEncoding(reply)
    reply.header('etag', etag).header('cache-control', 'no-cache')
    if (request.headers['if-none-match']?.split(',').some((one) => [etag, '*'].includes(one.trim())))
      return reply.code(304).send()
    const encoding = encodingFor(request)
    if (encoding) reply.header('content-encoding', encoding)
    const bytes = { br, gzip }
    return reply.type('application/json; charset=utf-8').send(encoding ? bytes[encoding] : plain)
  }
}

async function write(document: object) {
  const plain = Buffer.from(JSON.stringify(document))
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain)])
  // A weak tag: the same for every encoding.
  return { etag: `W/"${hash('sha256', plain, 'base64url')}"`, plain, br, gzip: zipped }
}
