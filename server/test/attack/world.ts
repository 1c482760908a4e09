import { createLog } from '../../platform/logging/log.ts'
import { accessTable, type Rule } from '../access/access-table.ts'
import { type Tenant, tenantOn } from '../access/access-world.ts'
import { squareCorners } from '../access/table/places.ts'
import { townArchive } from '../basemap/town.ts'
import { buildersOn } from '../builders.ts'
import { boxGlb } from '../content/glb.ts'
import { jpeg } from '../content/pictures.ts'
import { uploadOf } from '../content/scans.ts'
import { CAMERA, photoOfTags } from '../content/tags/placed-tag.ts'
import { checkedPhotos } from '../content/tags/tag-photos.ts'
import { formOf, withTexts } from '../multipart.ts'
import { startIdentityProvider } from '../network/identity-provider.ts'
import { type Caller, startService } from '../service.ts'
import { sqlOn } from '../sql.ts'
import { bodyOf, type Draft, parametersIn } from './draft.ts'
import type { Operation } from './operations.ts'
import type { Ids } from './values.ts'

/** Number of the newest IDs kept of each kind. */
const KEPT = 30

export type World = Awaited<ReturnType<typeof startWorld>>

type Headers = Record<string, string>
type Reach = { path: string; body?: unknown; headers?: Headers }

/** The service with two tenants and valid requests, from which an attack starts. Reads its log. */
export async function startWorld() {
  const provider = await startIdentityProvider({})
  const faults: string[] = []
  const log = createLog('error', { write: (line: string) => void faults.push(line) })
  const settings = {
    CAIRN_OIDC: JSON.stringify([{ issuer: provider.issuer, audience: 'cairn-tests' }]),
    CAIRN_BOX_ISSUER: 'on',
    CAIRN_TRUSTED_PROXIES: '127.0.0.1',
    CAIRN_LIMIT_USER_PER_MINUTE: '1000000',
    CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: '1000000000000',
  }
  const service = await startService(settings, undefined, log)
  const given = buildersOn(service)
  const ids: Ids = {}
  const remember = (kind: string, id: string | number) => {
    ids[kind] = [...(ids[kind] ?? []), id].slice(-KEPT)
  }
  const picture = await jpeg(512, 512)
  const model = boxGlb()
  const town = townArchive({ lat: 54.32, lon: 10.13 })
  const geoPose = await geoPoseOf(await given.user())
  let own = await tenantOn(service)
  let other = await tenantOn(service)
  let admin: Caller = await given.user({ roles: ['admin'] })
  /** Of the tenant's player. */
  let playerToken: Headers

  /** Creates new tenants and credentials, so that earlier requests have no effect. */
  async function renew() {
    other = own
    own = await tenantOn(service)
    admin = await given.user({ roles: ['admin'] })
    const { body } = await own.app.post('/auth/player-token', { playerId: own.player })
    playerToken = { authorization: `Bearer ${body.playerToken}` }
    for (const tenant of [own, other]) {
      remember('players', tenant.player)
      remember('users', (await given.user()).id)
      remember('mini-game-types', tenant.type)
      remember('zones', tenant.zoneId)
      remember('gcps', tenant.gcp)
      remember('csv', tenant.csv)
      remember('files', tenant.fileId)
      remember('addresses', tenant.fileUrl)
    }
  }

  const failedScan = async ({ user }: Tenant): Promise<string> => {
    const { body } = await user.post('/api/v1/user/scans', formOf({ name: 'a.ply', bytes: 'ply\nformat none 1.0\n' }))
    for (let i = 0; i < 200; i++) {
      if ((await user.get(`/api/v1/user/scans/${body.id}`)).body.status === 'FAILED') break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return body.id
  }
  const failedImport = async ({ user, zoneId }: Tenant): Promise<string> => {
    const upload = await user.post('/api/upload', formOf({ name: 'points.csv', bytes: 'no columns of ours\n1\n' }))
    const fileUrl = upload.body.results[0].url
    const { body } = await user.post('/api/gcp/upload', { fileName: 'points.csv', fileUrl, zoneId })
    for (let i = 0; i < 200; i++) {
      if ((await user.get(`/api/gcp/upload/${body.id}`)).body.status === 'FAILED') break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return body.id
  }

  /** An account without a password. @returns its path */
  const newAccount = async (): Promise<string> => {
    const { body } = await admin.post('/api/v1/accounts', { login: `login-${Math.random()}` })
    return `/api/v1/accounts/${body.id}`
  }

  /** A new point with a photo: a mutated request may have deleted the tenant's. */
  const photographed = async ({ user, newGcp }: Tenant) => {
    const gcpId = await newGcp()
    const { body } = await user.post('/api/upload/gcp-photos', withTexts(photo(), { gcpId }))
    return { gcpId, file: body.files[0] }
  }
  const cornersPath = async (tenant: Tenant) => {
    const { gcpId, file } = await photographed(tenant)
    await tenant.user.put(`/api/gcp/${gcpId}`, { title: 'Point', aprilTagId: 7 })
    await checkedPhotos(tenant.user, gcpId)
    return `/api/gcp/${gcpId}/photos/${file.id}/corners`
  }

  /** Operations whose request in the access table is refused: the same with what they need to succeed. */
  const reached: Record<string, (tenant: Tenant) => Promise<Reach>> = {
    'POST /auth/exchange': async () => ({
      path: '/auth/exchange',
      body: { token: await provider.sign({ sub: `someone-${Math.random()}` }) },
    }),
    'POST /auth/codes/exchange': async ({ user }) => ({
      path: '/auth/codes/exchange',
      body: { code: (await user.post('/auth/codes', {})).body.code },
    }),
    'POST /auth/sign-out': async () => ({ path: '/auth/sign-out', headers: (await given.user()).headers }),
    'DELETE /api/v1/user': async () => ({ path: '/api/v1/user', headers: (await given.user()).headers }),
    'PUT /api/v1/users/{id}/roles': async () => ({
      path: `/api/v1/users/${(await given.user()).id}/roles`,
      body: { roles: ['ops'] },
    }),
    'PUT /api/v1/user/password': async () => {
      const [login, currentPassword] = [`login-${Math.random()}`, 'correct horse battery']
      const { headers } = await given.user({ name: login })
      await service.app.operator.accounts.add(
        { login, password: currentPassword },
        { actor: 'operator', address: null },
      )
      return { path: '/api/v1/user/password', headers, body: { currentPassword, newPassword: 'better battery' } }
    },
    'GET /api/v1/accounts/{id}': async () => ({ path: await newAccount() }),
    'PATCH /api/v1/accounts/{id}': async () => ({ path: await newAccount(), body: { disabled: true } }),
    'DELETE /api/v1/accounts/{id}': async () => ({ path: await newAccount() }),
    'POST /api/v1/accounts/{id}/link': async () => ({ path: `${await newAccount()}/link` }),
    'POST /api/v1/apps/seasons/{id}/recount': async ({ appId, newSeason }) => {
      const season = await newSeason()
      const times = "starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour'"
      await sqlOn(service)(`update seasons set ${times} where id = $1`, [season])
      await sqlOn(service)(`update period_boards set ${times} where board_key = $1`, [season])
      return { path: `/api/v1/apps/seasons/${season}/recount?appId=${appId}` }
    },
    'PUT /api/v1/box/basemap/archive': async () => ({
      path: '/api/v1/box/basemap/archive',
      body: { fileId: (await uploadOf(admin, { name: 'town.pmtiles', bytes: town })).fileId },
    }),
    'POST /geopose': async () => geoPose,
    'GET /api/upload/relocalization': async ({ user }) => {
      const form = formOf({ name: 'a.jpg', bytes: picture })
      const { url } = (await user.post('/api/upload/relocalization', form)).body
      return { path: `/api/upload/relocalization?url=${encodeURIComponent(url)}` }
    },
    'PATCH /api/v1/apps/players/{id}/profile-image': async ({ player }) => ({
      path: `/api/v1/apps/players/${player}/profile-image`,
      body: formOf({ field: 'image', name: 'a.jpg', bytes: picture }),
    }),
    'DELETE /api/gcp/{id}/remove-photo': async (tenant) => {
      const { gcpId, file } = await photographed(tenant)
      const address = encodeURIComponent(file.fileUrl)
      return { path: `/api/gcp/${gcpId}/remove-photo?photoUrl=${address}` }
    },
    'PUT /api/gcp/{id}/photos/{photoId}/corners': async (tenant) => ({
      path: await cornersPath(tenant),
      body: squareCorners,
    }),
    'DELETE /api/gcp/{id}/photos/{photoId}/corners': async (tenant) => {
      const path = await cornersPath(tenant)
      await tenant.user.put(path, squareCorners)
      return { path }
    },
    'POST /api/v1/user/scans/{id}/retry': async (tenant) => ({
      path: `/api/v1/user/scans/${await failedScan(tenant)}/retry`,
    }),
    'POST /api/v1/box/jobs/{queue}/{id}/retry': async ({ scan }) => {
      const [job] = await sqlOn(service)<{ id: string }>(
        `insert into pgboss.job (name, data, state) values ('scan-weather', $1, 'failed') returning id`,
        [{ scanId: scan, lat: 1, long: 2, timestamp: '2026-01-01T00:00:00Z' }],
      )
      return { path: `/api/v1/box/jobs/scan-weather/${job!.id}/retry` }
    },
    'POST /api/gcp/upload/{id}/retry': async (tenant) => ({
      path: `/api/gcp/upload/${await failedImport(tenant)}/retry`,
    }),
    'POST /api/upload/{fileId}/converted_file': async ({ user }) => {
      const { body } = await user.post('/api/upload', formOf({ name: 'box.glb', bytes: model }))
      return { path: `/api/upload/${body.results[0].fileId}/converted_file` }
    },
    'POST /api/gcp/upload': async ({ fileUrl, newZone }) => ({
      path: '/api/gcp/upload',
      body: { fileName: 'points.csv', fileUrl, zoneId: await newZone() },
    }),
    'DELETE /api/gcp/zone/{zoneId}': async ({ user, fileUrl, newZone }) => {
      const zoneId = await newZone()
      const { body } = await user.post('/api/gcp/upload', { fileName: 'points.csv', fileUrl, zoneId })
      return { path: `/api/gcp/zone/${zoneId}`, body: { csvUploadId: body.id } }
    },
  }
  const photo = () => formOf({ field: 'files', name: 'a.jpg', bytes: picture })

  /** The credential that an operation needs. */
  function rightFor({ needs, clientKey }: Rule): Headers {
    if (clientKey === 'player') return { ...own.app.headers, ...playerToken }
    if (needs === 'appKey') return own.app.headers
    if (needs === 'ops' || needs === 'admin') return admin.headers
    return needs === 'open' ? {} : own.user.headers
  }

  /** A request for this operation that should succeed, without a credential; remembers the IDs in its path. */
  async function succeeding(operation: Operation): Promise<Draft> {
    const call = reached[operation.name] ?? accessTable[operation.name]!.call
    const { path, body, headers } = await call(own)
    const [address, search] = path.split('?') as [string, string | undefined]
    const segments = address.slice(1).split('/')
    for (const { name, at } of parametersIn(operation)) {
      const id = segments[at]!
      remember(kindOf(operation, name, at), /^\d+$/.test(id) ? Number(id) : id)
    }
    const query = (search ? search.split('&') : []).map((pair) => pair.split('=') as [string, string])
    const { method } = operation
    const sent = await bodyOf(body)
    return {
      operation,
      method,
      segments,
      query,
      headers: { ...headers },
      ...(sent && { body: sent }),
      changes: [],
      isElsewhere: false,
    }
  }

  await renew()
  return {
    service,
    ids,
    renew,
    succeeding,
    rightFor,
    /** IDs of another tenant, or of another kind. */
    wrongFor: ({ needs }: Rule): Headers =>
      needs === 'appKey' ? other.app.headers : needs === 'open' ? own.app.headers : other.user.headers,
    /** Secrets that no response may have. */
    secrets: [service.databaseUrl, service.folder, 'a secret of the tests'],
    /** Log entries at level "error" since the last call. */
    faultsLogged: () => faults.splice(0),
    picture,
    model,
    async stop() {
      await service.stop()
      await provider.stop()
    },
  }
}

/** A request of the GeoPose Protocol with a photo of a tag that this user has surveyed. */
async function geoPoseOf(surveyor: Caller): Promise<Reach> {
  const site = { lat: 46.5, lon: 6.6, h: 400 }
  const tag = { aprilTagId: 21, tagSize: 0.5, tagPose: { heading: 0, tilt: 90, accuracy: 0.1 } }
  const geoPose = { position: site, angles: { yaw: 0, pitch: 0, roll: 0 } }
  await surveyor.post('/api/gcp', { title: 'Wall', gcpType: 'SINGLE', geoPose, ...tag })
  const wall = { id: 21, size: 0.5, at: [0, 0, 0] as const, right: [1, 0, 0] as const, top: [0, 0, 1] as const }
  const { bytes } = await photoOfTags(site, [1.4, -2.4, 0.6], [wall])
  const params = { model: 'PINHOLE', modelParams: [CAMERA.fx, CAMERA.fy, CAMERA.cx + 0.5, CAMERA.cy + 0.5] }
  return {
    path: '/geopose',
    body: {
      ...{ id: 'a', timestamp: 1, type: 'geopose', sensors: [] },
      sensorReadings: {
        cameraReadings: [{ imageBytes: bytes.toString('base64'), params }],
        geolocationReadings: [{ latitude: site.lat, longitude: site.lon }],
      },
    },
  }
}

const named: Record<string, string> = {
  playerId: 'players',
  zoneId: 'zones',
  fileId: 'files',
  webhookId: 'webhooks',
  key: 'storage-keys',
  version: 'versions',
  deliveryId: 'deliveries',
}

/** The kind of the ID at this position of a path. */
export function kindOf({ template }: Operation, name: string, at: number): string {
  if (named[name]) return named[name]
  const segments = template.slice(1).split('/')
  if (name === 'featureId') return segments[at - 2]!
  if (template.startsWith('/api/gcp/upload')) return 'csv'
  return segments[at - 1] === 'gcp' ? 'gcps' : segments[at - 1]!
}
