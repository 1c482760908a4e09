import type { FastifyPluginAsync } from 'fastify'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Fences } from '../fences/index.ts'
import type { Scoring } from '../scoring/index.ts'
import { reviewRoutes } from './routes.ts'
import { reviewService } from './service.ts'
import { reviewStore } from './store.ts'

type Deps = { scoring: Pick<Scoring, 'reviewScore' | 'typeKeyOf'>; fences: Pick<Fences, 'reviseCheckIn'> }

/** What is held for a person to decide: scores and check-ins. */
export function createReviews({ database }: Platform, { scoring, fences }: Deps) {
  const service = reviewService({ store: reviewStore(database.kysely), ...scoring, ...fences })
  return {
    routes:
      (guards: Guards): FastifyPluginAsync =>
      async (app) => {
        await app.register(reviewRoutes({ service, guards }), { prefix: '/api/v1/apps' })
      },
  }
}
