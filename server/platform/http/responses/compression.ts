import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import negotiator from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type Encoding = 'br' | 'gzip'

/** By preference, where a client has none. */
const ENCODINGS: Encoding[] = ['br', 'gzip']
/** Smaller answers fit into a packet as they are. */
const MIN_BYTES = 1024
/** Answers that are compressed at a time: further ones go out as they are, so that compressing never makes anybody wait. */
const AT_ONCE = 16
/** Texts alone: models, pictures and archives are compressed already. An event must leave when it happens. */
const COMPRESSIBLE = /^(text\/(?!event-stream)|application\/([\w.-]+\+)?(json|xml|javascript)\b|image\/svg\+xml)/

// Levels that make a tenth to a third of JSON at some milliseconds a megabyte, and windows of 256 and 32 KiB: a stream that is read slowly keeps its compressor.
const brotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
}
const gzipOptions = { level: 5 }

const [brotliWhole, gzipWhole] = [promisify(brotliCompress), promisify(gzip)]
const compressWhole = (encoding: Encoding, bytes: string | Buffer): Promise<Buffer> =>
  encoding === 'br' ? brotliWhole(bytes, brotliOptions) : gzipWhole(bytes, gzipOptions)
const compressor = (encoding: Encoding) =>
  encoding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions)

/** The encoding that a client would rather have than none; undefined when there is none (RFC 9110 §12.5.3). */
export function encodingFor({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string') return undefined
  // Who takes anything but one encoding, takes gzip.
  const named = accepted.toLowerCase().replaceAll('*', 'gzip')
  return (negotiator.negotiate(named, ENCODINGS) as Encoding | null) ?? undefined
}

/** Says that an answer depends on what encodings were asked for. */
export function varyByEncoding(reply: FastifyReply) {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'accept-encoding' : `${others}, accept-encoding`)
}

/**
 * Compresses answers of more than 1 KiB for clients that ask for it: whole ones and streams, off the main thread. Left as
 * they are: ranges and what ranges can be asked of, what is compressed already, event streams, and answers that hold a
 * secret. To be called before routes are added, and after whatever looks into answers.
 */
export function compressResponses(app: FastifyInstance) {
  let underWay = 0

  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) return done(null, payload)
    varyByEncoding(reply)
    const encoding = encodingFor(request)
    if (encoding === undefined || underWay >= AT_ONCE) return done(null, payload)
    underWay++
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      compressWhole(encoding, payload)
        .finally(() => underWay--)
        .then((bytes) => {
          told(reply, encoding).header('content-length', bytes.length)
          done(null, bytes)
        }, done)
      return
    }
    told(reply, encoding).removeHeader('content-length')
    // A stream that fails, and a reader that leaves, end both.
    done(
      null,
      pipeline(payload as Readable, compressor(encoding), () => underWay--),
    )
  })
}

function isCompressible(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    if (payload.length <= MIN_BYTES) return false
  } else if (typeof (payload as Readable | null)?.pipe !== 'function') return false
  if (request.method === 'HEAD' || reply.statusCode === 206 || request.routeOptions.config.holdsSecret) return false
  if (['content-encoding', 'content-range', 'accept-ranges'].some((name) => reply.hasHeader(name))) return false
  return COMPRESSIBLE.test(String(reply.getHeader('content-type')))
}

/** Other bytes than those that a strong tag stands for. */
function told(reply: FastifyReply, encoding: Encoding): FastifyReply {
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string' && etag.startsWith('"')) reply.header('etag', `W/${etag}`)
  return reply.header('content-encoding', encoding)
}
