import { z } from 'zod'
import { fileAddress, httpAddress, MOST_COUNTED, moment, queryBoolean } from '../../platform/schema.ts'

const Visibility = z
  .enum(['PUBLIC', 'PRIVATE'])
  .describe('PUBLIC apps appear in public listings; PRIVATE apps are accessible only to their owner')

const name = z.string().min(1).max(100)
const description = z.string().min(1).max(500)

export const App = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    imageUrl: httpAddress.nullable(),
    apiKey: z
      .string()
      .describe('The app API key; masked (`cairn_<id>_…`) for everybody but the owner, and in a session from a code'),
    visibility: Visibility,
    createdAt: moment,
    updatedAt: moment,
    ownerId: z.uuid().nullable().optional().describe('Whose it is: in the list of all apps alone, for ops and admins'),
  })
  .meta({ id: 'App' })
export type App = z.infer<typeof App>

export const AppList = z.object({ apps: z.array(App) }).meta({ id: 'AppList' })

/** Which apps a list shows. */
export const AppFilter = z.object({
  all: queryBoolean.default(false).describe("Everybody's apps, for ops and admins"),
})

export const NewApp = z
  .object({
    name,
    description,
    imageUrl: fileAddress.optional(),
    visibility: Visibility.default('PRIVATE'),
  })
  .meta({ id: 'NewApp' })
export type NewApp = z.infer<typeof NewApp>

export const AppChange = z
  .object({
    name: name.optional(),
    description: description.optional(),
    imageUrl: fileAddress.nullish().describe('null: none'),
    visibility: Visibility.optional(),
  })
  .describe('Absent members stay as they are')
  .meta({ id: 'AppChange' })
export type AppChange = z.infer<typeof AppChange>

/** 30 days. */
const LONGEST_GRACE = 2_592_000

export const KeyRotation = z
  .object({
    graceSeconds: z
      .int()
      .min(0)
      .max(LONGEST_GRACE)
      .default(0)
      .describe('How long the keys before go on working; one that is to end earlier still does'),
  })
  .meta({ id: 'KeyRotation' })

export const AppDeletion = z.object({
  name: z.string().max(1000).optional().describe("The app's name, exactly: without it the answer says what would go"),
})

const count = z.int().min(0)

/** What a deletion takes along. */
export const AppContents = z
  .object({
    players: count,
    gameSessions: count,
    scores: count.max(MOST_COUNTED).describe('Written ones; 10000: so many or more'),
    miniGameTypes: count.describe('Without the default game and hidden ones'),
    keys: count.describe('Those that still work'),
  })
  .meta({ id: 'AppContents' })
export type AppContents = z.infer<typeof AppContents>
