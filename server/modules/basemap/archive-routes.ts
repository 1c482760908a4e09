import { createReadStream } from 'node:fs'
import type { FastifyPluginAsync } from 'fastify'
import { HttpError, notFound } from '../../platform/errors.ts'
import { parseRange } from '../../platform/http/responses/range.ts'
import type { ArchiveFolder } from './archive/archive-folder.ts'

const TYPE = 'application/vnd.pmtiles'
const FOR_EVER = `public, max-age=${365 * 24 * 60 * 60}, immutable`

/**
 * Serves the archive, whole or in ranges. Mounted under /basemap. The path has the SHA-256 of the bytes, so what it
 * returns can be cached for ever. A map reads a tile with a request or two, so these requests are not limited, as those
 * for the files of the console.
 */
export const archiveRoutes =
  ({ archives }: { archives: ArchiveFolder }): FastifyPluginAsync =>
  async (app) => {
    app.route({
      method: ['GET', 'HEAD'],
      url: '/:hash.pmtiles',
      exposeHeadRoute: false,
      config: { limit: 'none' },
      schema: { hide: true } as object,
      handler: async (request, reply) => {
        const { hash } = request.params as { hash: string }
        const found = await archives.look()
        if (found.state !== 'ready' || found.archive.hash !== hash) throw notFound('Basemap')
        const { path, bytes } = found.archive
        const etag = `"${hash}"`
        const caching = { etag, 'cache-control': FOR_EVER, 'cross-origin-resource-policy': 'cross-origin' }
        if (request.headers['if-none-match']?.split(',').some((one) => one.trim() === etag))
          return reply.code(304).headers(caching).send()

        const meantFor = request.headers['if-range']
        const range = meantFor === undefined || meantFor === etag ? parseRange(request.headers.range, bytes) : undefined
        if (range === 'unsatisfiable')
          throw new HttpError(416, `The file has ${bytes} bytes`, { 'content-range': `bytes */${bytes}` })
        if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
        return reply
          .headers({
            ...caching,
            'accept-ranges': 'bytes',
            'content-type': TYPE,
            'content-length': range ? range.end - range.start + 1 : bytes,
          })
          .send(request.method === 'HEAD' ? undefined : createReadStream(path, range))
      },
    })
  }
