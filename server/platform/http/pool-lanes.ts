import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LOCKED } from '../database/database-errors.ts'
import { type Claimant, type FairPool, withClaimant } from '../database/fair-pool.ts'
import { addressBlock } from './limits/address-block.ts'

const claimants = new WeakMap<FastifyRequest, Claimant>()

/** What a request is about, as the description sorts operations: what has one tag uses the same tables. Of what is not described, the first part of its path. */
function laneOf({ routeOptions }: FastifyRequest): string {
  const { tags } = (routeOptions.schema ?? {}) as { tags?: readonly string[] }
  return tags?.[0] ?? routeOptions.url?.split('/')[1] ?? 'other'
}

/** Lets requests take their connections to the database from the share of what they are about. */
export function assignPoolLanes(app: FastifyInstance, lanes: FairPool): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const claimant = { lane: laneOf(request), sender: addressBlock(request.ip), held: 0 }
    claimants.set(request, claimant)
    withClaimant(claimant, done)
  })
  // A body comes in events of its connection, which know nothing of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    withClaimant(claimants.get(request)!, done)
  })
  app.addHook('onError', (request, _reply, error, done) => {
    if ((error as { code?: string }).code === LOCKED) lanes.locked(laneOf(request), addressBlock(request.ip))
    done()
  })
}
