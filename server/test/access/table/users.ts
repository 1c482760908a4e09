import { randomUUID } from 'node:crypto'
import { formOf } from '../../multipart.ts'
import { anyKey, at, open, type Rule, user } from './rules.ts'

const badToken = { token: 'hello' }
const ofAccount = (rest = '', body?: object): Rule => ({
  needs: 'ops',
  clientKey: 'unread',
  ok: 404,
  call: (t) => at(`/api/v1/accounts/${t.userId}${rest}`, body),
})

/** Sign-in, users with their files and scans, and administration. */
export const userTable: Record<string, Rule> = {
  'POST /auth/exchange': open(() => at('/auth/exchange', badToken), 401),
  'POST /auth/sync': user(200, undefined, () => at('/auth/sync')),
  'POST /auth/sign-out': { ...user(204, undefined, () => at('/auth/sign-out')) },
  'POST /auth/codes': { ...user(200, undefined, () => at('/auth/codes', {}), 403), clientKey: 'no' },
  'POST /auth/codes/exchange': { ...open(() => at('/auth/codes/exchange', { code: '000000' })), clientKey: 'yes' },
  'POST /auth/player-token': {
    ...user(200, 403, async (t) => at('/auth/player-token', { playerId: await t.newOwnPlayer() })),
    clientKey: 'besideSession',
  },
  'GET /.well-known/jwks.json': open(() => at('/.well-known/jwks.json')),

  'GET /api/v1/user': user(200, undefined, () => at('/api/v1/user')),
  'PATCH /api/v1/user': user(200, undefined, (t) => at('/api/v1/user', { username: `name-${t.userId}` })),
  'DELETE /api/v1/user': user(409, undefined, () => at('/api/v1/user'), 403),
  'GET /api/v1/user/quotas': user(200, undefined, () => at('/api/v1/user/quotas')),
  'GET /api/v1/user/export': user(200, undefined, () => at('/api/v1/user/export'), 403),
  'GET /api/v1/user/tokens': user(200, undefined, () => at('/api/v1/user/tokens'), 403),
  'POST /api/v1/user/tokens': user(201, undefined, () => at('/api/v1/user/tokens', { name: 'QGIS' }), 403),
  'DELETE /api/v1/user/tokens/{id}': user(
    204,
    404,
    async (t) => at(`/api/v1/user/tokens/${(await t.newToken()).id}`),
    403,
  ),
  'GET /api/v1/maps/{id}': open(async (t) => at(`/api/v1/maps/${await t.newMap()}`)),
  'GET /api/v1/user/maps': user(200, undefined, () => at('/api/v1/user/maps'), 403),
  'POST /api/v1/user/maps': user(201, undefined, () => at('/api/v1/user/maps', { title: 'Tour' }), 403),
  'PATCH /api/v1/user/maps/{id}': user(
    200,
    404,
    async (t) => at(`/api/v1/user/maps/${await t.newMap()}`, { title: 'Tour' }),
    403,
  ),
  'DELETE /api/v1/user/maps/{id}': user(204, 404, async (t) => at(`/api/v1/user/maps/${await t.newMap()}`), 403),
  'GET /api/v1/user/files': user(200, undefined, () => at('/api/v1/user/files')),
  'GET /api/v1/user/files/{fileId}': user(200, 404, (t) => at(`/api/v1/user/files/${t.fileId}`)),
  'DELETE /api/v1/user/files/{fileId}': user(204, 404, async (t) => at(`/api/v1/user/files/${await t.newFile()}`)),
  'GET /api/v1/user/scans': user(200, undefined, () => at('/api/v1/user/scans')),
  'POST /api/v1/user/scans': {
    ...user(201, undefined, () => at('/api/v1/user/scans', formOf({ name: 'a.txt', bytes: 'a scan' }))),
    clientKey: 'no',
  },
  'GET /api/v1/user/scans/{id}': user(200, 404, (t) => at(`/api/v1/user/scans/${t.scan}`)),
  'GET /api/v1/user/scans/{id}/stream': user(200, 404, (t) => at(`/api/v1/user/scans/${t.scan}/stream`)),
  'PATCH /api/v1/user/scans/{id}': user(200, 404, (t) => at(`/api/v1/user/scans/${t.scan}`, { title: 'Renamed' })),
  'DELETE /api/v1/user/scans/{id}': user(204, 404, async (t) => at(`/api/v1/user/scans/${await t.newScan()}`)),
  'POST /api/v1/user/scans/{id}/retry': user(409, 404, (t) => at(`/api/v1/user/scans/${t.scan}/retry`)),
  'GET /api/v1/scans/public-scans': anyKey(200, undefined, () => at('/api/v1/scans/public-scans')),

  'GET /api/v1/users': { needs: 'ops', clientKey: 'unread', ok: 200, call: () => at('/api/v1/users') },
  'GET /api/v1/users/{id}': {
    needs: 'ops',
    clientKey: 'unread',
    ok: 200,
    call: (t) => at(`/api/v1/users/${t.userId}`),
  },
  'PUT /api/v1/users/{id}/roles': {
    needs: 'admin',
    clientKey: 'unread',
    ok: 200,
    call: (t) => at(`/api/v1/users/${t.userId}/roles`, { roles: [] }),
  },
  'PUT /api/v1/user/password': user(
    409,
    undefined,
    () => at('/api/v1/user/password', { currentPassword: 'old and known', newPassword: 'new and better' }),
    403,
  ),
  'GET /api/v1/accounts': { needs: 'ops', clientKey: 'unread', ok: 200, call: () => at('/api/v1/accounts') },
  'POST /api/v1/accounts': {
    needs: 'ops',
    clientKey: 'unread',
    ok: 201,
    call: () => at('/api/v1/accounts', { login: `login-${randomUUID()}` }),
  },
  // The users of tenants have no account.
  'GET /api/v1/accounts/{id}': ofAccount(),
  'PATCH /api/v1/accounts/{id}': ofAccount('', { disabled: true }),
  'DELETE /api/v1/accounts/{id}': ofAccount(),
  'POST /api/v1/accounts/{id}/link': ofAccount('/link'),
  'GET /api/v1/audit-log': { needs: 'ops', clientKey: 'unread', ok: 200, call: () => at('/api/v1/audit-log') },
  'GET /api/v1/box/health': { needs: 'ops', clientKey: 'unread', ok: 200, call: () => at('/api/v1/box/health') },
  'GET /api/v1/box/alerts': { needs: 'ops', clientKey: 'unread', ok: 200, call: () => at('/api/v1/box/alerts') },
  'GET /api/v1/box/jobs': { needs: 'ops', clientKey: 'unread', ok: 200, call: () => at('/api/v1/box/jobs') },
  'POST /api/v1/box/jobs/{queue}/{id}/retry': {
    needs: 'admin',
    clientKey: 'unread',
    ok: 404,
    call: (t) => at(`/api/v1/box/jobs/scan/${t.scan}/retry`),
  },
  'GET /api/v1/box/basemap': { needs: 'ops', clientKey: 'unread', ok: 200, call: () => at('/api/v1/box/basemap') },
  'PUT /api/v1/box/basemap': {
    needs: 'ops',
    clientKey: 'unread',
    ok: 200,
    call: () => at('/api/v1/box/basemap', { source: 'none' }),
  },
  // A file of somebody else.
  'PUT /api/v1/box/basemap/archive': {
    needs: 'ops',
    clientKey: 'unread',
    ok: 400,
    call: () => at('/api/v1/box/basemap/archive', { fileId: 1 }),
  },
  // There is none.
  'DELETE /api/v1/box/basemap/archive': {
    needs: 'ops',
    clientKey: 'unread',
    ok: 404,
    call: () => at('/api/v1/box/basemap/archive'),
  },
  'GET /api/v1/box/limits': { needs: 'ops', clientKey: 'unread', ok: 200, call: () => at('/api/v1/box/limits') },
}
