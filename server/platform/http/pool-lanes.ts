import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LOCKED } from '../database/database-errors.ts'
import { type Claimant, type FairPool, withClaimant } from '../database/fair-pool.ts'
import { addressBlock } from './limits/address-block.ts'

const claimants = new WeakMap<FastifyRequest, Claimant>()

/**
 * The lane of a request: the tag of its operation, because operations with one tag use the same tables, otherwise the
 * first segment of its path.
 */
function laneOf({ routeOptions }: FastifyRequest): string {
  const { tags } = (routeOptions.schema ?? {}) as { tags?: readonly string[] }
  return tags?.[0] ?? routeOptions.url?.split('/')[1] ?? 'other'
}

/** Makes requests take their database connections from the lane of their subject. */
export function assignPoolLanes(app: FastifyInstance, lanes: FairPool): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const claimant = { lane: laneOf(request), sender: addressBlock(request.ip), held: 0 }
    claimants.set(request, claimant)
    withClaimant(claimant, done)
  })
  // The events of a body belong to its connection and run outside the context of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    withClaimant(claimants.get(request)!, done)
  })
  app.addHook('onError', (request, _reply, error, done) => {
    if ((error as { code?: string }).code === LOCKED) lanes.locked(laneOf(request), addressBlock(request.ip))
    done()
  })
}
