import { z } from 'zod'

/** What a score of a mini game type must satisfy. What does not is held for a review. */
export const MiniGameTypeRules = z
  .strictObject({
    maxPerMinute: z
      .int()
      .min(1)
      .max(600)
      .optional()
      .describe(
        'Scores that a player may write in 60 seconds, in all sessions of the type, by the clock of the database. Held scores count, too',
      ),
    maxIncrease: z
      .number()
      .min(0)
      .optional()
      .describe(
        'How much better than the highest score of the player a score may be, in the direction of `sortOrder`. The first score of a player is not compared',
      ),
    minSessionSeconds: z
      .int()
      .min(1)
      .max(604_800)
      .optional()
      .describe(
        'Seconds from the registration of the player in the session until a score. Sessions created as COMPLETED are exempt',
      ),
    requireMetadata: z
      .array(z.string().min(1).max(64))
      .min(1)
      .max(16)
      .optional()
      .describe('Members that `metadata` must have'),
  })
  .describe(
    'A score that breaks a rule is held for a review. Scores outside the bounds are refused. Unknown rules are refused, unlike unknown members elsewhere: a misspelt rule would protect nothing',
  )
  .meta({ id: 'MiniGameTypeRules' })
export type MiniGameTypeRules = z.infer<typeof MiniGameTypeRules>

/** No rules are the same as empty ones. */
export const rulesOrNull = (rules: MiniGameTypeRules | null | undefined): MiniGameTypeRules | null =>
  rules && Object.values(rules).some((rule) => rule !== undefined) ? rules : null
