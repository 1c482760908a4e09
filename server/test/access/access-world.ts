import { buildersOn } from '../builders.ts'
import { formOf } from '../multipart.ts'
import { tusOn } from '../network/tus.ts'
import type { Caller, Service } from '../service.ts'

/** The records of one tenant, for requests to try. Getters that are functions create a new record, for operations that consume it. */
export type Tenant = Awaited<ReturnType<typeof tenantOn>>

/** Creates a user with an app and a record of every kind, over HTTP. */
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
  const newSeason = async (): Promise<string> => {
    const season = { name: 'Spring', startsAt: '2100-01-01T00:00:00Z', miniGameTypeId: await newType() }
    return (await made(app, '/api/v1/apps/seasons', season)).id
  }
  const newSession = async (): Promise<string> => (await made(app, '/api/v1/apps/game-sessions', {})).id
  /** A score that is held. @returns the path of its review */
  const newReview = async (): Promise<string> => {
    const rules = { requireMetadata: ['replay'] }
    const miniGameTypeId = (await made(app, '/api/v1/apps/mini-game-types', { name: `Type ${++count}`, rules })).id
    const session = (await made(app, '/api/v1/apps/game-sessions', { miniGameTypeId })).id
    const playerId = await newPlayer()
    await made(app, `/api/v1/apps/game-sessions/${session}/players`, { playerId })
    const scores = [{ playerId, score: 5 }]
    const { players } = await made(app, `/api/v1/apps/game-sessions/${session}/scores`, { scores })
    return `/api/v1/apps/reviews/${players[0].reviewId}`
  }
  const newApp = async (): Promise<string> => (await given.app({ owner: user, name: 'Spare' })).id
  /** A replaced key in its grace period. @returns its path */
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
  /** An editor of the zone. @returns its path */
  const newEditor = async (): Promise<string> => {
    const editors = `/api/zones/${zoneId}/editors`
    return `${editors}/${(await made(user, editors, { userId: (await given.user()).id })).userId}`
  }
  /** A webhook to a host that does not exist, so that no one receives events. @returns its path */
  const newWebhook = async (): Promise<string> => {
    const body = { url: 'https://hooks.invalid/cairn', eventTypes: ['score.updated'] }
    for (const { id } of (await user.get(`/api/v1/apps/${app.id}/webhooks`)).body.webhooks)
      await user.delete(`/api/v1/apps/${app.id}/webhooks/${id}`)
    return `/api/v1/apps/${app.id}/webhooks/${(await made(user, `/api/v1/apps/${app.id}/webhooks`, body)).id}`
  }
  /** A hook of a type that nobody plays. @returns its path */
  const newScoreHook = async (): Promise<string> => {
    const hooks = `/api/v1/apps/${app.id}/score-hooks`
    for (const { id } of (await user.get(hooks)).body.scoreHooks) await user.delete(`${hooks}/${id}`)
    const body = { url: 'https://hooks.invalid/cairn', miniGameTypeId: await newType() }
    return `${hooks}/${(await made(user, hooks, body)).id}`
  }
  const newDelivery = async (): Promise<string> => {
    const webhook = await newWebhook()
    return `${webhook}/deliveries/${(await made(user, `${webhook}/test`, undefined)).id}`
  }

  /** Another member of the app. @returns its path */
  const newMember = async (): Promise<string> => {
    const members = `/api/v1/apps/${app.id}/members`
    return `${members}/${(await made(user, members, { userId: (await given.user()).id, role: 'viewer' })).userId}`
  }
  const newInvitation = async (): Promise<string> => {
    const invitations = `/api/v1/apps/${app.id}/invitations`
    return `${invitations}/${(await made(user, invitations, { role: 'viewer' })).id}`
  }
  /** The token of an invitation to an app of someone else. */
  const newInvitationToken = async (): Promise<string> => {
    const host = await given.user()
    const { id } = await given.app({ owner: host })
    return (await made(host, `/api/v1/apps/${id}/invitations`, { role: 'viewer' })).token
  }

  /** A key of the player with a value. @returns its path */
  const newStorageKey = async (): Promise<string> => {
    const path = `/api/v1/apps/players/${player}/storage/key-${++count}`
    await app.put(path, { level: 1 })
    return path
  }
  /** @returns the version that is written */
  const writeConfig = async (): Promise<number> =>
    (await app.put('/api/v1/apps/config', { event: `winter ${++count}` })).body.version

  const newFence = async (): Promise<string> =>
    (
      await made(app, '/api/v1/apps/fences', {
        name: 'Well',
        pinId: await newPin(),
        radius: 20,
        listed: true,
        checkIn: {},
      })
    ).id
  /** A check-in that is held because its position is mocked. */
  const newHeldCheckIn = async (): Promise<string> => {
    const { playerToken } = await made(app, '/auth/player-token', { playerId: await newPlayer() })
    const game = service.as({ ...app.headers, authorization: `Bearer ${playerToken}` })
    const fix = { lat: 1, lon: 2, accuracy: 5, mocked: true, at: new Date().toISOString() }
    return (await made(game, '/api/v1/apps/check-ins', { fenceId: await newFence(), fix })).id
  }

  const newScan = async (): Promise<string> =>
    (await made(user, '/api/v1/user/scans', formOf({ name: 'scan.txt', bytes: 'a scan' }))).id

  const newFile = async (): Promise<number> =>
    (await made(user, '/api/upload', formOf({ name: 'spare.txt', bytes: 'a file' }))).results[0].fileId

  const newMap = async (): Promise<string> => (await made(user, '/api/v1/user/maps', { title: `Map ${++count}` })).id

  const newToken = async (scope = 'read'): Promise<{ id: string; token: string }> =>
    made(user, '/api/v1/user/tokens', { name: `Program ${++count}`, scope })

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
    newUser: async () => (await given.user()).id,
    newMember,
    newInvitation,
    newInvitationToken,
    newStorageKey,
    writeConfig,
    newOwnPlayer,
    newType,
    newReview,
    newSeason,
    newSession,
    newApp,
    oldKey,
    newGcp,
    newPin,
    newResumable,
    newFence,
    newHeldCheckIn,
    newScan,
    newMap,
    newToken,
    newZone,
    newEditor,
    newWebhook,
    newScoreHook,
    newDelivery,
    newFile,
  }
}
