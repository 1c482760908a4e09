import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { restrictToAppAdmins } from '../../../platform/credentials/full-session.ts'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId } from '../../../platform/schema.ts'
import {
  NewScoreHook,
  ScoreHook,
  ScoreHookChange,
  ScoreHookList,
  ScoreHookRotation,
  ScoreHookWithSecret,
} from './schema.ts'
import type { HookService } from './service.ts'

const tags = ['Scores']
const security = needs.user
const ofApp = z.object({ id: pathId('App') })
const params = ofApp.extend({ hookId: pathId('Score hook') })
const errors = { 403: ErrorBody, 404: ErrorBody }

/** Mounted under /api/v1/apps. */
export const hookRoutes =
  ({ service, guards }: { service: HookService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    // Members need the role admin for everything here: who answers decides which scores count.
    const contextOf = restrictToAppAdmins(app, guards)

    app.get(
      '/:id/score-hooks',
      {
        schema: {
          tags,
          security,
          operationId: 'listScoreHooks',
          summary: "List an app's score hooks",
          description: `The hook of all types first, then oldest first. For owners and admins of the app. ${FULL_SESSION_ONLY}`,
          params: ofApp,
          response: { 200: ScoreHookList, ...errors },
        },
      },
      async (request) => ({ scoreHooks: await service.list(contextOf(request)) }),
    )

    app.post(
      '/:id/score-hooks',
      {
        config: { holdsSecret: true },
        schema: {
          tags,
          security,
          operationId: 'createScoreHook',
          summary: 'Create a score hook',
          description: `Before a score is written, it is sent to this URL by POST, signed as defined by Standard Webhooks. The body is \`{type: "score.before", timestamp, data}\`, where \`data\` has \`appId\`, \`gameSessionId\`, \`miniGameTypeId\`, \`submittedBy\` and up to 100 \`scores\`. The response within 2 s decides: \`{"decisions": […]}\`, with one of \`{"decision": "accept"}\`, \`{"decision": "change", "score": 12}\`, \`{"decision": "hold", "note": "…"}\` and \`{"decision": "refuse", "note": "…"}\` for each score, in their order. For scores of a type that has its own hook, the hook of all types is not called. Returns 409 if these scores already have a hook, or if the app has 100 hooks. ${FULL_SESSION_ONLY}`,
          params: ofApp,
          body: NewScoreHook,
          response: { 201: ScoreHookWithSecret, ...errors, 409: ErrorBody },
        },
      },
      async (request, reply) => reply.code(201).send(await service.create(contextOf(request), request.body)),
    )

    app.patch(
      '/:id/score-hooks/:hookId',
      {
        schema: {
          tags,
          security,
          operationId: 'updateScoreHook',
          summary: 'Update a score hook',
          description: `The change takes effect in every process within a second. ${FULL_SESSION_ONLY}`,
          params,
          body: ScoreHookChange,
          response: { 200: ScoreHook, ...errors },
        },
      },
      async (request) => service.change(contextOf(request), request.params.hookId, request.body),
    )

    app.delete(
      '/:id/score-hooks/:hookId',
      {
        schema: {
          tags,
          security,
          operationId: 'deleteScoreHook',
          summary: 'Delete a score hook',
          description: `Within a second, every process writes scores without calling the hook. ${FULL_SESSION_ONLY}`,
          params,
          response: { 204: z.null(), ...errors },
        },
      },
      async (request, reply) => {
        await service.remove(contextOf(request), request.params.hookId)
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/:id/score-hooks/:hookId/rotate-secret',
      {
        config: { holdsSecret: true },
        schema: {
          tags,
          security,
          operationId: 'rotateScoreHookSecret',
          summary: 'Rotate the secret of a score hook',
          description: `Requests are signed with the new secret and, for \`graceSeconds\`, with the previous one, too. ${FULL_SESSION_ONLY}`,
          params,
          body: ScoreHookRotation.nullish(),
          response: { 200: ScoreHookWithSecret, ...errors },
        },
      },
      async (request) =>
        service.rotate(contextOf(request), request.params.hookId, request.body?.graceSeconds ?? 86_400),
    )
  }
