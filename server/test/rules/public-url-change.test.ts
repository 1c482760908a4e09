// @module-tag long
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../builders.ts'
import { jpeg } from '../content/pictures.ts'
import { sendScan, settledScan, uploadOf } from '../content/scans.ts'
import { photo } from '../content/tags/photo-steps.ts'
import { createTestDatabase } from '../database.ts'
import { type FormPart, formOf } from '../multipart.ts'
import { type Receiver, startReceiver } from '../network/receiver.ts'
import { appUrl, makeSession, setScore } from '../scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../service.ts'
import { importsOn } from '../surveying/imports.ts'

const MOVED = 'https://moved.example/cairn'
let png: FormPart
beforeAll(async () => {
  png = { field: 'file', name: 'a.jpg', type: 'image/jpeg', bytes: await jpeg(600, 600) }
})

/** The same users and app as callers of a service, whatever its URL. */
async function callersOn(service: Service, key?: string) {
  const owner = await buildersOn(service).user({ name: 'owner' })
  const app = key === undefined ? await buildersOn(service).app({ owner, visibility: 'PUBLIC' }) : undefined
  return {
    owner,
    app: app ?? service.as({ 'x-app-api-key': key! }),
    key: key ?? app!.key,
    anonymous: service.anonymous,
  }
}
type Callers = { owner: Caller; app: Caller; anonymous: Caller }

let folder: string
let first: Service
let moved: Service
let receiver: Receiver
let was: Callers
let is: Callers
let drop: () => Promise<void>
/** The records, with their original URLs. */
let made: Awaited<ReturnType<typeof makeAll>>
let before: Record<string, unknown>

/** One of each record that shows a file of the service. */
async function makeAll(service: Service, { owner, app }: Callers, appId: string) {
  const { url, fileId } = await uploadOf(owner, png)
  const imports = importsOn(service, owner)
  await owner.patch(`/api/v1/apps/${appId}`, { imageUrl: url })
  const { id: typeId } = (await app.post(appUrl('mini-game-types'), { name: 'Maze', imageUrl: url })).body
  const player = (await app.post(appUrl('players'), { displayName: 'Ada' })).body
  await app.patch(
    appUrl(`players/${player.id}/profile-image`),
    formOf({ field: 'image', name: 'a.jpg', bytes: png.bytes }),
  )
  const session = await makeSession(app as never, { miniGameTypeId: typeId })
  await app.post(appUrl(`game-sessions/${session.id}/players`), { playerId: player.id })
  await setScore(app as never, session.id, player.id, 5)
  const pin = await owner.post('/api/location/pins', {
    title: 'Pin',
    contentType: 'IMAGE',
    latitude: 10,
    longitude: 20,
    contentUrl: url,
    relocalizationPhotoUrl: url,
    localizationData: { trackingMode: 'WORLD', worldmapURL: url },
  })
  const zoneId = await imports.zone()
  const photos = (await owner.post('/api/upload/gcp-photos', formOf(photo(), photo({ name: 'b.jpg' })))).body.files
  const gcp = await owner.post('/api/gcp', {
    title: 'Mark',
    gcpType: 'SINGLE',
    geoPose: { position: { lat: 10, lon: 20, h: 0 }, angles: { yaw: 0, pitch: 0, roll: 0 } },
    photoUrls: [url, 'https://elsewhere.example/a.jpg'],
    uploadedFileIds: photos.map(({ id }: { id: number }) => id),
    zoneId,
  })
  const survey = await imports.stored('title,lat,lon\nA,1,2\n')
  const { id: uploadId } = (await imports.send(zoneId, survey)).body
  await imports.ended(uploadId)
  const scan = await settledScan(
    owner,
    (await sendScan(owner, { ...png, bytes: await jpeg(80, 60) }, { visibility: 'public' })).body.id,
  )
  return {
    ...{ appId, url, fileId, typeId, playerId: player.id, sessionId: session.id, pinId: pin.body.id, zoneId },
    ...{ gcpId: gcp.body.gcp.id, survey, uploadId, scanId: scan.id, photos: photos as { fileUrl: string }[] },
  }
}

/** Every response that has a URL. */
async function readAll({ owner, app, anonymous }: Callers) {
  const paths: [string, Caller, string][] = [
    ['the app', owner, `/api/v1/apps/${made.appId}`],
    ['apps', owner, '/api/v1/apps'],
    ['public apps', anonymous, '/api/v1/apps/public'],
    ['types', app, appUrl('mini-game-types')],
    ['the type', app, appUrl(`mini-game-types/${made.typeId}`)],
    ['players', app, appUrl('players')],
    ['the player', app, appUrl(`players/${made.playerId}`)],
    ['sessions', app, appUrl('game-sessions')],
    ['session players', app, appUrl(`game-sessions/${made.sessionId}/players`)],
    ['the session player', app, appUrl(`game-sessions/${made.sessionId}/players/${made.playerId}`)],
    ['the board', app, appUrl(`leaderboards/mini-game?miniGameTypeId=${made.typeId}`)],
    [
      'the board around',
      app,
      appUrl(`leaderboards/mini-game?miniGameTypeId=${made.typeId}&aroundPlayerId=${made.playerId}`),
    ],
    ['all boards', app, appUrl('leaderboards')],
    ['the board of the session', app, appUrl(`game-sessions/${made.sessionId}/leaderboard`)],
    ['the pin', anonymous, `/api/location/pins/${made.pinId}`],
    ['pins', anonymous, '/api/location/pins?lat=10&lon=20'],
    ['pins of the database', anonymous, '/api/location/pins?lat=10&lon=20&pose=eus&format=geojson'],
    ['the GCP', anonymous, `/api/gcp/${made.gcpId}`],
    ['GCPs', anonymous, `/api/gcp?zoneId=${made.zoneId}`],
    ['photos', anonymous, `/api/upload/gcp-photos?gcpId=${made.gcpId}`],
    ['the export', anonymous, `/api/gcp/zone/${made.zoneId}/export?format=csv`],
    ['features of pins', anonymous, `/ogc/collections/pins/items/${made.pinId}`],
    ['features of GCPs', anonymous, `/ogc/collections/gcps/items/${made.gcpId}`],
    ['the import', owner, `/api/gcp/upload/${made.uploadId}`],
    ['imports', owner, `/api/gcp/zone/${made.zoneId}`],
    ['the scan', owner, `/api/v1/user/scans/${made.scanId}`],
    ['public scans', app, '/api/v1/scans/public-scans'],
    ['the conversion', owner, `/api/upload/convert?fileId=${made.fileId}`],
    ['files', owner, '/api/v1/user/files'],
  ]
  const answers = paths.map(async ([name, caller, path]) => {
    const { status, body } = await caller.get(path)
    if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`)
    return [name, body] as const
  })
  return Object.fromEntries(await Promise.all(answers))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-moved-'))
  receiver = await startReceiver()
  const database = await createTestDatabase()
  drop = database.drop
  const settings = { CAIRN_DATA_DIR: folder, CAIRN_WEBHOOK_HOSTS: receiver.host }
  const kept = { url: database.url, drop: async () => {} }
  first = await startService(settings, undefined, undefined, kept)
  const callers = await callersOn(first)
  was = callers
  const apps = (await callers.owner.get('/api/v1/apps')).body.apps
  made = await makeAll(first, callers, apps[0].id)
  before = await readAll(was)
  await first.stop()
  moved = await startService({ ...settings, CAIRN_PUBLIC_URL: MOVED }, undefined, undefined, kept)
  is = await callersOn(moved, callers.key)
}, 120_000)
afterAll(async () => {
  await moved.stop()
  await receiver.stop()
  await drop()
  await rm(folder, { recursive: true })
})

describe('a service with a new public URL', () => {
  test('returns every record as before, with new URLs', async () => {
    const after = await readAll(is)
    for (const [name, body] of Object.entries(before)) {
      expect([name, JSON.stringify(body).includes(first.url)]).toEqual([name, true])
      const expected = JSON.parse(JSON.stringify(body).replaceAll(first.url, MOVED))
      expect([name, after[name]]).toEqual([name, expected])
    }
  })

  test.each([
    ['its address of before', (path: string) => first.url + path],
    ['its address', (path: string) => MOVED + path],
    ['its path', (path: string) => path],
    ['its key', (path: string) => path.slice('/files/'.length)],
  ])('serves a file by %s', async (_, named) => {
    const path = new URL(made.url).pathname
    const { status, body } = await is.anonymous.get(`/api/download?url=${encodeURIComponent(named(path))}`)
    expect([status, body.downloadUrl]).toEqual([200, expect.stringMatching(`^${MOVED}${path}`)])
  })

  test('signs no URL of another service that resembles its own', async () => {
    const foreign = `${first.url}/files/ab/${'x'.repeat(22)}.jpg`
    expect((await is.anonymous.get(`/api/download?url=${encodeURIComponent(foreign)}`)).status).toBe(400)
  })

  test('removes a photo of a point by its former or current URL', async () => {
    const path = `/api/gcp/${made.gcpId}`
    const remove = (url: string) => is.owner.delete(`${path}/remove-photo?photoUrl=${encodeURIComponent(url)}`)
    const [a, b] = made.photos.map(({ fileUrl }) => fileUrl)
    expect((await remove(a!)).status).toBe(200)
    expect((await remove(b!.replace(first.url, MOVED))).status).toBe(200)
    expect((await remove(b!)).status).toBe(404)
    expect((await is.anonymous.get(path)).body).toMatchObject({
      photoUrls: [made.url.replace(first.url, MOVED), 'https://elsewhere.example/a.jpg'],
      uploadedFiles: [],
    })
  })

  test('counts a file as one photo by any of its URLs', async () => {
    const path = new URL(made.url).pathname
    const { body } = await is.owner.put(`/api/gcp/${made.gcpId}`, {
      title: 'Mark',
      photoUrls: [made.url, MOVED + path, path, 'https://elsewhere.example/a.jpg'],
    })
    expect(body.gcp.photoUrls).toEqual([MOVED + path, 'https://elsewhere.example/a.jpg'])
  })

  test('imports a survey by its former URL, and recognises it as the same file', async () => {
    const fileUrl = `${first.url}/files/${made.survey}`
    const { status, body } = await is.owner.post('/api/gcp/upload', { fileName: 'a.csv', fileUrl, zoneId: made.zoneId })
    expect([status, body.fileUrl]).toEqual([200, `${MOVED}/files/${made.survey}`])
  })

  test('sends its current URL in webhooks and their log', async () => {
    const hooks = `/api/v1/apps/${made.appId}/webhooks`
    const { id } = (await is.owner.post(hooks, { url: receiver.url, eventTypes: ['player.updated'] })).body
    await is.app.patch(appUrl(`players/${made.playerId}`), { displayName: 'Ada' })
    const { imageUrl } = (await is.app.get(appUrl(`players/${made.playerId}`))).body
    expect(imageUrl).toMatch(`${MOVED}/files/`)
    expect((await receiver.next(({ type }) => type === 'player.updated'))?.data).toMatchObject({ imageUrl })
    const [{ id: delivery }] = (await is.owner.get(`${hooks}/${id}/deliveries`)).body.deliveries
    expect((await is.owner.get(`${hooks}/${id}/deliveries/${delivery}`)).body.payload.data).toMatchObject({ imageUrl })
  })
})
