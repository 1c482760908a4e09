import type * as api from '../generated/types.gen.ts'
import { type Conditions, conditionHeaders } from '../http/conditions.ts'
import type { CallOptions, Connection, Tagged } from '../http/connection.ts'
import { type FollowOptions, followRecord } from '../http/event-stream.ts'

type App = {
  /** The app, for a session of its owner. An app key names its app itself. */
  appId?: string
}

/** The live configuration of an app. Requires its key, or a session of its owner and `appId`. */
export const appConfig = (to: Connection) => ({
  /** The current configuration and its ETag, the version in quotation marks. @throws CairnError 404 before the first one */
  get: <Config = api.AppConfig>(query: App = {}, call?: CallOptions): Promise<Tagged<Config>> =>
    to.tagged<api.GetAppConfigData, Config>('/api/v1/apps/config', { query }, call),
  /** Makes this the next version. With a condition it is sent once only. @throws CairnError 412 if the condition does not hold */
  set: (body: object, { appId, ...conditions }: App & Conditions = {}, call?: CallOptions) =>
    to.put<api.SetAppConfigData, api.AppConfigVersion>(
      '/api/v1/apps/config',
      {
        body: body as api.AppConfigInput,
        query: appId === undefined ? {} : { appId },
        ...conditionHeaders(conditions),
      },
      call,
    ),
  /** The versions that are kept, newest first. */
  versions: (query?: api.ListAppConfigVersionsData['query'], call?: CallOptions) =>
    to.list<api.ListAppConfigVersionsData, api.AppConfigVersionList, api.AppConfigVersion>(
      '/api/v1/apps/config/versions',
      { query },
      ({ versions }) => versions,
      call,
    ),
  /** An earlier version. Send it to `set` to restore it. */
  version: <Config = api.AppConfig>(version: number, query: App = {}, call?: CallOptions): Promise<Tagged<Config>> =>
    to.tagged<api.GetAppConfigVersionData, Config>(
      '/api/v1/apps/config/versions/{version}',
      { path: { version }, query },
      call,
    ),
  /** Yields the configuration now and after each change, without end. */
  follow: <Config = api.AppConfig>(query: App = {}, options?: FollowOptions) =>
    followRecord<Config>(to, { url: '/api/v1/apps/config/stream', query: () => query }, options),
})
