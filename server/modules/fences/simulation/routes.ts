import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody } from '../../../platform/schema.ts'
import { REFUSALS, type Refusal } from '../check-ins/schema.ts'
import type { FenceSet } from '../matching/fence-set.ts'
import { fixOf } from '../positions/fix.ts'
import { shownEvent } from '../positions/service.ts'
import { MOST_STEPS, NewSimulation, Simulation } from './schema.ts'
import { simulate } from './simulate.ts'

type Deps = { fencesOf: (appId: string) => Promise<FenceSet>; guards: Guards }

/** Mounted under /api/v1/apps. */
export const simulationRoutes =
  ({ fencesOf, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.app)

    app.post(
      '/fences/simulate',
      {
        config: { appRole: 'viewer', needsDiskSpace: false },
        schema: {
          tags: ['Fences'],
          security: needs.appKey,
          operationId: 'simulateWalk',
          summary: 'Check what a walk would report at fences',
          description:
            'Checks a walk against the fences as they are now: of a player without earlier positions, and as if each position were reported when it was measured. Writes nothing, and sends no events. Returns 409 if the zones of the fences are too large together.',
          body: NewSimulation,
          response: { 200: Simulation, 409: ErrorBody },
        },
      },
      async (request) => {
        const set = await fencesOf(guards.appOf(request).id)
        const { events, judged, isCut } = simulate(request.body.fixes.map(fixOf), set, MOST_STEPS)
        return {
          events: events.map(shownEvent),
          checkIns: judged.map(({ fence, at, state, reason }) => ({
            ...{ fenceId: fence.id, name: fence.name, at: new Date(at).toISOString(), state, reason },
            message: state === 'refused' ? REFUSALS[reason as Refusal] : null,
            points: state === 'refused' ? null : (fence.checkIn?.award?.points ?? null),
          })),
          isCut,
        }
      },
    )
  }
