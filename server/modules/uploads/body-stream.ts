import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest } from '../../platform/errors.ts'

/** Lets the routes of this plugin read their bodies as streams, of any type. */
export function streamBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/**
 * The bytes of a request's body. If the reader stops early, the rest is discarded: a refused sender may go on sending
 * for a while. @throws 400 if the sender breaks off
 */
export async function* bodyStream(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  const { body } = request
  if (!(body instanceof Readable)) return
  let ended = false
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
    ended = true
  } catch {
    ended = true
    throw badRequest('The upload was interrupted')
  } finally {
    if (!ended) body.resume()
  }
}
