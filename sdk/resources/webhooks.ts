import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** Webhooks of an app. For its owner, with a session. */
export const webhooks = (to: Connection) => ({
  list: (appId: string, query?: api.GetApiV1AppsByIdWebhooksData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1AppsByIdWebhooksData, api.WebhookList, api.Webhook>(
      '/api/v1/apps/{id}/webhooks',
      { path: { id: appId }, query },
      ({ webhooks }) => webhooks,
      call,
    ),
  get: (appId: string, webhookId: string, call?: CallOptions) =>
    to.get<api.GetApiV1AppsByIdWebhooksByWebhookIdData, api.Webhook>(
      '/api/v1/apps/{id}/webhooks/{webhookId}',
      { path: { id: appId, webhookId } },
      call,
    ),
  /** The response contains the signing secret. Never retried. */
  create: (appId: string, body: api.NewWebhookInput, call?: CallOptions) =>
    to.postOnce<api.PostApiV1AppsByIdWebhooksData, api.WebhookWithSecret>(
      '/api/v1/apps/{id}/webhooks',
      { path: { id: appId }, body },
      call,
    ),
  update: (appId: string, webhookId: string, body: api.WebhookChangeInput, call?: CallOptions) =>
    to.patch<api.PatchApiV1AppsByIdWebhooksByWebhookIdData, api.Webhook>(
      '/api/v1/apps/{id}/webhooks/{webhookId}',
      { path: { id: appId, webhookId }, body },
      call,
    ),
  delete: (appId: string, webhookId: string, call?: CallOptions) =>
    to.delete<api.DeleteApiV1AppsByIdWebhooksByWebhookIdData>(
      '/api/v1/apps/{id}/webhooks/{webhookId}',
      { path: { id: appId, webhookId } },
      call,
    ),
  secret: (appId: string, webhookId: string, call?: CallOptions) =>
    to.get<api.GetApiV1AppsByIdWebhooksByWebhookIdSecretData, api.WebhookSecret>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/secret',
      { path: { id: appId, webhookId } },
      call,
    ),
  rotateSecret: (appId: string, webhookId: string, body: api.SecretRotationInput = {}, call?: CallOptions) =>
    to.postOnce<api.PostApiV1AppsByIdWebhooksByWebhookIdRotateSecretData, api.WebhookSecret>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/rotate-secret',
      { path: { id: appId, webhookId }, body },
      call,
    ),
  /** Deliveries and their status. */
  deliveries: (
    appId: string,
    webhookId: string,
    query?: api.GetApiV1AppsByIdWebhooksByWebhookIdDeliveriesData['query'],
    call?: CallOptions,
  ) =>
    to.list<api.GetApiV1AppsByIdWebhooksByWebhookIdDeliveriesData, api.WebhookDeliveryList, api.WebhookDelivery>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/deliveries',
      { path: { id: appId, webhookId }, query },
      ({ deliveries }) => deliveries,
      call,
    ),
  /** One delivery with its attempts. */
  delivery: (appId: string, webhookId: string, deliveryId: string, call?: CallOptions) =>
    to.get<api.GetApiV1AppsByIdWebhooksByWebhookIdDeliveriesByDeliveryIdData, api.WebhookDeliveryDetail>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/deliveries/{deliveryId}',
      { path: { id: appId, webhookId, deliveryId } },
      call,
    ),
  redeliver: (appId: string, webhookId: string, deliveryId: string, call?: CallOptions) =>
    to.post<api.PostApiV1AppsByIdWebhooksByWebhookIdDeliveriesByDeliveryIdRedeliverData, api.WebhookDeliveryDetail>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
      { path: { id: appId, webhookId, deliveryId } },
      call,
    ),
  /** Redelivers all failed events since a time. */
  redeliverFailed: (appId: string, webhookId: string, body: api.WebhookRedeliveryInput, call?: CallOptions) =>
    to.post<api.PostApiV1AppsByIdWebhooksByWebhookIdRedeliverFailedData, api.WebhookRedeliveryAnswer>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/redeliver-failed',
      { path: { id: appId, webhookId }, body },
      call,
    ),
  /** Sends a test event. */
  test: (appId: string, webhookId: string, call?: CallOptions) =>
    to.post<api.PostApiV1AppsByIdWebhooksByWebhookIdTestData, api.WebhookDeliveryDetail>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/test',
      { path: { id: appId, webhookId } },
      call,
    ),
})
