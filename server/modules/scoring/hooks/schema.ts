import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'

/** Hooks that an app can have. */
export const MAX_HOOKS = 100

const url = z
  .string()
  .min(1)
  .max(2048)
  .describe('Where scores are sent: https, on the public internet unless the operator names the host')
const onFailure = z
  .enum(['accept', 'hold'])
  .describe(
    'What happens to a score without a usable response within 2 s: `accept` writes it as it was sent, `hold` holds it for a review',
  )

export const ScoreHook = z
  .object({
    id: z.uuid(),
    miniGameTypeId: z
      .string()
      .nullable()
      .describe(
        'The type whose scores are sent, or `default` for the default game. `null`: those of all types without a hook of their own',
      ),
    url: z.string(),
    onFailure,
    enabled: z.boolean().describe('While `false`, it is not asked, as if there were no such hook'),
    lastError: z.string().nullable().describe('Why there was no usable response at `lastFailedAt`'),
    lastFailedAt: timestamp.nullable().describe('`null` if there was a usable response each time'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ScoreHook' })
export type ScoreHook = z.infer<typeof ScoreHook>

export const ScoreHookList = z.object({ scoreHooks: z.array(ScoreHook) }).meta({ id: 'ScoreHookList' })

export const NewScoreHook = z
  .object({
    miniGameTypeId: z
      .string()
      .nullish()
      .describe(
        'The ID of a type, or `default` for the default game. Absent or `null`: all types without a hook of their own',
      ),
    url,
    onFailure: onFailure.default('hold'),
  })
  .meta({ id: 'NewScoreHook' })
export type NewScoreHook = z.infer<typeof NewScoreHook>

export const ScoreHookChange = z
  .object({ url: url.optional(), onFailure: onFailure.optional(), enabled: z.boolean().optional() })
  .describe('Omitted members are unchanged')
  .meta({ id: 'ScoreHookChange' })
export type ScoreHookChange = z.infer<typeof ScoreHookChange>

export const ScoreHookWithSecret = ScoreHook.extend({
  secret: z
    .string()
    .describe('Signs the requests (Standard Webhooks). Only the responses of creation and rotation contain it')
    .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
}).meta({ id: 'ScoreHookWithSecret' })
export type ScoreHookWithSecret = z.infer<typeof ScoreHookWithSecret>

export const ScoreHookRotation = z
  .object({
    graceSeconds: z
      .int()
      .min(0)
      .max(2_592_000)
      .default(86_400)
      .describe('Seconds for which the previous secret signs too'),
  })
  .meta({ id: 'ScoreHookRotation' })
