import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { caller, formWith } from '../tour/client.ts'

const file = (name: string) => fileURLToPath(new URL(`../tour/files/${name}`, import.meta.url))
const WAIT_MS = 120_000

/** The content of a filled service: ids, and the credentials that read them. */
export type Filled = {
  token: string
  appKey: string
  appId: string
  typeName: string
  typeId: string
  sessionId: string
  playerIds: string[]
  webhookId: string
  fileIds: number[]
  fileUrls: string[]
  zoneId: number
  pinId: number
  gcpId: number
  importId: string
}

type Asking = ReturnType<typeof caller>

/** A signed-in user of the service. */
export const userOf = (url: string, token: string): Asking => caller(url, { authorization: `Bearer ${token}` })
/** An app of the service. */
export const appOf = (url: string, appKey: string): Asking => caller(url, { 'x-app-api-key': appKey })

/** Waits until `isSo` holds. @throws with `what` after two minutes */
export async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(100)) if (await isSo()) return
  throw new Error(`Not within ${WAIT_MS / 1000} s: ${what}`)
}

/** Fills a new service through HTTP with records of every kind. @param hook where webhook events are sent */
export async function fill(url: string, token: string, hook: string): Promise<Filled> {
  const user = userOf(url, token)
  await user.post('/auth/sync', {})
  const game = await fillGame(url, user, hook)
  const content = await fillContent(user)
  const deliveries = `/api/v1/apps/${game.appId}/webhooks/${game.webhookId}/deliveries?status=PENDING`
  await eventually('all webhook events delivered', async () => (await user.get(deliveries)).deliveries.length === 0)
  return { token, ...game, ...content }
}

async function fillGame(url: string, user: Asking, hook: string) {
  const { id: appId, apiKey: appKey } = await user.post('/api/v1/apps', {
    name: 'Trail',
    description: 'A race',
    visibility: 'PUBLIC',
  })
  const eventTypes = ['player.created', 'score.updated', 'game_session.created']
  const { id: webhookId } = await user.post(`/api/v1/apps/${appId}/webhooks`, { url: hook, eventTypes })
  const app = appOf(url, appKey)
  const typeName = 'Hill run'
  const { id: typeId } = await app.post('/api/v1/apps/mini-game-types', { name: typeName })
  const { id: sessionId } = await app.post('/api/v1/apps/game-sessions', { name: 'Saturday', miniGameTypeId: typeId })
  const playerIds: string[] = []
  for (const [at, displayName] of ['Ada', 'Grace', 'Edsger', 'Łukasz'].entries()) {
    const { id } = await app.post('/api/v1/apps/players', { displayName })
    playerIds.push(id)
    await app.post(`/api/v1/apps/game-sessions/${sessionId}/players`, { playerId: id })
    await app.patch(`/api/v1/apps/game-sessions/${sessionId}/players/${id}`, { score: [1250, 990.5, 1250, 7][at]! })
  }
  return { appId, appKey, webhookId, typeName, typeId, sessionId, playerIds }
}

async function fillContent(user: Asking) {
  const { id: zoneId } = await user.post('/api/zones', { title: 'Greenwich Park', boundary: PARK })
  const converted = await user.post('/api/upload/convert', await formWith(file('suzanne.glb'), 'model/gltf-binary'))
  const modelId: number = converted.originalFile.id
  await eventually('the conversion', async () => {
    const { convertedFile } = await user.post(`/api/upload/${modelId}/converted_file`, {})
    return Boolean(convertedFile)
  })
  const { convertedFile } = await user.post(`/api/upload/${modelId}/converted_file`, {})
  const { results } = await user.post('/api/upload', await formWith(file('park.csv'), 'text/csv'))
  const [survey] = results
  const { id: importId } = await user.post('/api/gcp/upload', { fileName: 'park.csv', fileUrl: survey.url, zoneId })
  await eventually('the import', async () => {
    const { status, errorMessage } = await user.get(`/api/gcp/upload/${importId}`)
    if (status === 'FAILED') throw new Error(errorMessage)
    return status === 'COMPLETED'
  })
  const { gcp } = await user.post('/api/gcp', {
    title: 'Mark',
    gcpType: 'SINGLE',
    zoneId,
    aprilTagId: 17,
    pose: { position: { lat: 51.4779, lon: -0.0012, h: 92.5 }, angles: { yaw: 1, pitch: 2, roll: 3 } },
  })
  const { id: pinId } = await user.post('/api/location/pins', {
    title: 'At the observatory',
    latitude: 51.4778,
    longitude: -0.0014,
    contentType: 'USDZ',
    contentUrl: convertedFile.fileUrl,
    zoneId,
  })
  const fileUrls = [converted.originalFile.fileUrl, convertedFile.fileUrl, survey.url]
  return { zoneId, importId, gcpId: gcp.id, pinId, fileIds: [modelId, survey.fileId], fileUrls }
}

const PARK = {
  type: 'Polygon',
  coordinates: [
    [
      [-0.004, 51.474],
      [0.004, 51.474],
      [0.004, 51.481],
      [-0.004, 51.481],
      [-0.004, 51.474],
    ],
  ],
}
