import { z } from 'zod'
import { timestamp } from '../../platform/schema.ts'

/** A day. */
const LONGEST_SECONDS = 86_400

export const NewPlayerToken = z
  .object({
    playerId: z.string().describe('A player of the app'),
    lifetimeSeconds: z.int().min(1).max(LONGEST_SECONDS).default(3600),
  })
  .meta({ id: 'NewPlayerToken' })
export type NewPlayerToken = z.infer<typeof NewPlayerToken>

export const PlayerToken = z
  .object({
    playerToken: z.string().describe('A JWT. Send it in the header `Authorization: Bearer`, beside an app key'),
    expiryTime: timestamp,
  })
  .meta({ id: 'PlayerToken' })
export type PlayerToken = z.infer<typeof PlayerToken>
