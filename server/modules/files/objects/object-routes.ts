import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { forbidden, HttpError, notFound, unavailable } from '../../../platform/errors.ts'
import { type ByteRange, parseRange } from '../../../platform/http/responses/range.ts'
import { fileNameOfKey, ObjectMissing, type Objects } from '../../../platform/storage/objects.ts'
import { disposition } from '../../../platform/storage/types/file-names.ts'
import { typeOfKey } from '../../../platform/storage/types/file-types.ts'
import { verifiedStream } from '../../../platform/storage/verified-stream.ts'
import type { FileStore } from '../store.ts'
import { assertCanView, type ObjectAccess } from './object-access.ts'
import type { SignedUrls } from './signed-url.ts'
import { SMALL_BYTES, smallObjects } from './small-objects.ts'

const FOR_EVER = `public, max-age=${365 * 24 * 60 * 60}, immutable`
/** For objects whose owner can make them private or delete them. */
const FOR_A_WHILE = 'public, max-age=300'
const FOR_ONE = 'private, max-age=300'

type Deps = { objects: Objects; store: FileStore; addresses: SignedUrls; guards: Guards }
type Query = { expires?: unknown; signature?: unknown; download?: unknown; open?: unknown }

/**
 * Serves the bytes of objects. Mounted under /files. The content of a key never changes, so it can be cached for ever;
 * anyone may have sent it, so no browser may treat it as a page of this service. Objects of private scans are only for
 * the owner and ops, through their session or a URL signed for them.
 */
export const objectRoutes =
  ({ objects, store, addresses, guards }: Deps): FastifyPluginAsync =>
  async (app) => {
    const small = smallObjects(objects)

    app.route({
      method: ['GET', 'HEAD'],
      url: '/*',
      exposeHeadRoute: false,
      schema: { hide: true } as object,
      onRequest: guards.optionalUser,
      handler: async (request, reply) => {
        const key = (request.params as { '*': string })['*']
        const query = request.query as Query
        const isSigned = checkSignature(addresses, key, query)
        const isDownload = isSigned && query.download !== undefined
        const served = await store.served(key)
        // A read of missing bytes fails by itself; HEAD would not notice.
        const size = (request.method === 'GET' ? served.size : null) ?? (await objects.size(key))
        if (size === undefined) throw notFound('File')
        if (!isSigned || query.open !== undefined) assertCanView(served, guards.maybeUserOf(request))
        const fileName = fileNameOfKey(key)
        const etag = `"${fileName}"`
        const caching = { etag, 'cache-control': isSigned ? FOR_ONE : cachingOf(served) }
        if (hasSame(request.headers['if-none-match'], etag)) return reply.code(304).headers(caching).send()

        const range = rangeOf(request, size, etag)
        if (range === 'unsatisfiable')
          throw new HttpError(416, `The file has ${size} bytes`, { 'content-range': `bytes */${size}` })
        const isRead = request.method !== 'HEAD' && size > 0
        const body = isRead ? await bytesOf({ objects, small }, { key, size, range, sha256: served.sha256 }) : undefined
        const type = typeOfKey(key)
        if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
        return reply
          .headers({
            ...caching,
            'accept-ranges': 'bytes',
            'content-security-policy': 'sandbox',
            'content-disposition': disposition(
              type.inline && !isDownload ? 'inline' : 'attachment',
              served.fileName ?? fileName,
            ),
            'cross-origin-resource-policy': 'cross-origin',
            'content-type': type.mimeType,
            'content-length': range ? range.end - range.start + 1 : size,
          })
          .send(body)
      },
    })
  }

const cachingOf = ({ owners, mayChange }: ObjectAccess) => (owners ? FOR_ONE : mayChange ? FOR_A_WHILE : FOR_EVER)

type Wanted = { key: string; size: number; range: ByteRange | undefined; sha256: string | null }

/**
 * The bytes to send: those of a small object, or a stream whose first bytes are there, so that an earlier failure becomes
 * an error response that is not cached. Bytes that do not match the hash are refused, or end the stream before its end;
 * there is no hash to verify a range with.
 */
async function bytesOf(
  { objects, small }: Pick<Deps, 'objects'> & { small: ReturnType<typeof smallObjects> },
  { key, size, range, sha256 }: Wanted,
): Promise<Buffer | Readable> {
  try {
    if (!range && size <= SMALL_BYTES) return await small.read({ key, size, ...(sha256 && { sha256 }) })
    const read = await objects.read(key, range)
    if (!read) throw new ObjectMissing()
    const body = sha256 && !range ? verifiedStream(read, sha256) : read
    await once(body, 'readable')
    return body
  } catch (error) {
    if (error instanceof ObjectMissing) throw notFound('File')
    if (error instanceof HttpError) throw error
    const fault = unavailable('The file could not be read: try again', 5)
    fault.cause = error
    throw fault
  }
}

/** @returns whether this URL is signed @throws 403 if the signature is wrong or has expired */
function checkSignature(addresses: SignedUrls, key: string, { expires, signature, open }: Query): boolean {
  if (expires === undefined && signature === undefined) return false
  const method = open === undefined ? 'GET' : 'OPEN'
  if (!addresses.isGood({ method, key, expires: Number(expires) }, String(signature)))
    throw forbidden('This download URL is not valid or has expired: get a new one from /api/download')
  return true
}

/** If-None-Match (RFC 9110 §13.1.2): any of the listed tags, compared weakly. */
function hasSame(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim())) ?? false
}

/** A range for another version of the object is ignored (If-Range). */
function rangeOf(request: FastifyRequest, size: number, etag: string) {
  const meantFor = request.headers['if-range']
  return meantFor === undefined || meantFor === etag ? parseRange(request.headers.range, size) : undefined
}
