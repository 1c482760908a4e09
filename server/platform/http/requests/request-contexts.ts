import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LOCKED } from '../../database/database-errors.ts'
import type { FairPool } from '../../database/fair-pool.ts'
import { currentRequest, type RequestContext, runInRequest } from '../../database/request-context.ts'
import { addressBlock } from '../limits/address-block.ts'

declare module 'fastify' {
  interface FastifyRequest {
    databaseContext: RequestContext
  }
}

/** The subject of a route: its first tag, because routes with one tag use the same tables; without tags the first part of its path. */
function laneOf({ routeOptions }: FastifyRequest): string {
  const { schema, url } = routeOptions
  const { tags } = (schema ?? {}) as { tags?: readonly string[] }
  return tags?.[0] ?? url?.split('/')[1] ?? 'other'
}

/** Sets the database context of every request. */
export function trackRequests(app: FastifyInstance, pool: FairPool): void {
  app.decorateRequest('databaseContext')
  app.addHook('onRequest', (request, _reply, done) => {
    request.databaseContext = {
      lane: laneOf(request),
      sender: addressBlock(request.ip),
      connections: 0,
      mayHaveWritten: false,
      tracksWrites: false,
    }
    runInRequest(request.databaseContext, done)
  })
  // A body arrives in events of its connection, outside of the context.
  app.addHook('preValidation', (request, _reply, done) => {
    const context = request.databaseContext
    if (currentRequest() === context) done()
    else runInRequest(context, done)
  })
  app.addHook('onError', (request, _reply, error, done) => {
    if ((error as { code?: string }).code === LOCKED) pool.limitLocked(request.databaseContext)
    done()
  })
}
