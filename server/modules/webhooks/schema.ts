import { z } from 'zod'
import { givenMoment, listCursor, listLimit, moment } from '../../platform/schema.ts'

/** What apps can be told of by webhooks (contract §8). */
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
  ])
  .meta({ id: 'EventType' })
export type EventType = z.infer<typeof EventType>

const url = z
  .string()
  .min(1)
  .max(2048)
  .describe('Where events are posted: https, on the public internet unless the operator names the host')
const description = z.string().max(2000)
const eventTypes = z
  .array(EventType)
  .min(1)
  .max(EventType.options.length)
  .refine((types) => new Set(types).size === types.length, 'must not repeat')
  .describe('What it is told of')

export const Webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    description: z.string().nullable(),
    eventTypes: z.array(EventType),
    enabled: z.boolean().describe('Nothing is sent to one that is not, and nothing new is kept for it'),
    disabledReason: z
      .string()
      .nullable()
      .describe('Why the service disabled it; null when it did not')
      .meta({ example: 'The receiver answered 410 Gone' }),
    disabledAt: moment.nullable(),
    failingSince: moment.nullable().describe('Since when nothing that was sent there arrived; null while things do'),
    createdAt: moment,
    updatedAt: moment,
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
    description: description.nullish().describe('null: none'),
    enabled: z
      .boolean()
      .optional()
      .describe('true: what is pending is sent now, and has its whole time again; false: sends nothing'),
  })
  .describe('Absent members stay as they are')
  .meta({ id: 'WebhookChange' })
export type WebhookChange = z.infer<typeof WebhookChange>

export const WebhookSecret = z
  .object({
    secret: z
      .string()
      .describe('What deliveries are signed with (Standard Webhooks)')
      .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
    previousUntil: moment.nullable().describe('Until when the one before signs beside it; null: there is none'),
  })
  .meta({ id: 'WebhookSecret' })
export type WebhookSecret = z.infer<typeof WebhookSecret>

export const WebhookWithSecret = Webhook.extend(WebhookSecret.shape).meta({ id: 'WebhookWithSecret' })
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>

export const SecretRotation = z
  .object({
    graceSeconds: z
      .int()
      .min(0)
      .max(2_592_000)
      .default(86_400)
      .describe('How long the secret before signs beside the new one'),
  })
  .meta({ id: 'SecretRotation' })

const Status = z.enum(['PENDING', 'DELIVERED', 'FAILED']).describe('FAILED: given up')

export const Delivery = z
  .object({
    id: z.uuid().describe('Of the event: what the header webhook-id carries, at each attempt and each webhook'),
    eventType: z.string().describe('One of the event types, or `ping`'),
    subject: z.string().describe('The id of what the event is about'),
    status: Status,
    attempts: z.int().min(0).describe('How often it was tried'),
    createdAt: moment.describe('When it happened'),
    nextAttemptAt: moment
      .nullable()
      .describe('null: not known, because another event of the subject goes first, or none'),
    settledAt: moment.nullable().describe('When it arrived or was given up'),
  })
  .meta({ id: 'WebhookDelivery' })
export type Delivery = z.infer<typeof Delivery>

export const DeliveryList = z.object({ deliveries: z.array(Delivery) }).meta({ id: 'WebhookDeliveryList' })

export const Attempt = z
  .object({
    at: moment,
    status: z.int().nullable().describe('Of the answer; null: there was none'),
    durationMs: z.int(),
    answer: z.string().nullable().describe('Its first 1,024 bytes'),
    error: z.string().nullable().describe('Why there was no answer'),
  })
  .meta({ id: 'WebhookAttempt' })
export type Attempt = z.infer<typeof Attempt>

export const DeliveryDetail = Delivery.extend({
  payload: z
    .object({ type: z.string(), timestamp: moment, data: z.record(z.string(), z.unknown()) })
    .describe('What is posted'),
  log: z.array(Attempt).describe('The attempts, first to last; of more than 50 the last ones'),
}).meta({ id: 'WebhookDeliveryDetail' })
export type DeliveryDetail = z.infer<typeof DeliveryDetail>

const text = z.string().min(1).max(255).optional()

export const DeliveryQuery = z.object({
  status: Status.optional(),
  eventType: text,
  subject: text,
  since: givenMoment.optional().describe('Events from then on'),
  until: givenMoment.optional().describe('Events before'),
  limit: listLimit(100, 1000),
  cursor: listCursor,
})
export type DeliveryQuery = z.infer<typeof DeliveryQuery>

export const Redelivery = z
  .object({ since: givenMoment.describe('Those of events from then on') })
  .meta({ id: 'WebhookRedelivery' })
export const RedeliveryAnswer = z
  .object({ deliveries: z.int().min(0).describe('How many are sent again') })
  .meta({ id: 'WebhookRedeliveryAnswer' })
