import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import negotiator from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type Encoding = 'br' | 'gzip'

/** In order of preference, if the client has none. */
const ENCODINGS: Encoding[] = ['br', 'gzip']
/** Smaller responses fit in a packet uncompressed. */
const MIN_BYTES = 1024
/** Responses compressed at a time; others are sent uncompressed, so that no request waits for compression. */
const AT_ONCE = 16
/** Texts and vector tiles only: models, images and archives are compressed already. Events must not be delayed. */
const COMPRESSIBLE =
  /^(text\/(?!event-stream)|application\/(([\w.-]+\+)?(json|xml|javascript)\b|vnd\.mapbox-vector-tile)|image\/svg\+xml)/

// These levels reduce JSON to between a tenth and a third at some milliseconds per megabyte, with windows of 256 and 32
// KiB, because the compressor of a slowly read stream stays in memory.
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

/** Responses whose compressed bytes are kept as long as the response itself. */
const keptOf = new WeakMap<Buffer, Partial<Record<Encoding, Buffer>>>()

/** Marks a response that is sent again and again: it is compressed once. */
export function keepCompressed(response: Buffer): Buffer {
  keptOf.set(response, {})
  return response
}

/** The client's preferred encoding; undefined if it prefers none (RFC 9110 §12.5.3). */
export function encodingFor({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string') return undefined
  // A client that accepts any encoding gets gzip.
  const named = accepted.toLowerCase().replaceAll('*', 'gzip')
  return (negotiator.negotiate(named, ENCODINGS) as Encoding | null) ?? undefined
}

/** Adds Accept-Encoding to Vary. */
export function varyByEncoding(reply: FastifyReply) {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'accept-encoding' : `${others}, accept-encoding`)
}

/**
 * Compresses responses above 1 KiB for clients that accept it, whole ones and streams, off the main thread. Not
 * compressed: ranges and resources that support them, compressed formats, event streams, and responses with secrets.
 * Register it before the routes, and after all hooks that inspect responses.
 */
export function compressResponses(app: FastifyInstance) {
  let underWay = 0

  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) return done(null, payload)
    varyByEncoding(reply)
    const encoding = encodingFor(request)
    if (encoding === undefined) return done(null, payload)
    const kept = Buffer.isBuffer(payload) ? keptOf.get(payload) : undefined
    if (kept?.[encoding]) return sendCompressed(reply, encoding, kept[encoding], done)
    if (underWay >= AT_ONCE) return done(null, payload)
    underWay++
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      compressWhole(encoding, payload)
        .finally(() => underWay--)
        .then((bytes) => {
          if (kept) kept[encoding] = bytes
          sendCompressed(reply, encoding, bytes, done)
        }, done)
      return
    }
    withEncoding(reply, encoding).removeHeader('content-length')
    // An error of the stream and a leaving reader end both.
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

function sendCompressed(reply: FastifyReply, encoding: Encoding, bytes: Buffer, done: Done): void {
  withEncoding(reply, encoding).header('content-length', bytes.length)
  done(null, bytes)
}
type Done = (error: null, payload: Buffer) => void

/** A strong tag stands for other bytes, so it becomes weak. */
function withEncoding(reply: FastifyReply, encoding: Encoding): FastifyReply {
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string' && etag.startsWith('"')) reply.header('etag', `W/${etag}`)
  return reply.header('content-encoding', encoding)
}
