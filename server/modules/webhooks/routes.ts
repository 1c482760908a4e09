import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { restrictToAppAdmins } from '../../platform/credentials/full-session.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId } from '../../platform/schema.ts'
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

/** Mounted under /api/v1/apps. */
export const webhookRoutes =
  ({ service, guards }: { service: WebhookService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    // Members need the role admin for everything here, which reads and sends data of the app.
    const contextOf = restrictToAppAdmins(app, guards)
    await app.register(deliveryRoutes({ service, contextOf }))

    app.get(
      '/:id/webhooks',
      {
        schema: {
          tags,
          operationId: 'listWebhooks',
          summary: "List an app's webhooks",
          description: `Oldest first. Returns 404 for an app of others, or 403 if it is PUBLIC. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params: ofApp,
          querystring: PageQuery,
          response: { 200: WebhookList, ...errors },
        },
      },
      async (request, reply) => ({
        webhooks: pageRows(request, reply, await service.page(contextOf(request), request.query)),
      }),
    )

    app.post(
      '/:id/webhooks',
      {
        config: { holdsSecret: true },
        schema: {
          tags,
          operationId: 'createWebhook',
          summary: 'Create a webhook',
          description: `Events are sent by POST, as defined by Standard Webhooks. The body is \`{type, timestamp, data}\`; \`data\` is the record as it was then (for a score, with \`gameSessionId\`). The headers are webhook-id, webhook-timestamp and webhook-signature, made with the secret in this response. Any 2xx within 15 s accepts the event; redirects are not followed. A delivery is retried for 3 days, with growing delays. Each event arrives at least once, and events of one subject in the order of the changes. Events of scans, imports and files go to the app whose key was sent with the credential when they were created, and to all apps of the user who created them. An app can have at most 20 webhooks. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params: ofApp,
          body: NewWebhook,
          response: { 201: WebhookWithSecret, ...errors, 409: ErrorBody },
        },
      },
      async (request, reply) => reply.code(201).send(await service.create(contextOf(request), request.body)),
    )

    app.get(
      '/:id/webhooks/:webhookId',
      {
        schema: {
          tags,
          operationId: 'getWebhook',
          summary: 'Get a webhook',
          description: `A webhook that accepts no event for 3 days, or returns 410, is disabled: \`disabledReason\` says why, and the audit log says when. Its pending deliveries are kept as long as delivered ones, and sent when it is enabled again. A webhook with too many pending deliveries is disabled too, and those deliveries are deleted: \`disabledReason\` says how many. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params,
          response: { 200: Webhook, ...errors },
        },
      },
      async (request) => service.get(contextOf(request), request.params.webhookId),
    )

    app.patch(
      '/:id/webhooks/:webhookId',
      {
        schema: {
          tags,
          operationId: 'updateWebhook',
          summary: 'Update a webhook',
          description: `\`enabled\` disables or enables the webhook. Pending deliveries go to the new URL. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params,
          body: WebhookChange,
          response: { 200: Webhook, ...errors },
        },
      },
      async (request) => service.update(contextOf(request), request.params.webhookId, request.body),
    )

    app.delete(
      '/:id/webhooks/:webhookId',
      {
        schema: {
          tags,
          operationId: 'deleteWebhook',
          summary: 'Delete a webhook and its deliveries',
          description: FULL_SESSION_ONLY,
          security: needs.user,
          params,
          response: { 204: z.null(), ...errors },
        },
      },
      async (request, reply) => {
        await service.remove(contextOf(request), request.params.webhookId)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/:id/webhooks/:webhookId/secret',
      {
        schema: {
          tags,
          operationId: 'getWebhookSecret',
          summary: 'Get the secret of a webhook',
          description: `Each view is audited. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params,
          response: { 200: WebhookSecret, ...errors },
        },
      },
      async (request) => service.secret(contextOf(request), request.params.webhookId),
    )

    app.post(
      '/:id/webhooks/:webhookId/rotate-secret',
      {
        config: { needsDiskSpace: false, holdsSecret: true },
        schema: {
          tags,
          operationId: 'rotateWebhookSecret',
          summary: 'Rotate the secret of a webhook',
          description: `For \`graceSeconds\`, the previous secret signs too: webhook-signature then holds two signatures, and a receiver that knows either secret accepts the event. Only the most recent previous secret does this. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params,
          body: SecretRotation.nullish(),
          response: { 200: WebhookSecret, ...errors },
        },
      },
      async (request) =>
        service.rotateSecret(contextOf(request), request.params.webhookId, request.body?.graceSeconds ?? 86_400),
    )
  }
