import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { encodingFor } from '../responses/compression.ts'

/**
 * Lets a folder that has its larger files only as `.br` and `.gz` serve clients that accept neither: they receive the
 * unpacked file. Register it before the folder, in the same scope.
 */
export function unpackForPlainClients(app: FastifyInstance): void {
  const plain = new WeakSet<FastifyRequest>()

  app.addHook('onRequest', async (request) => {
    if (encodingFor(request) !== undefined) return
    plain.add(request)
    request.raw.headers['accept-encoding'] = 'gzip'
    // A range is one of the unpacked file, whose length is not known.
    delete request.raw.headers.range
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (!plain.has(request) || reply.getHeader('content-encoding') !== 'gzip') return payload
    reply.removeHeader('content-encoding')
    reply.removeHeader('content-length')
    reply.removeHeader('accept-ranges')
    // HEAD and 304 have no body.
    if (request.method === 'HEAD' || reply.statusCode !== 200) return payload
    return pipeline(payload as Readable, createGunzip(), () => {})
  })
}
