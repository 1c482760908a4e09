import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor, varyByEncoding } from '../responses/compression.ts'

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/**
 * A document that stays the same while the process runs: serialized on the first request, and compressed on the first
 * one that accepts an encoding.
 */
export function cachedDocument(make: () => object) {
  let made: ReturnType<typeof write> | undefined
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = {}

  /** Responds with the document, or with 304 if the client has it. */
  return async (request: FastifyRequest, reply: FastifyReply) => {
    made ??= write(make())
    const { etag, plain } = made
    varyByEncoding(reply)
    reply.header('etag', etag).header('cache-control', 'no-cache')
    if (request.headers['if-none-match']?.split(',').some((one) => [etag, '*'].includes(one.trim())))
      return reply.code(304).send()
    reply.type('application/json; charset=utf-8')
    const encoding = encodingFor(request)
    if (!encoding) return reply.send(plain)
    compressed[encoding] ??= compress[encoding](plain)
    return reply.header('content-encoding', encoding).send(await compressed[encoding])
  }
}

function write(document: object) {
  const plain = Buffer.from(JSON.stringify(document))
  // A weak tag: the same for every encoding.
  return { etag: `W/"${hash('sha256', plain, 'base64url')}"`, plain }
}
