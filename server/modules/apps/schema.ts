import { z } from 'zod'
import { fileAddress, httpAddress, MAX_COUNTED, queryBoolean, timestamp } from '../../platform/schema.ts'

const Visibility = z
  .enum(['PUBLIC', 'PRIVATE'])
  .describe('PUBLIC apps appear in public listings; PRIVATE apps are accessible only to their members')

export const Environment = z
  .enum(['production', 'development'])
  .describe('Marks the app as the one that people play, or as one for development. It has no other effect')

export const AppRole = z
  .enum(['owner', 'admin', 'developer', 'moderator', 'viewer'])
  .describe('What a member may do; each role includes those after it')
  .meta({ id: 'AppRole' })

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
      .describe(
        "The app's API key, masked (`cairn_<id>_…`) for everyone but owners and admins of the app and in sessions created with a six-digit code",
      ),
    visibility: Visibility,
    environment: Environment,
    createdAt: timestamp,
    updatedAt: timestamp,
    role: AppRole.optional().describe("The caller's role; present for members"),
    ownerId: z
      .uuid()
      .nullable()
      .optional()
      .describe("The owner; present only in the list of everyone's apps, for ops and admins"),
  })
  .meta({ id: 'App' })
export type App = z.infer<typeof App>

export const AppList = z.object({ apps: z.array(App) }).meta({ id: 'AppList' })

/** How keys are shown. */
export const KeyForm = z.object({
  maskKeys: queryBoolean.default(false).describe('Mask the API key, which is not audited'),
})

/** Filters a list of apps. */
export const AppFilter = z.object({
  all: queryBoolean.default(false).describe("List everyone's apps; requires ops or admin"),
})

export const NewApp = z
  .object({
    name,
    description,
    imageUrl: fileAddress.optional(),
    visibility: Visibility.default('PRIVATE'),
    environment: Environment.default('production'),
  })
  .meta({ id: 'NewApp' })
export type NewApp = z.infer<typeof NewApp>

export const AppChange = z
  .object({
    name: name.optional(),
    description: description.optional(),
    imageUrl: fileAddress.nullish().describe('`null` removes the image'),
    visibility: Visibility.optional(),
    environment: Environment.optional(),
  })
  .describe('Omitted members are unchanged')
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
      .describe('Seconds for which older keys keep working; a key that ends earlier still does'),
  })
  .meta({ id: 'KeyRotation' })

export const AppDeletion = z.object({
  name: z
    .string()
    .max(1000)
    .optional()
    .describe("The app's exact name; without it, the response says what would be deleted"),
})

const count = z.int().min(0)

/** What deleting an app deletes. */
export const AppContents = z
  .object({
    players: count,
    gameSessions: count,
    scores: count.max(MAX_COUNTED).describe('Written scores; 10000 means 10,000 or more'),
    miniGameTypes: count.describe('Without the default game and hidden types'),
    keys: count.describe('Keys that still work'),
  })
  .meta({ id: 'AppContents' })
export type AppContents = z.infer<typeof AppContents>
