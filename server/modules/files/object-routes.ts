import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { forbidden, HttpError, notFound, unavailable } from '../../platform/errors.ts'
import { parseRange } from '../../platform/http/range.ts'
import { disposition } from '../../platform/storage/file-names.ts'
import { typeOfKey } from '../../platform/storage/file-types.ts'
import { nameOfKey, type Objects } from '../../platform/storage/objects.ts'
import type { SignedAddresses } from './signed-address.ts'
import type { FileStore } from './store.ts'

const FOR_EVER = `public, max-age=${365 * 24 * 60 * 60}, immutable`

type Parts = { objects: Objects; store: FileStore; addresses: SignedAddresses }
type Query = { expires?: unknown; signature?: unknown }

/** Hands out the bytes of objects. Mounted under /files.
 * What is under a key never changes, so it may be cached for ever; and since anybody may have sent it, no browser may take it for a page of ours. */
export const objectRoutes =
  ({ objects, store, addresses }: Parts): FastifyPluginAsync =>
  async (app) => {
    app.route({
      method: ['GET', 'HEAD'],
      url: '/*',
      exposeHeadRoute: false,
      schema: { hide: true } as object,
      handler: async (request, reply) => {
        const key = (request.params as { '*': string })['*']
        const isDownload = checkSignature(addresses, key, request.query as Query)
        const size = await objects.size(key)
        if (size === undefined) throw notFound('File')
        const fileName = nameOfKey(key)
        const etag = `"${fileName}"`
        const caching = { etag, 'cache-control': isDownload ? 'private, max-age=300' : FOR_EVER }
        if (hasSame(request.headers['if-none-match'], etag)) return reply.code(304).headers(caching).send()

        const range = rangeOf(request, size, etag)
        if (range === 'unsatisfiable')
          throw new HttpError(416, `The file has ${size} bytes`, { 'content-range': `bytes */${size}` })
        const name = (await store.findByKey(key))?.fileName ?? fileName
        const body = request.method === 'HEAD' || size === 0 ? undefined : await begun(await objects.read(key, range))
        const type = typeOfKey(key)
        if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
        return reply
          .headers({
            ...caching,
            'accept-ranges': 'bytes',
            'content-security-policy': 'sandbox',
            'content-disposition': disposition(type.inline && !isDownload ? 'inline' : 'attachment', name),
            'cross-origin-resource-policy': 'cross-origin',
            'content-type': type.mimeType,
            'content-length': range ? range.end - range.start + 1 : size,
          })
          .send(body)
      },
    })
  }

/** Waits for the first bytes: what breaks before them is an answer of its own, and none that may be cached. */
async function begun(body: Readable | undefined): Promise<Readable> {
  if (!body) throw notFound('File')
  try {
    await once(body, 'readable')
    return body
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notFound('File')
    const fault = unavailable('The file could not be read: try again', 5)
    fault.cause = error
    throw fault
  }
}

/** @returns whether this is a signed download. @throws 403 when the signature is wrong or has ended. */
function checkSignature(addresses: SignedAddresses, key: string, { expires, signature }: Query): boolean {
  if (expires === undefined && signature === undefined) return false
  if (!addresses.isGood({ method: 'GET', key, expires: Number(expires) }, String(signature)))
    throw forbidden('This download address is not valid or has ended: get a new one from /api/download')
  return true
}

/** If-None-Match (RFC 9110 §13.1.2): any of the listed tags, compared weakly. */
function hasSame(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim())) ?? false
}

/** A range that was meant for another version of the object is no range. */
function rangeOf(request: FastifyRequest, size: number, etag: string) {
  const meantFor = request.headers['if-range']
  return meantFor === undefined || meantFor === etag ? parseRange(request.headers.range, size) : undefined
}
