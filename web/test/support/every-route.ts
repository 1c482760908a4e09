import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { sendScan, settledScan, uploadOf } from '../../../server/test/content/scans.ts'
import { startReceiver } from '../../../server/test/network/receiver.ts'
import { type OpenConsole, startConsole } from './console.ts'
import { pictured, suzanne } from './models.ts'

type Person = Awaited<ReturnType<OpenConsole['person']>>

/** A page of the console with something on it. @property route its name in routes.tsx @property ready resolves once it shows what it is about */
type Visit = { route: string; path: string; ready: (page: Page) => Promise<unknown> }

const HARBOUR = { lat: 54.323917, lon: 10.139402 }
const SURVEY = 'title,lat,lon,remark\nQuay wall north,54.3,10.1,bronze bolt\nB,91,10.1,\nC,54.31,n/a,\n'

/** The console with something on every page, and the way to each of them. */
export async function startEveryRoute() {
  const receiver = await startReceiver()
  const opened = await startConsole({ CAIRN_WEBHOOK_HOSTS: receiver.host })
  const keeper = await opened.person({ name: 'keeper' })
  const visits = [
    ...(await gamePages(opened, keeper, receiver.url)),
    ...(await placePages(keeper)),
    ...boxPages(keeper.id),
  ]
  return {
    ...opened,
    token: keeper.token,
    visits,
    stop: async () => {
      await opened.stop()
      await receiver.stop()
    },
  }
}

const text = (what: string | RegExp) => (page: Page) => page.getByText(what).filter({ visible: true }).first().waitFor()
const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor()
const mapWith = (what: string) => async (page: Page) => {
  await text(what)(page)
  await page.locator('[data-map="idle"]').first().waitFor()
}

async function gamePages({ given }: OpenConsole, keeper: Person, hookUrl: string): Promise<Visit[]> {
  const app = await given.app({ owner: keeper, name: 'Harbour Hunt' })
  const players = []
  for (const name of ['brasscompass', 'nightjar22', 'kite.runner']) players.push(await given.player(app, name))
  await app.post('/api/v1/apps/players', { displayName: 'brasscompass' })
  const type = await app.post('/api/v1/apps/mini-game-types', { name: 'Bell Tower Sprint', sortOrder: 'asc' })
  expect(type.status).toBeLessThan(300)
  const session = (await app.post('/api/v1/apps/game-sessions', { name: 'Saturday tide' })).body
  for (const [n, { id: playerId }] of players.entries()) {
    await app.post(`/api/v1/apps/game-sessions/${session.id}/players`, { playerId })
    await app.patch(`/api/v1/apps/game-sessions/${session.id}/players/${playerId}`, { score: 9840 - 110 * n })
  }
  const hook = await keeper.post(`/api/v1/apps/${app.id}/webhooks`, { url: hookUrl, eventTypes: ['player.created'] })
  await given.player(app, 'low_tide')
  const [first] = players
  const sprint = { name: 'Quay Dash', rules: { maxIncrease: 10 } }
  const { id: dash } = (await app.post('/api/v1/apps/mini-game-types', sprint)).body
  const { id: round } = (await app.post('/api/v1/apps/game-sessions', { name: 'Dash', miniGameTypeId: dash })).body
  await app.post(`/api/v1/apps/game-sessions/${round}/players`, { playerId: players[0]!.id })
  for (const score of [1, 500])
    await app.patch(`/api/v1/apps/game-sessions/${round}/players/${players[0]!.id}`, { score })
  await app.post('/api/v1/apps/seasons', { name: 'Spring', startsAt: '2020-03-20T18:00:00Z' })
  const bell = { title: 'Well', contentType: 'AUDIO', latitude: 40, longitude: 10 }
  const { id: pinId } = (await keeper.post('/api/location/pins', bell)).body
  await app.post('/api/v1/apps/fences', { name: 'Old well', pinId, radius: 25, checkIn: { award: { points: 10 } } })
  await app.put('/api/v1/apps/config', { event: 'winter' })
  await app.put(`/api/v1/apps/players/${first!.id}/storage/save`, { level: 7 })
  const at = `/apps/${app.id}`
  const guide = (step: string, title: string): Visit => ({
    route: '/welcome/$step',
    path: `/welcome/${step}?app=${app.id}`,
    ready: heading(title),
  })
  return [
    guide('box', 'Check the service'),
    guide('call', 'Make the first call'),
    guide('data', 'Add data'),
    guide('place', 'Create a pin'),
    guide('done', 'Setup complete'),
    { route: '/apps', path: '/apps', ready: text('Harbour Hunt') },
    { route: '/apps/$appId', path: at, ready: text('9,840') },
    { route: '/apps/$appId/config', path: `${at}/config`, ready: text(/^App key cairn_/) },
    { route: '/apps/$appId/webhooks', path: `${at}/webhooks?hook=${hook.body.id}`, ready: text('player.created') },
    { route: '/apps/$appId/usage', path: `${at}/usage`, ready: text('Total') },
    { route: '/apps/$appId/members', path: `${at}/members`, ready: text('Member since') },
    { route: '/invitation', path: '/invitation#token', ready: text('Accept invitation') },
    { route: '/apps/$appId/settings', path: `${at}/settings`, ready: text('Visibility') },
    { route: '/apps/$appId/players', path: `${at}/players`, ready: text('kite.runner') },
    { route: '/apps/$appId/players/$playerId', path: `${at}/players/${first!.id}`, ready: text('Saturday tide') },
    { route: '/apps/$appId/mini-games', path: `${at}/mini-games`, ready: text('Bell Tower Sprint') },
    { route: '/apps/$appId/seasons', path: `${at}/seasons`, ready: text('Spring') },
    { route: '/apps/$appId/reviews', path: `${at}/reviews`, ready: text('Much better than the best score so far') },
    { route: '/apps/$appId/fences', path: `${at}/fences`, ready: text('Old well') },
    { route: '/apps/$appId/sessions', path: `${at}/sessions`, ready: text('Saturday tide') },
    { route: '/apps/$appId/sessions/$sessionId', path: `${at}/sessions/${session.id}`, ready: text('nightjar22') },
    {
      route: '/apps/$appId/boards/$type',
      path: `${at}/boards/default?around=${first!.id}`,
      ready: text('Nearby ranks'),
    },
  ]
}

async function placePages(keeper: Person): Promise<Visit[]> {
  const zone = await keeper.post('/api/zones', { title: 'Inner harbour' })
  const { lat, lon } = HARBOUR
  await keeper.post('/api/location/pins', { title: 'Bell rope', contentType: 'AUDIO', latitude: lat, longitude: lon })
  const geoPose = { position: { ...HARBOUR, h: 2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  await keeper.post('/api/gcp', { title: 'Bollard 7', gcpType: 'SINGLE', geoPose, aprilTagId: 7 })

  const { url: fileUrl } = await uploadOf(keeper, { name: 'marks.csv', bytes: SURVEY })
  const survey = { fileName: 'marks.csv', fileUrl, zoneId: zone.body.id }
  const check = await keeper.post('/api/gcp/upload?dryRun=true', survey)
  const stairs = { title: 'Quay stairs', lat, long: lon }
  const scan = await sendScan(keeper, { name: 'stairs.glb', bytes: await suzanne() }, stairs)
  const { fileId } = await settledScan(keeper, scan.body.id)
  const importAt = (step: string, what: string, ready = text(what)): Visit => ({
    route: '/import/$uploadId',
    path: `/import/${check.body.id}?step=${step}`,
    ready,
  })
  return [
    { route: '/map', path: `/map?lat=${lat}&lon=${lon}&radius=180`, ready: mapWith('Bell rope') },
    { route: '/locate', path: '/locate', ready: heading('Find me') },
    { route: '/import', path: `/import?zone=${zone.body.id}`, ready: text('marks.csv') },
    importAt('columns', 'Detected format'),
    importAt('check', 'Latitude 91 is outside', mapWith('Latitude 91 is outside')),
    importAt('apply', 'becomes a control point'),
    { route: '/scans', path: '/scans', ready: pictured },
    { route: '/scans/$scanId', path: `/scans/${scan.body.id}`, ready: heading('Quay stairs') },
    { route: '/files', path: '/files', ready: text('stairs.glb') },
    { route: '/files/$fileId', path: `/files/${fileId}`, ready: heading('stairs.glb') },
  ]
}

const boxPages = (userId: string): Visit[] => [
  { route: '$', path: '/nowhere/at/all', ready: text('Not found') },
  { route: '/users', path: '/users', ready: text('keeper') },
  { route: '/users/$userId', path: `/users/${userId}`, ready: heading('keeper') },
  { route: '/accounts', path: '/accounts', ready: text('No accounts yet') },
  { route: '/password', path: '/password', ready: heading('Change password') },
  { route: '/audit', path: '/audit', ready: text('App created') },
  { route: '/tokens', path: '/tokens', ready: text('No tokens yet') },
  { route: '/shared-maps', path: '/shared-maps', ready: text('No shared maps yet') },
  { route: '/health', path: '/health', ready: text('No failed jobs') },
]
