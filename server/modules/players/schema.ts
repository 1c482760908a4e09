import { z } from 'zod'
import { chosenName, moment } from '../../platform/schema.ts'

export const Player = z
  .object({
    id: z.uuid(),
    displayName: z.string(),
    userId: z.string().nullable().describe('The linked user'),
    imageUrl: z.string().nullable(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Player' })
export type Player = z.infer<typeof Player>

const SEEN = /[^\p{Default_Ignorable_Code_Point}\s]/u

/** Filters a list of players. */
export const PlayerFilter = z.object({
  search: z
    .string()
    .max(255)
    .regex(SEEN, 'must have a visible character')
    .optional()
    .describe('Part of the display name; case-insensitive'),
})
export type PlayerFilter = z.infer<typeof PlayerFilter>

export const PlayerList = z.object({ players: z.array(Player) }).meta({ id: 'PlayerList' })

export const GlobalRanking = z
  .object({
    highestScore: z.number(),
    ranking: z.int().min(1).describe('1 + the number of players of this app and type with a better highest score'),
    miniGameTypeName: z.string().nullable().describe('`null` for the default game'),
    miniGameTypeId: z.string().nullable().describe('`null` for the default game'),
  })
  .meta({ id: 'GlobalRanking' })
export type GlobalRanking = z.infer<typeof GlobalRanking>

export const PlayerWithRankings = Player.extend({
  globalRankings: z.array(GlobalRanking).describe('One entry for each mini game type with a written score'),
  appName: z.string(),
}).meta({ id: 'PlayerWithGlobalRankings' })
export type PlayerWithRankings = z.infer<typeof PlayerWithRankings>

/** Display names are stored in NFC and trimmed, and are unique in an app ignoring case. */
export const PlayerChange = z
  .object({
    displayName: chosenName
      .meta({ minLength: 1, maxLength: 255 })
      .describe('Unique in the app, ignoring case; leading and trailing spaces are removed'),
    userId: z.string().nullish().describe('The linked user; `null` for none. If omitted in an update, unchanged'),
  })
  .meta({ id: 'PlayerChange' })
export type PlayerChange = z.infer<typeof PlayerChange>

export const ProfileImageForm = z
  .object({ image: z.string().meta({ format: 'binary' }) })
  .meta({ id: 'ProfileImageForm' })
export const ProfileImageAnswer = z.object({ imageUrl: z.url() }).meta({ id: 'ProfileImageAnswer' })
export const Success = z.object({ success: z.literal(true) }).meta({ id: 'Success' })
