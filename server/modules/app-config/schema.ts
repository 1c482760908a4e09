import { z } from 'zod'
import { moment } from '../../platform/schema.ts'

/** The largest configuration, as JSON in UTF-8. */
export const MAX_CONFIG_BYTES = 256 * 1024
/** Versions kept of an app's configuration, the current one included. */
export const MAX_VERSIONS = 100

export const AppConfig = z
  .record(z.string(), z.unknown())
  .describe('Any JSON object of up to 256 KiB; its members are yours')
  .meta({ id: 'AppConfig' })
export type AppConfig = z.infer<typeof AppConfig>

export const AppConfigVersion = z
  .object({
    version: z.int().min(1).describe('Counts from 1 without gaps; the `ETag` is this number in quotation marks'),
    size: z.int().min(0).describe('Bytes of the configuration as JSON'),
    userId: z.uuid().nullable().describe('The user who wrote it; `null` if an app key did, or once the user is erased'),
    keyId: z.string().nullable().describe('The public part of the app key that wrote it; `null` if a user did'),
    createdAt: moment.describe('When it was written'),
  })
  .meta({ id: 'AppConfigVersion' })
export type AppConfigVersion = z.infer<typeof AppConfigVersion>

export const AppConfigVersionList = z
  .object({ versions: z.array(AppConfigVersion) })
  .meta({ id: 'AppConfigVersionList' })

/** Names the app in a request with a session. */
export const AppChoice = z.object({
  appId: z.string().max(255).optional().describe('The app, for its owner’s session; an app key names its app itself'),
})
