import { buildersOn } from '../builders.ts'
import { formOf } from '../multipart.ts'
import { tusOn } from '../network/tus.ts'
import type { Caller, Service } from '../service.ts'

/** Everything one tenant has: what operations are tried on. Each getter that ends in a call makes a new one, for operations that use it up. */
export type Tenant = Awaited<ReturnType<typeof tenantOn>>

/** A user with an app and something of every kind in it, made over HTTP. */
export async function tenantOn(service: Service) {
  const given = buildersOn(service)
  const user = await given.user()
  const app = await given.app({ owner: user, name: 'Trail' })

  const made = async (caller: Caller, path: string, body: unknown) => {
    const answer = await caller.post(path, body)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  let count = 0
  const newPlayer = async (): Promise<string> => (await given.player(app)).id
  /** A player that is linked to the user. */
  const newOwnPlayer = async (): Promise<string> =>
    (await made(app, '/api/v1/apps/players', { displayName: `Own ${++count}`, userId: user.id })).id
  const newType = async (): Promise<string> =>
    (await made(app, '/api/v1/apps/mini-game-types', { name: `Type ${++count}` })).id
  const newSession = async (): Promise<string> => (await made(app, '/api/v1/apps/game-sessions', {})).id
  const newApp = async (): Promise<string> => (await given.app({ owner: user, name: 'Spare' })).id
  /** A key that was replaced and still works. @returns its path */
  const oldKey = async (): Promise<string> => {
    const { id, key } = await given.app({ owner: user, name: 'Spare' })
    await made(user, `/api/v1/apps/${id}/api-key/rotate`, { graceSeconds: 3600 })
    return `/api/v1/apps/${id}/api-keys/${key.split('_')[1]}`
  }
  const newGcp = async (): Promise<number> =>
    (await made(user, '/api/gcp', { title: `Point ${++count}`, gcpType: 'SINGLE', zoneId: await newZone() })).gcp.id
  const pinBody = { title: 'Pin', latitude: 1, longitude: 2, contentType: 'GLB' }
  const newPin = async (): Promise<number> => (await made(user, '/api/location/pins', pinBody)).id
  const newResumable = async (): Promise<string> => {
    const { headers } = await tusOn(service, user.headers).begin(5)
    return new URL(headers.get('location')!).pathname
  }
  const newZone = async (): Promise<number> => (await made(user, '/api/zones', { title: `Zone ${++count}` })).id
  /** Where nobody is told anything: the host is none. @returns its path */
  const newWebhook = async (): Promise<string> => {
    const body = { url: 'https://hooks.invalid/cairn', eventTypes: ['score.updated'] }
    for (const { id } of (await user.get(`/api/v1/apps/${app.id}/webhooks`)).body.webhooks)
      await user.delete(`/api/v1/apps/${app.id}/webhooks/${id}`)
    return `/api/v1/apps/${app.id}/webhooks/${(await made(user, `/api/v1/apps/${app.id}/webhooks`, body)).id}`
  }
  const newDelivery = async (): Promise<string> => {
    const webhook = await newWebhook()
    return `${webhook}/deliveries/${(await made(user, `${webhook}/test`, undefined)).id}`
  }

  const newScan = async (): Promise<string> =>
    (await made(user, '/api/v1/user/scans', formOf({ name: 'scan.txt', bytes: 'a scan' }))).id

  const newFile = async (): Promise<number> =>
    (await made(user, '/api/upload', formOf({ name: 'spare.txt', bytes: 'a file' }))).results[0].fileId

  const zoneId = await newZone()
  const player = await newPlayer()
  const session = await newSession()
  await made(app, `/api/v1/apps/game-sessions/${session}/players`, { playerId: player })
  await app.patch(`/api/v1/apps/game-sessions/${session}/players/${player}`, { score: 7 })
  const upload = await service
    .as(user.headers)
    .post('/api/upload', formOf({ name: 'points.csv', bytes: 'name,lat,lon\nP,1,2\n' }))
  const csv = await made(user, '/api/gcp/upload', {
    fileName: 'points.csv',
    fileUrl: upload.body.results[0].url,
    zoneId,
  })

  return {
    user,
    app,
    appId: app.id,
    userId: user.id,
    player,
    session,
    type: await newType(),
    zoneId,
    gcp: await newGcp(),
    pin: (await made(user, '/api/location/pins', { ...pinBody, visibility: 'private' })).id as number,
    csv: csv.id as string,
    scan: await newScan(),
    fileId: upload.body.results[0].fileId as number,
    fileUrl: upload.body.results[0].url as string,
    newPlayer,
    newOwnPlayer,
    newType,
    newSession,
    newApp,
    oldKey,
    newGcp,
    newPin,
    newResumable,
    newScan,
    newZone,
    newWebhook,
    newDelivery,
    newFile,
  }
}
