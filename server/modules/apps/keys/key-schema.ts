import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'

const KeyKind = z
  .enum(['server', 'client'])
  .describe(
    '`server`: all rights of the app; keep it on your server. `client`: may ship in a game; reads boards and players, exchanges codes, and writes nothing',
  )

const ApiKey = z.object({
  id: z.string().describe('The public part of the key: the `<id>` in `prefix`'),
  prefix: z.string().describe('The masked key: `cairn_<id>_…`, or `cairn_client_<id>_…`'),
  kind: KeyKind,
  name: z.string().describe("`default` for the key in the app's record"),
  createdAt: timestamp,
  endsAt: timestamp.nullable().describe('When the grace period of the key ends; `null` if the key does not end'),
  lastUsedAt: timestamp
    .nullable()
    .describe('Accurate to about ten seconds; `null` if never used, or not since recording began'),
  isCurrent: z.boolean().describe("Whether this is the key in the app's record, which rotation replaces"),
  callsLastHour: z.int().min(0).describe('Requests made with the key in the last 60 minutes'),
})

export const ApiKeyList = z.object({ apiKeys: z.array(ApiKey) }).meta({ id: 'ApiKeyList' })
export type ApiKeyList = z.infer<typeof ApiKeyList>

export const NewApiKey = z
  .object({ kind: KeyKind, name: z.string().min(1).max(100).describe('What the key is for') })
  .meta({ id: 'NewApiKey' })
export type NewApiKey = z.infer<typeof NewApiKey>

export const ApiKeyWithSecret = ApiKey.extend({
  apiKey: z.string().describe('The whole key. Only this response contains it'),
}).meta({ id: 'ApiKeyWithSecret' })
export type ApiKeyWithSecret = z.infer<typeof ApiKeyWithSecret>
