import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, type Guards, mustBeFull } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../platform/schema.ts'
import { deliveryRoutes } from './delivery/delivery-routes.ts'
import {
  NewWebhook,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookList,
  WebhookSecret,
  WebhookWithSecret,
} from './schema.ts'
import type { WebhookService } from './service.ts'

const tags = ['Webhooks']
const ofApp = z.object({ id: pathId('App') })
const params = ofApp.extend({ webhookId: pathId('Webhook') })
const errors = { 403: ErrorBody, 404: ErrorBody }
const fullOnly = 'A session from a six-digit code cannot do this.'

/** Mounted under /api/v1/apps. */
export const webhookRoutes =
  ({ service, guards }: { service: WebhookService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.user)
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      mustBeFull(guards.userOf(request))
    })
    const asking = (request: FastifyRequest) => {
      const user = guards.userOf(request)
      return { appId: (request.params as { id: string }).id, user, actor: actorIn(user, request) }
    }
    await app.register(deliveryRoutes({ service, asking }))

    app.get(
      '/:id/webhooks',
      {
        schema: {
          tags,
          summary: 'The webhooks of an app, oldest first',
          description: `An app that is not the caller's is 404, or 403 when it is PUBLIC. ${fullOnly}`,
          security: needs.user,
          params: ofApp,
          querystring: PageQuery,
          response: { 200: WebhookList, ...errors },
        },
      },
      async (request, reply) => ({
        webhooks: pageRows(request, reply, await service.page(asking(request), request.query)),
      }),
    )

    app.post(
      '/:id/webhooks',
      {
        config: { holdsSecret: true },
        schema: {
          tags,
          summary: 'Have events posted to an address',
          description: `Events are posted as Standard Webhooks has it: a body of \`{type, timestamp, data}\`, \`data\` being the record as it was then (of a score: with \`gameSessionId\`), and the headers webhook-id, webhook-timestamp and webhook-signature, made with the secret of this answer. Any 2xx within 15 s takes it; redirects are not followed. What fails is sent again for 3 days, after growing waits. Each event arrives at least once, those of one subject in the order of the changes. Events of scans, imports and files go to the app whose key was sent beside the credential when the thing was made, and to all apps of the user who made it. An app has 20 webhooks at most. ${fullOnly}`,
          security: needs.user,
          params: ofApp,
          body: NewWebhook,
          response: { 201: WebhookWithSecret, ...errors, 409: ErrorBody },
        },
      },
      async (request, reply) => reply.code(201).send(await service.create(asking(request), request.body)),
    )

    app.get(
      '/:id/webhooks/:webhookId',
      {
        schema: {
          tags,
          summary: 'One webhook',
          description: `A webhook that nothing arrives at for 3 days, or that answers 410, is disabled: \`disabledReason\` says why, and the audit log when. Its pending deliveries are kept for as long as delivered ones are, and sent when it is enabled again. One for which more waits than may is disabled too, and what waits for it is removed: \`disabledReason\` says how much. ${fullOnly}`,
          security: needs.user,
          params,
          response: { 200: Webhook, ...errors },
        },
      },
      async (request) => service.get(asking(request), request.params.webhookId),
    )

    app.patch(
      '/:id/webhooks/:webhookId',
      {
        schema: {
          tags,
          summary: 'Change a webhook, disable or enable it',
          description: `What is pending goes to the new address. ${fullOnly}`,
          security: needs.user,
          params,
          body: WebhookChange,
          response: { 200: Webhook, ...errors },
        },
      },
      async (request) => service.update(asking(request), request.params.webhookId, request.body),
    )

    app.delete(
      '/:id/webhooks/:webhookId',
      {
        schema: {
          tags,
          summary: 'Delete a webhook with its deliveries',
          description: fullOnly,
          security: needs.user,
          params,
          response: { 204: z.null(), ...errors },
        },
      },
      async (request, reply) => {
        await service.remove(asking(request), request.params.webhookId)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/:id/webhooks/:webhookId/secret',
      {
        schema: {
          tags,
          summary: 'The secret of a webhook',
          description: `Each view is audited. ${fullOnly}`,
          security: needs.user,
          params,
          response: { 200: WebhookSecret, ...errors },
        },
      },
      async (request) => service.secret(asking(request), request.params.webhookId),
    )

    app.post(
      '/:id/webhooks/:webhookId/rotate-secret',
      {
        config: { needsRoom: false, holdsSecret: true },
        schema: {
          tags,
          summary: 'Give a webhook another secret',
          description: `For graceSeconds the one before signs as well: webhook-signature then holds two signatures, and a receiver that knows either takes the message. Only the last one before does. ${fullOnly}`,
          security: needs.user,
          params,
          body: SecretRotation.nullish(),
          response: { 200: WebhookSecret, ...errors },
        },
      },
      async (request) =>
        service.rotateSecret(asking(request), request.params.webhookId, request.body?.graceSeconds ?? 86_400),
    )
  }
