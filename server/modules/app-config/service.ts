import type { AppUser } from '../../platform/credentials/callers.ts'
import type { Actor } from '../../platform/database/audit.ts'
import { notFound } from '../../platform/errors.ts'
import { boundedJson } from '../../platform/http/bodies/bounded-json.ts'
import { assertConditions, type Conditions } from '../../platform/http/conditions.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import { type AppConfig, type AppConfigVersion, MAX_CONFIG_BYTES } from './schema.ts'
import type { ConfigStore } from './store.ts'

/** Who asks: an app by its key, or a full session of a user, who must be a member. */
export type ConfigCaller = { appId: string; keyId?: string; user?: AppUser }

type Deps = {
  store: ConfigStore
  /** @throws 404 if the user may not know the app, 403 without the role that the operation needs */
  assertRole: (appId: string, user: AppUser) => Promise<unknown>
}

export type ConfigService = ReturnType<typeof configService>

/** The live configuration of an app, and its earlier versions. */
export function configService({ store, assertRole }: Deps) {
  const assertMay = async ({ appId, user }: ConfigCaller) => {
    if (user) await assertRole(appId, user)
  }

  return {
    /** @param version the current one without it @throws 403, 404 */
    async get(caller: ConfigCaller, version?: number): Promise<{ version: number; value: AppConfig }> {
      await assertMay(caller)
      const found = await store.get(caller.appId, version)
      if (!found) throw notFound(version === undefined ? 'Configuration' : 'Version')
      return found
    },

    /** The versions that are kept, newest first. @throws 403, 404 */
    async versions(caller: ConfigCaller, query: PageQuery): Promise<Page<AppConfigVersion>> {
      await assertMay(caller)
      return store.page(caller.appId, query)
    },

    /** Writes the next version. @throws 403, 404, 412 if a condition does not hold, 413 if it is too large */
    async put(caller: ConfigCaller, value: AppConfig, conditions: Conditions, actor: Actor) {
      await assertMay(caller)
      const text = boundedJson(
        value,
        MAX_CONFIG_BYTES,
        (bytes) =>
          `The configuration has ${bytes} bytes as JSON; it can have up to ${MAX_CONFIG_BYTES}: make it smaller`,
      )
      const author = { userId: caller.user?.id ?? null, keyId: caller.keyId ?? null }
      const written = await store.put(caller.appId, text, { author, actor }, (version) =>
        assertConditions(conditions, version === undefined ? undefined : String(version)),
      )
      if (!written) throw notFound('App')
      return written
    },
  }
}
