import { z } from 'zod'
import { listCursor, listLimit, timestamp, timestampInput } from '../../platform/schema.ts'

/** The events that webhooks can receive. */
export const EventType = z
  .enum([
    'player.created',
    'player.updated',
    'player.deleted',
    'game_session.created',
    'game_session.completed',
    'score.updated',
    'scan.completed',
    'scan.failed',
    'csv_upload.completed',
    'csv_upload.failed',
    'file.converted',
    'file.failed',
    'gcp_photo.checked',
    'app_config.updated',
    'season.ended',
    'score.held',
    'score.reviewed',
    'fence.entered',
    'fence.exited',
    'fence.dwelled',
    'check_in.accepted',
    'check_in.held',
    'check_in.rejected',
    'alert.opened',
    'alert.ended',
  ])
  .meta({ id: 'EventType' })
export type EventType = z.infer<typeof EventType>

const url = z
  .string()
  .min(1)
  .max(2048)
  .describe('Where events are sent: https, on the public internet unless the operator names the host')
const description = z.string().max(2000)
const eventTypes = z
  .array(EventType)
  .min(1)
  .max(EventType.options.length)
  .refine((types) => new Set(types).size === types.length, 'must not repeat')
  .describe('The events it receives')

export const Webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    description: z.string().nullable(),
    eventTypes: z.array(EventType),
    enabled: z.boolean().describe('While `false`, nothing is sent and nothing new is stored for it'),
    disabledReason: z
      .string()
      .nullable()
      .describe('Why the service disabled the webhook; `null` if it did not')
      .meta({ example: 'The receiver answered 410 Gone' }),
    disabledAt: timestamp.nullable().describe('When it was disabled; `null` while it is enabled'),
    failingSince: timestamp.nullable().describe('When deliveries began to fail; `null` while they arrive'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

export const WebhookList = z.object({ webhooks: z.array(Webhook) }).meta({ id: 'WebhookList' })

export const NewWebhook = z.object({ url, eventTypes, description: description.nullish() }).meta({ id: 'NewWebhook' })
export type NewWebhook = z.infer<typeof NewWebhook>

export const WebhookChange = z
  .object({
    url: url.optional(),
    eventTypes: eventTypes.optional(),
    description: description.nullish().describe('`null` clears it'),
    enabled: z
      .boolean()
      .optional()
      .describe('`true`: sends pending deliveries now and retries them for the full 3 days; `false`: sends nothing'),
  })
  .describe('Omitted members are unchanged')
  .meta({ id: 'WebhookChange' })
export type WebhookChange = z.infer<typeof WebhookChange>

export const WebhookSecret = z
  .object({
    secret: z
      .string()
      .describe('Signs the deliveries (Standard Webhooks)')
      .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
    previousUntil: timestamp.nullable().describe('Until when the previous secret signs too; `null` if there is none'),
  })
  .meta({ id: 'WebhookSecret' })
export type WebhookSecret = z.infer<typeof WebhookSecret>

export const WebhookWithSecret = Webhook.extend(WebhookSecret.shape).meta({ id: 'WebhookWithSecret' })
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>

/** How long both secrets sign after a rotation. */
export const graceSeconds = z
  .int()
  .min(0)
  .max(2_592_000)
  .default(86_400)
  .describe('Seconds for which the previous secret signs too')

export const SecretRotation = z.object({ graceSeconds }).meta({ id: 'SecretRotation' })

const Status = z.enum(['PENDING', 'DELIVERED', 'FAILED']).describe('`FAILED`: no longer retried')

export const Delivery = z
  .object({
    id: z.uuid().describe('The ID of the event: the header webhook-id of each attempt, the same at each webhook'),
    eventType: z.string().describe('An event type, or `ping`'),
    subject: z.string().describe('The ID of the record that the event is about'),
    status: Status,
    attempts: z.int().min(0).describe('Number of attempts'),
    createdAt: timestamp.describe('When the event happened'),
    lastStatus: z
      .int()
      .nullable()
      .describe('The status of the last response; `null` if there was none, or no attempt yet'),
    nextAttemptAt: timestamp
      .nullable()
      .describe('`null` if unknown, because an earlier event of the subject is pending, or if there is none'),
    settledAt: timestamp.nullable().describe('When it arrived or failed'),
  })
  .meta({ id: 'WebhookDelivery' })
export type Delivery = z.infer<typeof Delivery>

export const DeliveryList = z.object({ deliveries: z.array(Delivery) }).meta({ id: 'WebhookDeliveryList' })

export const Attempt = z
  .object({
    at: timestamp,
    status: z.int().nullable().describe('The status of the response; `null` if there was none'),
    durationMs: z.int().describe('How long the attempt took'),
    answer: z.string().nullable().describe('The first 1 KiB of the response'),
    error: z.string().nullable().describe('Why there was no response'),
  })
  .meta({ id: 'WebhookAttempt' })
export type Attempt = z.infer<typeof Attempt>

export const DeliveryDetail = Delivery.extend({
  payload: z
    .object({ type: z.string(), timestamp: timestamp, data: z.record(z.string(), z.unknown()) })
    .describe('The body that is sent'),
  log: z.array(Attempt).describe('The attempts, oldest first; the last 50 at most'),
}).meta({ id: 'WebhookDeliveryDetail' })
export type DeliveryDetail = z.infer<typeof DeliveryDetail>

const text = z.string().min(1).max(255).optional()

export const DeliveryQuery = z.object({
  status: Status.optional(),
  eventType: text.describe('Events of this type'),
  subject: text.describe('Events about the record with this ID'),
  since: timestampInput.optional().describe('Events at or after this time'),
  until: timestampInput.optional().describe('Events before this time'),
  limit: listLimit(100, 1000),
  cursor: listCursor,
})
export type DeliveryQuery = z.infer<typeof DeliveryQuery>

export const Redelivery = z
  .object({ since: timestampInput.describe('Resends events at or after this time') })
  .meta({ id: 'WebhookRedelivery' })
export const RedeliveryAnswer = z
  .object({ deliveries: z.int().min(0).describe('Number of deliveries sent again') })
  .meta({ id: 'WebhookRedeliveryAnswer' })
