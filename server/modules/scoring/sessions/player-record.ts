import { z } from 'zod'
import { type Fields, readOnly } from '../../../platform/records/fields.ts'
import { timestamp } from '../../../platform/schema.ts'

/** What a game session shows of the place that a player has in it, beside the score. */
export const placeFields = {
  createdAt: { schema: timestamp, ...readOnly },
  updatedAt: { schema: timestamp, ...readOnly },
} as const satisfies Fields

/** What a game session shows of the player itself. */
export const shownPlayerFields = {
  displayName: { schema: z.string(), ...readOnly },
  imageUrl: { schema: z.string().nullable(), ...readOnly },
} as const satisfies Fields
