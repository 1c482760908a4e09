import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** Webhooks of an app. For its owner, with a session. */
export const webhooks = (to: Connection) => ({
  list: (appId: string, query?: api.ListWebhooksData['query'], call?: CallOptions) =>
    to.list<api.ListWebhooksData, api.WebhookList, api.Webhook>(
      '/api/v1/apps/{id}/webhooks',
      { path: { id: appId }, query },
      ({ webhooks }) => webhooks,
      call,
    ),
  get: (appId: string, webhookId: string, call?: CallOptions) =>
    to.get<api.GetWebhookData, api.Webhook>(
      '/api/v1/apps/{id}/webhooks/{webhookId}',
      { path: { id: appId, webhookId } },
      call,
    ),
  /** The response contains the signing secret. Never retried. */
  create: (appId: string, body: api.NewWebhookInput, call?: CallOptions) =>
    to.postOnce<api.CreateWebhookData, api.WebhookWithSecret>(
      '/api/v1/apps/{id}/webhooks',
      { path: { id: appId }, body },
      call,
    ),
  update: (appId: string, webhookId: string, body: api.WebhookChangeInput, call?: CallOptions) =>
    to.patch<api.UpdateWebhookData, api.Webhook>(
      '/api/v1/apps/{id}/webhooks/{webhookId}',
      { path: { id: appId, webhookId }, body },
      call,
    ),
  delete: (appId: string, webhookId: string, call?: CallOptions) =>
    to.delete<api.DeleteWebhookData>(
      '/api/v1/apps/{id}/webhooks/{webhookId}',
      { path: { id: appId, webhookId } },
      call,
    ),
  secret: (appId: string, webhookId: string, call?: CallOptions) =>
    to.get<api.GetWebhookSecretData, api.WebhookSecret>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/secret',
      { path: { id: appId, webhookId } },
      call,
    ),
  rotateSecret: (appId: string, webhookId: string, body: api.SecretRotationInput = {}, call?: CallOptions) =>
    to.postOnce<api.RotateWebhookSecretData, api.WebhookSecret>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/rotate-secret',
      { path: { id: appId, webhookId }, body },
      call,
    ),
  /** Deliveries and their status. */
  deliveries: (appId: string, webhookId: string, query?: api.ListDeliveriesData['query'], call?: CallOptions) =>
    to.list<api.ListDeliveriesData, api.WebhookDeliveryList, api.WebhookDelivery>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/deliveries',
      { path: { id: appId, webhookId }, query },
      ({ deliveries }) => deliveries,
      call,
    ),
  /** One delivery with its attempts. */
  delivery: (appId: string, webhookId: string, deliveryId: string, call?: CallOptions) =>
    to.get<api.GetDeliveryData, api.WebhookDeliveryDetail>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/deliveries/{deliveryId}',
      { path: { id: appId, webhookId, deliveryId } },
      call,
    ),
  redeliver: (appId: string, webhookId: string, deliveryId: string, call?: CallOptions) =>
    to.post<api.ResendDeliveryData, api.WebhookDeliveryDetail>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
      { path: { id: appId, webhookId, deliveryId } },
      call,
    ),
  /** Redelivers all failed events since a time. */
  redeliverFailed: (appId: string, webhookId: string, body: api.WebhookRedeliveryInput, call?: CallOptions) =>
    to.post<api.ResendFailedDeliveriesData, api.WebhookRedeliveryAnswer>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/redeliver-failed',
      { path: { id: appId, webhookId }, body },
      call,
    ),
  /** Sends a test event. */
  test: (appId: string, webhookId: string, call?: CallOptions) =>
    to.post<api.SendTestEventData, api.WebhookDeliveryDetail>(
      '/api/v1/apps/{id}/webhooks/{webhookId}/test',
      { path: { id: appId, webhookId } },
      call,
    ),
})

/** Hooks that are asked about scores before they are written. For owners and admins of the app, with a session. */
export const scoreHooks = (to: Connection) => ({
  list: (appId: string, call?: CallOptions) =>
    to.get<api.ListScoreHooksData, api.ScoreHookList>('/api/v1/apps/{id}/score-hooks', { path: { id: appId } }, call),
  /** The response contains the signing secret, which no later one does. Never retried. @throws CairnError 409 if these scores have a hook */
  create: (appId: string, body: api.NewScoreHookInput, call?: CallOptions) =>
    to.postOnce<api.CreateScoreHookData, api.ScoreHookWithSecret>(
      '/api/v1/apps/{id}/score-hooks',
      { path: { id: appId }, body },
      call,
    ),
  update: (appId: string, hookId: string, body: api.ScoreHookChangeInput, call?: CallOptions) =>
    to.patch<api.UpdateScoreHookData, api.ScoreHook>(
      '/api/v1/apps/{id}/score-hooks/{hookId}',
      { path: { id: appId, hookId }, body },
      call,
    ),
  delete: (appId: string, hookId: string, call?: CallOptions) =>
    to.delete<api.DeleteScoreHookData>('/api/v1/apps/{id}/score-hooks/{hookId}', { path: { id: appId, hookId } }, call),
  rotateSecret: (appId: string, hookId: string, body: api.ScoreHookRotationInput = {}, call?: CallOptions) =>
    to.postOnce<api.RotateScoreHookSecretData, api.ScoreHookWithSecret>(
      '/api/v1/apps/{id}/score-hooks/{hookId}/rotate-secret',
      { path: { id: appId, hookId }, body },
      call,
    ),
})

/** The alerts of an app: what needs attention, and whom that is mailed to. */
export const alerts = (to: Connection) => ({
  /** Newest first. For members, ops and admins. */
  list: (appId: string, query?: api.ListAlertsData['query'], call?: CallOptions) =>
    to.list<api.ListAlertsData, api.AlertList, api.Alert>(
      '/api/v1/apps/{id}/alerts',
      { path: { id: appId }, query },
      ({ alerts }) => alerts,
      call,
    ),
  /** Whom alerts are mailed to. For owners and admins of the app. */
  settings: (appId: string, call?: CallOptions) =>
    to.get<api.GetAlertSettingsData, api.AlertSettingsAnswer>(
      '/api/v1/apps/{id}/alert-settings',
      { path: { id: appId } },
      call,
    ),
  setSettings: (appId: string, body: api.AlertSettingsInput, call?: CallOptions) =>
    to.put<api.SetAlertSettingsData, api.AlertSettingsAnswer>(
      '/api/v1/apps/{id}/alert-settings',
      { path: { id: appId }, body },
      call,
    ),
  /** Mails a test to each saved address. Never retried. @throws CairnError 429 beyond five an hour */
  test: (appId: string, call?: CallOptions) =>
    to.postOnce<api.SendTestMailsData, api.TestMails>(
      '/api/v1/apps/{id}/alert-settings/test',
      { path: { id: appId } },
      call,
    ),
})
