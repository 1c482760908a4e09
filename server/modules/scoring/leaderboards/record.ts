import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'
import { ScoreMetadata } from '../scores/schema.ts'

export type EntryField = { schema: z.ZodType; sql: string; isFileAddress?: true; isOptional?: true }

/** The stored fields of a leaderboard entry, read from a best `b`, its player `p`, and the place `sp` in its session. */
export const entryFields = {
  playerId: { schema: z.uuid(), sql: 'b.player_id' },
  playerDisplayName: { schema: z.string(), sql: 'p.display_name' },
  playerScore: { schema: z.number(), sql: 'b.score' },
  createdAt: { schema: timestamp.describe('When the player joined the session of this score'), sql: 'sp.created_at' },
  updatedAt: { schema: timestamp.describe('When the score was last written'), sql: 'sp.updated_at' },
  gameSessionId: { schema: z.uuid(), sql: 'sp.session_id' },
  playerImageUrl: { schema: z.string().nullable(), sql: 'p.image_url', isFileAddress: true },
  userId: { schema: z.string().nullable(), sql: 'p.user_id' },
  metadata: {
    schema: ScoreMetadata.optional().describe('Present only if the score has metadata'),
    sql: 'sp.metadata',
    isOptional: true,
  },
} as const satisfies Record<string, EntryField>

type Shape = { [Name in keyof typeof entryFields]: (typeof entryFields)[Name]['schema'] }
export const entryShape = Object.fromEntries(
  Object.entries(entryFields).map(([name, { schema }]) => [name, schema]),
) as Shape
