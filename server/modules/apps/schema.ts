import { z } from 'zod'
import { httpAddress, moment } from '../../platform/schema.ts'

const Visibility = z
  .enum(['PUBLIC', 'PRIVATE'])
  .describe('PUBLIC apps appear in public listings; PRIVATE apps are accessible only to their owner')

export const App = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    imageUrl: httpAddress.nullable(),
    apiKey: z.string().describe('The app API key; masked (`cairn_<id>_…`) for everybody but the owner'),
    visibility: Visibility,
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'App' })
export type App = z.infer<typeof App>

export const AppList = z.object({ apps: z.array(App) }).meta({ id: 'AppList' })

export const NewApp = z
  .object({
    name: z.string().min(1).max(100),
    description: z.string().min(1).max(500),
    imageUrl: httpAddress.optional(),
    visibility: Visibility.default('PRIVATE'),
  })
  .meta({ id: 'NewApp' })
export type NewApp = z.infer<typeof NewApp>
