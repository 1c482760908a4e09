import { png } from '../content/glb.ts'
import { formOf, withTexts } from '../multipart.ts'
import type { Tenant } from './access-world.ts'

type Call = { path: string; body?: unknown; headers?: Record<string, string> }

/**
 * What an operation needs, and what it answers to whom.
 * - `appKey`, `user`, `ops`, `admin`: without that credential 401 (ops and admin: 403 to a user without the role).
 * - `optionalUser`, `open`: no credential needed; a bad one, where one is taken, is 401 all the same.
 * `stranger`: the status for the same request with the good credential of another tenant. Absent: there the operation
 * answers about the caller's own things, so it succeeds.
 */
export type Rule = {
  needs: 'appKey' | 'user' | 'ops' | 'admin' | 'optionalUser' | 'open'
  ok: number
  stranger?: number
  /** The status for the owner's own session when it came from a six-digit code. Absent: as for any other. */
  limited?: number
  call: (tenant: Tenant) => Call | Promise<Call>
}

const apps = '/api/v1/apps'

const key = (ok: number, stranger: number | undefined, call: Rule['call']): Rule => ({
  needs: 'appKey',
  ok,
  ...(stranger ? { stranger } : {}),
  call,
})
const user = (ok: number, stranger: number | undefined, call: Rule['call'], limited?: number): Rule => ({
  needs: 'user',
  ok,
  ...(stranger ? { stranger } : {}),
  ...(limited ? { limited } : {}),
  call,
})
const open = (call: Rule['call'], ok = 200): Rule => ({ needs: 'open', ok, call })
const optional = (call: Rule['call'], rest: Partial<Rule> = {}): Rule => ({
  needs: 'optionalUser',
  ok: 200,
  ...rest,
  call,
})

const at = (path: string, body?: unknown): Call => (body === undefined ? { path } : { path, body })
const tus = { 'tus-resumable': '1.0.0' }
const gcpBody = { title: 'Moved', gcpType: 'SINGLE' }
const badToken = { token: 'hello' }
const webhook = { url: 'https://hooks.example.org/cairn', eventTypes: ['score.updated'] }

/** What GIS clients read, of one collection. */
const features = (id: string, one: (tenant: Tenant) => unknown | Promise<unknown>): Record<string, Rule> => ({
  [`GET /ogc/collections/${id}`]: open(() => at(`/ogc/collections/${id}`)),
  [`GET /ogc/collections/${id}/queryables`]: open(() => at(`/ogc/collections/${id}/queryables`)),
  [`GET /ogc/collections/${id}/schema`]: open(() => at(`/ogc/collections/${id}/schema`)),
  [`GET /ogc/collections/${id}/geojson-schema`]: open(() => at(`/ogc/collections/${id}/geojson-schema`)),
  [`GET /ogc/collections/${id}/items`]: open(() => at(`/ogc/collections/${id}/items`)),
  [`GET /ogc/collections/${id}/items/{featureId}`]: open(async (t) =>
    at(`/ogc/collections/${id}/items/${await one(t)}`),
  ),
})

/** Every operation of the OpenAPI document. One that is missing here fails the suite. */
export const accessTable: Record<string, Rule> = {
  'POST /auth/exchange': open(() => at('/auth/exchange', badToken), 401),
  'POST /auth/sync': user(200, undefined, () => at('/auth/sync')),
  'POST /auth/sign-out': { ...user(204, undefined, () => at('/auth/sign-out')) },
  'POST /auth/codes': user(200, undefined, () => at('/auth/codes', {}), 403),
  'POST /auth/codes/exchange': open(() => at('/auth/codes/exchange', { code: '000000' })),
  'GET /.well-known/jwks.json': open(() => at('/.well-known/jwks.json')),

  'GET /api/v1/user': user(200, undefined, () => at('/api/v1/user')),
  'PATCH /api/v1/user': user(200, undefined, (t) => at('/api/v1/user', { username: `name-${t.userId}` })),
  'DELETE /api/v1/user': user(409, undefined, () => at('/api/v1/user'), 403),
  'GET /api/v1/user/quotas': user(200, undefined, () => at('/api/v1/user/quotas')),
  'GET /api/v1/user/export': user(200, undefined, () => at('/api/v1/user/export'), 403),
  'GET /api/v1/user/files': user(200, undefined, () => at('/api/v1/user/files')),
  'GET /api/v1/user/files/{fileId}': user(200, 404, (t) => at(`/api/v1/user/files/${t.fileId}`)),
  'DELETE /api/v1/user/files/{fileId}': user(204, 404, async (t) => at(`/api/v1/user/files/${await t.newFile()}`)),
  'GET /api/v1/user/scans': user(200, undefined, () => at('/api/v1/user/scans')),
  'POST /api/v1/user/scans': user(201, undefined, () =>
    at('/api/v1/user/scans', formOf({ name: 'a.txt', bytes: 'a scan' })),
  ),
  'GET /api/v1/user/scans/{id}': user(200, 404, (t) => at(`/api/v1/user/scans/${t.scan}`)),
  'GET /api/v1/user/scans/{id}/stream': user(200, 404, (t) => at(`/api/v1/user/scans/${t.scan}/stream`)),
  'PATCH /api/v1/user/scans/{id}': user(200, 404, (t) => at(`/api/v1/user/scans/${t.scan}`, { title: 'Renamed' })),
  'DELETE /api/v1/user/scans/{id}': user(204, 404, async (t) => at(`/api/v1/user/scans/${await t.newScan()}`)),
  'POST /api/v1/user/scans/{id}/retry': user(409, 404, (t) => at(`/api/v1/user/scans/${t.scan}/retry`)),
  'GET /api/v1/scans/public-scans': key(200, undefined, () => at('/api/v1/scans/public-scans')),

  'GET /api/v1/users': { needs: 'ops', ok: 200, call: () => at('/api/v1/users') },
  'GET /api/v1/users/{id}': { needs: 'ops', ok: 200, call: (t) => at(`/api/v1/users/${t.userId}`) },
  'PUT /api/v1/users/{id}/roles': {
    needs: 'admin',
    ok: 200,
    call: (t) => at(`/api/v1/users/${t.userId}/roles`, { roles: [] }),
  },
  'GET /api/v1/audit-log': { needs: 'ops', ok: 200, call: () => at('/api/v1/audit-log') },
  'GET /api/v1/box/health': { needs: 'ops', ok: 200, call: () => at('/api/v1/box/health') },
  'GET /api/v1/box/jobs': { needs: 'ops', ok: 200, call: () => at('/api/v1/box/jobs') },
  'POST /api/v1/box/jobs/{queue}/{id}/retry': {
    needs: 'admin',
    ok: 404,
    call: (t) => at(`/api/v1/box/jobs/scan/${t.scan}/retry`),
  },
  'GET /api/v1/box/limits': { needs: 'ops', ok: 200, call: () => at('/api/v1/box/limits') },

  [`GET ${apps}`]: user(200, undefined, () => at(apps)),
  [`POST ${apps}`]: user(201, undefined, () => at(apps, { name: 'New', description: 'App' }), 403),
  [`GET ${apps}/public`]: open(() => at(`${apps}/public`)),
  [`GET ${apps}/{id}`]: optional((t) => at(`${apps}/${t.appId}`), { stranger: 404 }),
  [`PATCH ${apps}/{id}`]: user(200, 404, (t) => at(`${apps}/${t.appId}`, { description: 'Changed' }), 403),
  [`DELETE ${apps}/{id}`]: user(204, 404, async (t) => at(`${apps}/${await t.newApp()}?name=Spare`), 403),
  [`POST ${apps}/{id}/api-key/rotate`]: user(
    200,
    404,
    async (t) => at(`${apps}/${await t.newApp()}/api-key/rotate`, {}),
    403,
  ),

  [`GET ${apps}/{id}/usage`]: user(200, 404, (t) => at(`${apps}/${t.appId}/usage`)),
  [`GET ${apps}/{id}/contents`]: user(200, 404, (t) => at(`${apps}/${t.appId}/contents`)),
  [`GET ${apps}/{id}/overview`]: user(200, 404, (t) => at(`${apps}/${t.appId}/overview`)),
  [`GET ${apps}/{id}/api-keys`]: user(200, 404, (t) => at(`${apps}/${t.appId}/api-keys`)),
  [`DELETE ${apps}/{id}/api-keys/{keyId}`]: user(204, 404, async (t) => at(await t.oldKey()), 403),

  [`GET ${apps}/{id}/webhooks`]: user(200, 404, (t) => at(`${apps}/${t.appId}/webhooks`), 403),
  [`POST ${apps}/{id}/webhooks`]: user(201, 404, (t) => at(`${apps}/${t.appId}/webhooks`, webhook), 403),
  [`GET ${apps}/{id}/webhooks/{webhookId}`]: user(200, 404, async (t) => at(await t.newWebhook()), 403),
  [`PATCH ${apps}/{id}/webhooks/{webhookId}`]: user(200, 404, async (t) => at(await t.newWebhook(), {}), 403),
  [`DELETE ${apps}/{id}/webhooks/{webhookId}`]: user(204, 404, async (t) => at(await t.newWebhook()), 403),
  [`GET ${apps}/{id}/webhooks/{webhookId}/secret`]: user(
    200,
    404,
    async (t) => at(`${await t.newWebhook()}/secret`),
    403,
  ),
  [`POST ${apps}/{id}/webhooks/{webhookId}/rotate-secret`]: user(
    200,
    404,
    async (t) => at(`${await t.newWebhook()}/rotate-secret`, {}),
    403,
  ),
  [`POST ${apps}/{id}/webhooks/{webhookId}/test`]: user(201, 404, async (t) => at(`${await t.newWebhook()}/test`), 403),
  [`GET ${apps}/{id}/webhooks/{webhookId}/deliveries`]: user(
    200,
    404,
    async (t) => at(`${await t.newWebhook()}/deliveries`),
    403,
  ),
  [`POST ${apps}/{id}/webhooks/{webhookId}/redeliver-failed`]: user(
    200,
    404,
    async (t) => at(`${await t.newWebhook()}/redeliver-failed`, { since: '2026-01-01T00:00:00Z' }),
    403,
  ),
  [`GET ${apps}/{id}/webhooks/{webhookId}/deliveries/{deliveryId}`]: user(
    200,
    404,
    async (t) => at(await t.newDelivery()),
    403,
  ),
  [`POST ${apps}/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver`]: user(
    200,
    404,
    async (t) => at(`${await t.newDelivery()}/redeliver`),
    403,
  ),

  [`GET ${apps}/players`]: key(200, undefined, () => at(`${apps}/players`)),
  [`POST ${apps}/players`]: key(200, undefined, () => at(`${apps}/players`, { displayName: `P${Math.random()}` })),
  [`GET ${apps}/players/{id}`]: key(200, 404, (t) => at(`${apps}/players/${t.player}`)),
  [`PATCH ${apps}/players/{id}`]: key(200, 403, (t) => at(`${apps}/players/${t.player}`, { displayName: 'Renamed' })),
  [`DELETE ${apps}/players/{id}`]: key(204, 404, async (t) => at(`${apps}/players/${await t.newPlayer()}`)),
  [`PATCH ${apps}/players/{id}/profile-image`]: key(400, 403, (t) =>
    at(`${apps}/players/${t.player}/profile-image`, formOf({ field: 'image', name: 'a.png', bytes: 'no picture' })),
  ),
  [`DELETE ${apps}/players/{id}/profile-image`]: key(200, 403, (t) => at(`${apps}/players/${t.player}/profile-image`)),
  [`GET ${apps}/players/{playerId}/global-ranking`]: key(200, 404, (t) =>
    at(`${apps}/players/${t.player}/global-ranking`),
  ),
  [`GET ${apps}/players/{playerId}/scores`]: key(200, 404, (t) => at(`${apps}/players/${t.player}/scores`)),

  [`GET ${apps}/mini-game-types`]: key(200, undefined, () => at(`${apps}/mini-game-types`)),
  [`POST ${apps}/mini-game-types`]: key(201, undefined, () =>
    at(`${apps}/mini-game-types`, { name: `T${Math.random()}` }),
  ),
  [`GET ${apps}/mini-game-types/{id}`]: key(200, 404, (t) => at(`${apps}/mini-game-types/${t.type}`)),
  [`PATCH ${apps}/mini-game-types/{id}`]: key(200, 404, (t) =>
    at(`${apps}/mini-game-types/${t.type}`, { description: 'x' }),
  ),
  [`DELETE ${apps}/mini-game-types/{id}`]: key(204, 404, async (t) =>
    at(`${apps}/mini-game-types/${await t.newType()}`),
  ),
  [`POST ${apps}/mini-game-types/{id}/restore`]: key(200, 404, (t) => at(`${apps}/mini-game-types/${t.type}/restore`)),

  [`GET ${apps}/game-sessions`]: key(200, undefined, () => at(`${apps}/game-sessions`)),
  [`POST ${apps}/game-sessions`]: key(201, undefined, () => at(`${apps}/game-sessions`, {})),
  [`GET ${apps}/game-sessions/{id}`]: key(200, 404, (t) => at(`${apps}/game-sessions/${t.session}`)),
  [`PATCH ${apps}/game-sessions/{id}`]: key(200, 404, (t) => at(`${apps}/game-sessions/${t.session}`, { name: 'x' })),
  [`DELETE ${apps}/game-sessions/{id}`]: key(204, 404, async (t) =>
    at(`${apps}/game-sessions/${await t.newSession()}`),
  ),
  [`GET ${apps}/game-sessions/{id}/leaderboard`]: key(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/leaderboard`),
  ),
  [`GET ${apps}/game-sessions/{id}/players`]: key(200, 404, (t) => at(`${apps}/game-sessions/${t.session}/players`)),
  [`POST ${apps}/game-sessions/{id}/players`]: key(201, 404, async (t) =>
    at(`${apps}/game-sessions/${t.session}/players`, { playerId: await t.newPlayer() }),
  ),
  [`POST ${apps}/game-sessions/{id}/scores`]: key(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/scores`, { scores: [{ playerId: t.player, score: 8 }] }),
  ),
  [`GET ${apps}/game-sessions/{id}/players/{playerId}`]: key(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/players/${t.player}`),
  ),
  [`PATCH ${apps}/game-sessions/{id}/players/{playerId}`]: key(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/players/${t.player}`, { score: 9 }),
  ),
  [`DELETE ${apps}/game-sessions/{id}/players/{playerId}`]: key(204, 404, async (t) => {
    const playerId = await t.newPlayer()
    await t.app.post(`${apps}/game-sessions/${t.session}/players`, { playerId })
    return at(`${apps}/game-sessions/${t.session}/players/${playerId}`)
  }),
  [`GET ${apps}/leaderboards`]: key(200, undefined, () => at(`${apps}/leaderboards`)),
  [`GET ${apps}/leaderboards/mini-game`]: key(200, 404, (t) =>
    at(`${apps}/leaderboards/mini-game?miniGameTypeId=${t.type}`),
  ),
  [`GET ${apps}/leaderboards/stream`]: key(200, 404, (t) => at(`${apps}/leaderboards/stream?miniGameTypeId=${t.type}`)),
  [`POST ${apps}/leaderboards/stream-token`]: key(200, 404, (t) =>
    at(`${apps}/leaderboards/stream-token`, { miniGameTypeId: t.type }),
  ),

  'GET /api/zones': open(() => at('/api/zones')),
  'POST /api/zones': user(201, undefined, () => at('/api/zones', { title: 'Zone' })),
  'GET /api/zones/{id}': open((t) => at(`/api/zones/${t.zoneId}`)),
  'GET /api/zones/at': open(() => at('/api/zones/at?lat=1&lon=2')),
  'PUT /api/zones/{id}': user(200, 403, (t) => at(`/api/zones/${t.zoneId}`, { title: 'Zone' })),
  'DELETE /api/zones/{id}': user(204, 403, async (t) => at(`/api/zones/${await t.newZone()}`)),
  'GET /api/location/pins': optional(() => at('/api/location/pins?lat=1&lon=2')),
  'POST /api/location/pins': user(201, undefined, (t) =>
    at('/api/location/pins', { title: 'Pin', contentType: 'GLB', latitude: 1, longitude: 2, zoneId: t.zoneId }),
  ),
  'GET /api/location/pins/{id}': optional((t) => at(`/api/location/pins/${t.pin}`), { stranger: 404 }),
  'PUT /api/location/pins/{id}': user(200, 404, (t) => at(`/api/location/pins/${t.pin}`, { title: 'Moved' })),
  'DELETE /api/location/pins/{id}': user(204, 403, async (t) => at(`/api/location/pins/${await t.newPin()}`)),
  'GET /api/gcp': open(() => at('/api/gcp')),
  'POST /api/gcp': user(201, undefined, (t) => at('/api/gcp', { ...gcpBody, zoneId: t.zoneId })),
  'GET /api/gcp/check-april-tag': open(() => at('/api/gcp/check-april-tag?aprilTagId=3')),
  'GET /api/gcp/tag-conflicts': open(() => at('/api/gcp/tag-conflicts')),
  'GET /api/gcp/{id}': open((t) => at(`/api/gcp/${t.gcp}`)),
  'PUT /api/gcp/{id}': user(200, 403, (t) => at(`/api/gcp/${t.gcp}`, gcpBody)),
  'DELETE /api/gcp/{id}': user(204, 403, async (t) => at(`/api/gcp/${await t.newGcp()}`)),
  'DELETE /api/gcp/{id}/remove-photo': user(404, 403, (t) =>
    at(`/api/gcp/${t.gcp}/remove-photo?photoUrl=https://photos.example/none.jpg`),
  ),
  'POST /api/gcp/upload': user(200, 403, (t) =>
    at('/api/gcp/upload', { fileName: 'points.csv', fileUrl: t.fileUrl, zoneId: t.zoneId }),
  ),
  'GET /api/gcp/upload/{id}': optional((t) => at(`/api/gcp/upload/${t.csv}`)),
  'GET /api/gcp/upload/{id}/stream': optional((t) => at(`/api/gcp/upload/${t.csv}/stream`)),
  'GET /api/gcp/upload/{id}/report': optional((t) => at(`/api/gcp/upload/${t.csv}/report`)),
  'GET /api/gcp/upload/{id}/findings': optional((t) => at(`/api/gcp/upload/${t.csv}/findings`)),
  'POST /api/gcp/upload/{id}/retry': user(409, 403, (t) => at(`/api/gcp/upload/${t.csv}/retry`)),
  'GET /api/gcp/zone/{zoneId}': optional((t) => at(`/api/gcp/zone/${t.zoneId}`)),
  'GET /api/gcp/zone/{zoneId}/export': open((t) => at(`/api/gcp/zone/${t.zoneId}/export`)),
  'DELETE /api/gcp/zone/{zoneId}': user(200, 403, (t) => at(`/api/gcp/zone/${t.zoneId}`, { csvUploadId: t.csv })),

  'GET /ogc': open(() => at('/ogc')),
  'GET /ogc/conformance': open(() => at('/ogc/conformance')),
  'GET /ogc/api': open(() => at('/ogc/api')),
  'GET /ogc/collections': open(() => at('/ogc/collections')),
  ...features('pins', async (t) => {
    const pin = { title: 'Pin', contentType: 'GLB', latitude: 1, longitude: 2 }
    return (await t.user.post('/api/location/pins', pin)).body.id
  }),
  ...features('gcps', (t) => t.gcp),
  ...features('zones', (t) => t.zoneId),

  'POST /api/upload/relocalization': user(200, undefined, () =>
    at('/api/upload/relocalization', formOf({ name: 'a.png', bytes: png })),
  ),
  'GET /api/upload/gcp-photos': open((t) => at(`/api/upload/gcp-photos?gcpId=${t.gcp}`)),
  'POST /api/upload/gcp-photos': user(200, 403, (t) =>
    at('/api/upload/gcp-photos', withTexts(formOf({ field: 'files', name: 'a.png', bytes: png }), { gcpId: t.gcp })),
  ),
  'POST /api/upload': { ...optional(() => at('/api/upload', formOf({ name: 'a.txt', bytes: 'hello' }))) },
  'POST /api/upload/convert': optional(() => at('/api/upload/convert', formOf({ name: 'a.txt', bytes: 'hello' }))),
  'GET /api/upload/convert': optional((t) => at(`/api/upload/convert?fileId=${t.fileId}`)),
  'GET /api/upload/{fileId}/stream': optional((t) => at(`/api/upload/${t.fileId}/stream`)),
  'POST /api/upload/{fileId}/converted_file': optional((t) => at(`/api/upload/${t.fileId}/converted_file`), {
    ok: 400,
  }),
  'POST /api/upload/presigned': optional(() =>
    at('/api/upload/presigned', { fileName: 'a.txt', contentType: 'text/plain' }),
  ),
  'POST /api/upload/tus': optional(() => ({ path: '/api/upload/tus', headers: { ...tus, 'upload-length': '5' } }), {
    ok: 201,
  }),
  'GET /api/upload/tus/{id}': optional(async (t) => at(await t.newResumable()), { stranger: 404 }),
  'PATCH /api/upload/tus/{id}': optional(
    async (t) => ({
      path: await t.newResumable(),
      body: 'hello',
      headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    }),
    { ok: 204, stranger: 404 },
  ),
  'DELETE /api/upload/tus/{id}': optional(async (t) => ({ path: await t.newResumable(), headers: tus }), {
    ok: 204,
    stranger: 404,
  }),
  'GET /api/download': optional((t) => at(`/api/download?url=${encodeURIComponent(t.fileUrl)}`)),
}
