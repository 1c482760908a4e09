import { z } from 'zod'
import { chosenName, queryBoolean, timestamp } from '../../platform/schema.ts'

export const Standing = z.enum(['normal', 'hidden', 'banned'])
export type Standing = z.infer<typeof Standing>

/** A change of a player's standing, and who makes it. */
export type StandingChange = {
  appId: string
  playerId: string
  standing: Standing
  note: string | null
  actor: string
  address: string | null
}

const MOST_ATTRIBUTES = 16

export const AttributeName = z
  .string()
  .regex(/^[A-Za-z][\w.-]{0,31}$/, 'must be 1 to 32 letters, digits, ".", "_" or "-", and begin with a letter')
export const AttributeValue = z
  .string()
  .min(1)
  .max(64)
  .regex(/^\P{Cc}*$/u, 'must not have control characters')

/** What an app knows about a player. */
export const PlayerAttributes = z
  .record(AttributeName, AttributeValue)
  .refine((attributes) => Object.keys(attributes).length <= MOST_ATTRIBUTES, {
    error: `must have at most ${MOST_ATTRIBUTES} names`,
  })
  .meta({ id: 'PlayerAttributes' })
  .describe(
    `Up to ${MOST_ATTRIBUTES} texts of up to 64 characters by name, such as \`country\`, \`team\` or \`platform\`. Those in the \`segments\` of a mini game type have leaderboards of their own`,
  )
export type PlayerAttributes = z.infer<typeof PlayerAttributes>

export const Player = z
  .object({
    id: z.uuid(),
    displayName: z.string(),
    userId: z.string().nullable().describe('The linked user'),
    imageUrl: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    standing: Standing.optional().describe(
      '`hidden`: only the player sees its scores, and they count in no rank. `banned`: in addition, its scores and registrations are refused. Absent if it is `normal`, and unless the caller uses a server key',
    ),
    standingNote: z.string().nullable().optional().describe('Why. Present with `standing`'),
    attributes: PlayerAttributes.optional().describe(
      'Absent if there are none, and unless the caller uses a server key or is the player',
    ),
    bestScore: z
      .number()
      .nullable()
      .optional()
      .describe(
        'In a list with `includeScores`: the score that counts in the mini game (`scoreMode`); `null` without one, or while hidden',
      ),
    lastPlayedAt: timestamp
      .nullable()
      .optional()
      .describe('In a list with `includeScores`: when a score was last written, in any mini game'),
    sessionCount: z
      .int()
      .min(0)
      .optional()
      .describe('In a list with `includeScores`: how many game sessions it joined, of any mini game'),
  })
  .meta({ id: 'Player' })
export type Player = z.infer<typeof Player>

const SEEN = /[^\p{Default_Ignorable_Code_Point}\s]/u

/** Filters a list of players. */
const PlayerFilter = z.object({
  search: z
    .string()
    .max(255)
    .regex(SEEN, 'must have a visible character')
    .optional()
    .describe('Part of the display name; case-insensitive'),
})
const PlayerSort = z.enum(['createdAt', '-createdAt', 'displayName', '-displayName', 'bestScore', '-bestScore'])
export type PlayerSort = z.infer<typeof PlayerSort>

/** What a list of players shows, and in which order. */
export const PlayerListing = PlayerFilter.extend({
  standing: Standing.optional().describe('Only players of this standing. Not for client keys'),
  sort: PlayerSort.default('createdAt').describe(
    'Ascending, or descending with `-`. `-bestScore` is the best first, those without a score last; it reads all players of the app',
  ),
  includeScores: queryBoolean.default(false).describe('Adds `bestScore`, `lastPlayedAt` and `sessionCount`'),
  miniGameTypeId: z
    .string()
    .optional()
    .describe('The mini game of `bestScore`; the default game without it, or with `default`'),
})
export type PlayerListing = z.infer<typeof PlayerListing>

export const PlayerList = z.object({ players: z.array(Player) }).meta({ id: 'PlayerList' })

export const GlobalRanking = z
  .object({
    highestScore: z.number().describe('The score that counts: by default the best one (`scoreMode`)'),
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

/**
 * The body that creates a player; `PlayerUpdate` changes one. Display names are stored in NFC and trimmed, and are
 * unique in an app ignoring case.
 */
export const PlayerChange = z
  .object({
    displayName: chosenName
      .meta({ minLength: 1, maxLength: 255 })
      .describe(
        'Unique in the app, ignoring case; leading and trailing spaces are removed. Control characters, invisible ones and ones that change the direction of text return 400',
      ),
    userId: z.string().nullish().describe('The linked user; `null` for none. If omitted in an update, unchanged'),
    attributes: PlayerAttributes.optional(),
  })
  .meta({ id: 'PlayerChange' })
export type PlayerChange = z.infer<typeof PlayerChange>

const isSent = (value: unknown) => value !== undefined

/** The change of an existing player. */
export const PlayerUpdate = PlayerChange.partial({ displayName: true })
  .extend({
    attributes: PlayerAttributes.nullish().describe(
      'Replaces all attributes; `null` removes them. Moves the player on the running leaderboards of segments at once',
    ),
    standing: Standing.optional().describe(
      'If omitted, unchanged. A change takes effect on every running leaderboard at once, and is in the audit log',
    ),
    standingNote: z
      .string()
      .max(500)
      .nullish()
      .describe('Why the standing is set. Only with `standing`; without it, that change has no note'),
  })
  .refine(({ displayName, standing, attributes }) => [displayName, standing, attributes].some(isSent), {
    message: 'is required, unless standing or attributes is sent',
    path: ['displayName'],
  })
  .refine(({ standing, standingNote }) => standing !== undefined || standingNote === undefined, {
    message: 'is the note of a standing: send standing with it',
    path: ['standingNote'],
  })
  .meta({ id: 'PlayerUpdate' })
export type PlayerUpdate = z.infer<typeof PlayerUpdate>

export const ProfileImageForm = z
  .object({ image: z.string().meta({ format: 'binary' }) })
  .meta({ id: 'ProfileImageForm' })
export const ProfileImageAnswer = z.object({ imageUrl: z.url() }).meta({ id: 'ProfileImageAnswer' })
export const Success = z.object({ success: z.literal(true) }).meta({ id: 'Success' })
