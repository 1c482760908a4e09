import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** Apps and their keys. For their owners, with a session. */
export const apps = (to: Connection) => ({
  /** The signed-in user's apps, oldest first. `all: true`: everybody's, keys masked, for ops and admins. */
  list: (query?: api.GetApiV1AppsData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1AppsData, api.AppList, api.App>('/api/v1/apps', { query }, ({ apps }) => apps, call),
  /** Everybody's PUBLIC apps, oldest first, their keys masked. */
  listPublic: (query?: api.GetApiV1AppsPublicData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1AppsPublicData, api.AppList, api.App>(
      '/api/v1/apps/public',
      { query },
      ({ apps }) => apps,
      call,
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetApiV1AppsByIdData, api.GetApiV1AppsByIdResponse>('/api/v1/apps/{id}', { path: { id } }, call),
  /** Makes an app and its key. It is sent a single time: the answer holds a secret, which is not kept to be repeated. */
  create: (body: api.NewAppInput, call?: CallOptions) =>
    to.postOnce<api.PostApiV1AppsData, api.PostApiV1AppsResponse>('/api/v1/apps', { body }, call),
  update: (id: string, body: api.AppChangeInput, call?: CallOptions) =>
    to.patchOnce<api.PatchApiV1AppsByIdData, api.PatchApiV1AppsByIdResponse>(
      '/api/v1/apps/{id}',
      { path: { id }, body },
      call,
    ),
  /** How much removing the app would take along. */
  contents: (id: string, call?: CallOptions) =>
    to.get<api.GetApiV1AppsByIdContentsData, api.AppContents>('/api/v1/apps/{id}/contents', { path: { id } }, call),
  /** Removes an app with everything it has. `name` is the app's, to be sure it is the right one. */
  delete: (id: string, name: string, call?: CallOptions) =>
    to.delete<api.DeleteApiV1AppsByIdData>('/api/v1/apps/{id}', { path: { id }, query: { name } }, call),
  /** Another key. The old one works for `graceSeconds` more. */
  rotateKey: (id: string, body: api.KeyRotationInput = {}, call?: CallOptions) =>
    to.postOnce<api.PostApiV1AppsByIdApiKeyRotateData, api.PostApiV1AppsByIdApiKeyRotateResponse>(
      '/api/v1/apps/{id}/api-key/rotate',
      { path: { id }, body },
      call,
    ),
  /** What came with the app's keys: calls by the hour or by the day, and what was refused, by cause. For its owner, ops and admins. */
  usage: (id: string, query?: api.GetApiV1AppsByIdUsageData['query'], call?: CallOptions) =>
    to.get<api.GetApiV1AppsByIdUsageData, api.AppUsage>('/api/v1/apps/{id}/usage', { path: { id }, query }, call),
  /** The keys that still work, masked, newest first. */
  apiKeys: (id: string, call?: CallOptions) =>
    to.get<api.GetApiV1AppsByIdApiKeysData, api.ApiKeyList>('/api/v1/apps/{id}/api-keys', { path: { id } }, call),
  /** Ends a key that was replaced before its grace is over. @throws CairnError 409 for the one in use */
  endKey: (id: string, keyId: string, call?: CallOptions) =>
    to.delete<api.DeleteApiV1AppsByIdApiKeysByKeyIdData>(
      '/api/v1/apps/{id}/api-keys/{keyId}',
      { path: { id, keyId } },
      call,
    ),
  /** The app at a glance. For its owner, ops and admins. */
  overview: (id: string, call?: CallOptions) =>
    to.get<api.GetApiV1AppsByIdOverviewData, api.AppOverview>('/api/v1/apps/{id}/overview', { path: { id } }, call),
})
