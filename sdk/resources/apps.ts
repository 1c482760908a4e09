import type * as api from '../generated/types.gen.ts'
import { type Conditions, conditionHeaders } from '../http/conditions.ts'
import type { CallOptions, Connection, Tagged } from '../http/connection.ts'
import { type FollowOptions, followRecord } from '../http/event-stream.ts'

/** Apps, their keys and members. With a session. */
export const apps = (to: Connection) => ({
  /** The user's apps, oldest first. `all: true` lists everyone's apps with masked keys, for ops and admins. */
  list: (query?: api.ListAppsData['query'], call?: CallOptions) =>
    to.list<api.ListAppsData, api.AppList, api.App>('/api/v1/apps', { query }, ({ apps }) => apps, call),
  /** All public apps with masked keys, oldest first. */
  listPublic: (query?: api.ListPublicAppsData['query'], call?: CallOptions) =>
    to.list<api.ListPublicAppsData, api.AppList, api.App>('/api/v1/apps/public', { query }, ({ apps }) => apps, call),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetAppData, api.GetAppResponse>('/api/v1/apps/{id}', { path: { id } }, call),
  /** The app with its key masked, which is not audited. */
  getMasked: (id: string, call?: CallOptions) =>
    to.get<api.GetAppData, api.GetAppResponse>('/api/v1/apps/{id}', { path: { id }, query: { maskKeys: true } }, call),
  /** Creates an app and its key. Never retried, because the response contains a secret. */
  create: (body: api.NewAppInput, call?: CallOptions) =>
    to.postOnce<api.CreateAppData, api.CreateAppResponse>('/api/v1/apps', { body }, call),
  /** Copies what a team has set up into an app of its own, without players. Its key is masked here; `get` shows it. */
  copy: (id: string, body: api.AppCopyInput = {}, call?: CallOptions) =>
    to.post<api.CopyAppData, api.CopyAppResponse>('/api/v1/apps/{id}/copy', { path: { id }, body }, call),
  update: (id: string, body: api.AppChangeInput, call?: CallOptions) =>
    to.patchOnce<api.UpdateAppData, api.UpdateAppResponse>('/api/v1/apps/{id}', { path: { id }, body }, call),
  /** Counts of what deleting the app would delete. */
  contents: (id: string, call?: CallOptions) =>
    to.get<api.CountAppContentsData, api.AppContents>('/api/v1/apps/{id}/contents', { path: { id } }, call),
  /** Deletes an app and everything in it. `name` must match the app's name. */
  delete: (id: string, name: string, call?: CallOptions) =>
    to.delete<api.DeleteAppData>('/api/v1/apps/{id}', { path: { id }, query: { name } }, call),
  /** Creates a new key. The old one works for another `graceSeconds`. */
  rotateKey: (id: string, body: api.KeyRotationInput = {}, call?: CallOptions) =>
    to.postOnce<api.RotateApiKeyData, api.RotateApiKeyResponse>(
      '/api/v1/apps/{id}/api-key/rotate',
      { path: { id }, body },
      call,
    ),
  /** Calls by hour or day, and 4xx responses by cause. For members, ops and admins. */
  usage: (id: string, query?: api.GetAppUsageData['query'], call?: CallOptions) =>
    to.get<api.GetAppUsageData, api.AppUsage>('/api/v1/apps/{id}/usage', { path: { id }, query }, call),
  /** Who plays today compared with last week, busy boards, and what waits or fails. For members, ops and admins. */
  activity: (id: string, call?: CallOptions) =>
    to.get<api.GetAppActivityData, api.AppActivity>('/api/v1/apps/{id}/activity', { path: { id } }, call),
  /** The keys that still work, masked, newest first. */
  apiKeys: (id: string, call?: CallOptions) =>
    to.get<api.ListApiKeysData, api.ApiKeyList>('/api/v1/apps/{id}/api-keys', { path: { id } }, call),
  /** Creates an additional key. Never retried: only this response contains the key. @throws CairnError 409 beyond 20 keys */
  createKey: (id: string, body: api.NewApiKeyInput, call?: CallOptions) =>
    to.postOnce<api.CreateApiKeyData, api.ApiKeyWithSecret>('/api/v1/apps/{id}/api-keys', { path: { id }, body }, call),
  /** Revokes an additional key, or a rotated one before its grace period ends. @throws CairnError 409 for the current key */
  endKey: (id: string, keyId: string, call?: CallOptions) =>
    to.delete<api.RevokeApiKeyData>('/api/v1/apps/{id}/api-keys/{keyId}', { path: { id, keyId } }, call),
  /** In the order in which they became members. */
  members: (id: string, call?: CallOptions) =>
    to.get<api.ListAppMembersData, api.AppMemberList>('/api/v1/apps/{id}/members', { path: { id } }, call),
  /** @throws CairnError 404 for an unknown user; 409 for a member, and beyond 100 members */
  addMember: (id: string, body: api.NewAppMemberInput, call?: CallOptions) =>
    to.postOnce<api.AddAppMemberData, api.AppMember>('/api/v1/apps/{id}/members', { path: { id }, body }, call),
  /** @throws CairnError 409 for the only owner */
  setRole: (id: string, userId: string, role: api.AppRole, call?: CallOptions) =>
    to.patchOnce<api.UpdateAppMemberData, api.AppMember>(
      '/api/v1/apps/{id}/members/{userId}',
      { path: { id, userId }, body: { role } },
      call,
    ),
  /** Removes a member, or leaves the app. @throws CairnError 409 for the only owner */
  removeMember: (id: string, userId: string, call?: CallOptions) =>
    to.delete<api.RemoveAppMemberData>('/api/v1/apps/{id}/members/{userId}', { path: { id, userId } }, call),
  /** The pending invitations, oldest first. */
  invitations: (id: string, call?: CallOptions) =>
    to.get<api.ListAppInvitationsData, api.AppInvitationList>('/api/v1/apps/{id}/invitations', { path: { id } }, call),
  /** Never retried: only this response contains the token. @throws CairnError 409 beyond 50 pending invitations */
  invite: (id: string, role: api.AppRole, call?: CallOptions) =>
    to.postOnce<api.CreateAppInvitationData, api.AppInvitationWithToken>(
      '/api/v1/apps/{id}/invitations',
      { path: { id }, body: { role } },
      call,
    ),
  revokeInvitation: (id: string, invitationId: string, call?: CallOptions) =>
    to.delete<api.RevokeAppInvitationData>(
      '/api/v1/apps/{id}/invitations/{invitationId}',
      { path: { id, invitationId } },
      call,
    ),
  /** Makes the caller a member. @throws CairnError 404 unless the invitation is pending; 409 for a member */
  acceptInvitation: (token: string, call?: CallOptions) =>
    to.postOnce<api.AcceptAppInvitationData, api.AcceptedInvitation>(
      '/api/v1/invitations/accept',
      { body: { token } },
      call,
    ),
  /** A summary of the app. For members, ops and admins. */
  overview: (id: string, call?: CallOptions) =>
    to.get<api.GetAppOverviewData, api.AppOverview>('/api/v1/apps/{id}/overview', { path: { id } }, call),
})

type WhichApp = {
  /** The app, for a session of a member. An app key names its app itself. */
  appId?: string
}

/** The live configuration of an app. Requires its key, or a session of a member and `appId`. */
export const appConfig = (to: Connection) => ({
  /** The current configuration and its ETag, the version in quotation marks. @throws CairnError 404 before the first one */
  get: <Config = api.AppConfig>(query: WhichApp = {}, call?: CallOptions): Promise<Tagged<Config>> =>
    to.tagged<api.GetAppConfigData, Config>('/api/v1/apps/config', { query }, call),
  /** Makes this the next version. With a condition it is sent once only. @throws CairnError 412 if the condition does not hold */
  set: (body: object, { appId, ...conditions }: WhichApp & Conditions = {}, call?: CallOptions) =>
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
  version: <Config = api.AppConfig>(
    version: number,
    query: WhichApp = {},
    call?: CallOptions,
  ): Promise<Tagged<Config>> =>
    to.tagged<api.GetAppConfigVersionData, Config>(
      '/api/v1/apps/config/versions/{version}',
      { path: { version }, query },
      call,
    ),
  /** Yields the configuration now and after each change, without end. */
  follow: <Config = api.AppConfig>(query: WhichApp = {}, options?: FollowOptions) =>
    followRecord<Config>(to, { url: '/api/v1/apps/config/stream', query: () => query }, options),
})
