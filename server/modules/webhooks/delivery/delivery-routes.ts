import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { pageRows } from '../../../platform/http/pages.ts'
import { COUNTED, ErrorBody, FULL_SESSION_ONLY, pathId } from '../../../platform/schema.ts'
import { DeliveryDetail, DeliveryList, DeliveryQuery, Redelivery, RedeliveryAnswer } from '../schema.ts'
import type { WebhookService } from '../service.ts'

const tags = ['Webhooks']
const ofWebhook = z.object({ id: pathId('App'), webhookId: pathId('Webhook') })
const params = ofWebhook.extend({ deliveryId: pathId('Delivery') })
const errors = { 403: ErrorBody, 404: ErrorBody }

type Deps = {
  service: WebhookService
  /** The caller and the app of a request. */
  contextOf: (request: FastifyRequest) => Parameters<WebhookService['deliveries']>[0]
}

/** The delivery log of a webhook. */
export const deliveryRoutes =
  ({ service, contextOf }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/:id/webhooks/:webhookId/deliveries',
      {
        schema: {
          tags,
          operationId: 'listDeliveries',
          summary: 'List the deliveries of a webhook',
          description: `Newest first. Deliveries are kept for 30 days after they arrive or fail, unless the operator configures otherwise. ${COUNTED} ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params: ofWebhook,
          querystring: DeliveryQuery,
          response: { 200: DeliveryList, ...errors },
        },
      },
      async (request, reply) => {
        const page = await service.deliveries(contextOf(request), request.params.webhookId, request.query)
        return { deliveries: pageRows(request, reply, page) }
      },
    )

    app.get(
      '/:id/webhooks/:webhookId/deliveries/:deliveryId',
      {
        schema: {
          tags,
          operationId: 'getDelivery',
          summary: 'Get a delivery',
          description: `Includes the payload and the attempts. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params,
          response: { 200: DeliveryDetail, ...errors },
        },
      },
      async (request) => service.delivery(contextOf(request), request.params.webhookId, request.params.deliveryId),
    )

    app.post(
      '/:id/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
      {
        schema: {
          tags,
          operationId: 'resendDelivery',
          summary: 'Resend a delivery',
          description: `Resends a delivery that arrived or failed, with the same webhook-id. A pending one is sent now, unless an earlier event of its subject is pending. Returns 409 while the webhook is disabled. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params,
          response: { 200: DeliveryDetail, ...errors, 409: ErrorBody },
        },
      },
      async (request) => service.redeliver(contextOf(request), request.params.webhookId, request.params.deliveryId),
    )

    app.post(
      '/:id/webhooks/:webhookId/redeliver-failed',
      {
        schema: {
          tags,
          operationId: 'resendFailedDeliveries',
          summary: 'Resend failed deliveries',
          description: `Resends all deliveries that failed since a given time, in the order of the changes. Returns 409 while the webhook is disabled. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params: ofWebhook,
          body: Redelivery,
          response: { 200: RedeliveryAnswer, ...errors, 409: ErrorBody },
        },
      },
      async (request) => ({
        deliveries: await service.redeliverFailed(contextOf(request), request.params.webhookId, request.body.since),
      }),
    )

    app.post(
      '/:id/webhooks/:webhookId/test',
      {
        schema: {
          tags,
          operationId: 'sendTestEvent',
          summary: 'Send a test event',
          description: `Sends an event of type \`ping\` to this webhook only, whatever it subscribes to; the delivery shows the outcome. Returns 409 while the webhook is disabled. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params: ofWebhook,
          response: { 201: DeliveryDetail, ...errors, 409: ErrorBody },
        },
      },
      async (request, reply) => reply.code(201).send(await service.test(contextOf(request), request.params.webhookId)),
    )
  }
