import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn, type User } from '../../test/builders.ts'
import { type Service, startService } from '../../test/service.ts'
import { auditedWrites } from './audited-writes.ts'

let service: Service
let given: Builders
let ops: User
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  ops = await given.user({ roles: ['ops'] })
})
afterAll(() => service.stop())

const entriesOf = async (query: string) => (await ops.get(`/api/v1/audit-log?${query}`)).body.entries

/** An app, and its owner acting in it with a session. */
async function startApp() {
  const user = await service.app.localUser('owner', [])
  const authorization = `Bearer ${(await service.app.identity.openFor(user)).token}`
  const owner = { ...service.as({ authorization }), id: user.id }
  const app = await given.app({ owner, name: 'Harbour Hunt' })
  const member = service.as({ authorization, 'x-app-id': app.id })
  return { owner, app, member }
}

describe('what a member writes in an app', () => {
  test('is in the audit log with its app and the name of the record, and what a key writes is not', async () => {
    const { owner, app, member } = await startApp()
    const { body: byMember } = await member.post('/api/v1/apps/players', { displayName: 'brasscompass' })
    const { body: byKey } = await app.post('/api/v1/apps/players', { displayName: 'nightjar22' })
    expect(await entriesOf(`subject=${byMember.id}`)).toEqual([
      expect.objectContaining({
        actor: owner.id,
        action: 'player.created',
        appId: app.id,
        subjectName: 'brasscompass',
        changes: null,
      }),
    ])
    expect(await entriesOf(`subject=${byKey.id}`)).toEqual([])
  })

  test('has the status of a session before and after', async () => {
    const { member } = await startApp()
    const { id } = (await member.post('/api/v1/apps/game-sessions', { name: 'Saturday tide' })).body
    await member.patch(`/api/v1/apps/game-sessions/${id}`, { status: 'COMPLETED' })
    expect(await entriesOf(`subject=${id}&action=game_session.updated`)).toMatchObject([
      { subjectName: 'Saturday tide', changes: { status: { from: 'ACTIVE', to: 'COMPLETED' } } },
    ])
  })

  test('has a score of a running session before and after', async () => {
    const { app, member } = await startApp()
    const player = await given.player(app, 'kite.runner')
    const { id } = (await member.post('/api/v1/apps/game-sessions', {})).body
    const at = `/api/v1/apps/game-sessions/${id}/players`
    await member.post(at, { playerId: player.id })
    for (const score of [120, 90]) await member.patch(`${at}/${player.id}`, { score })
    await app.patch(`${at}/${player.id}`, { score: 70 })
    expect(await entriesOf(`subject=${id}/${player.id}`)).toMatchObject([
      { action: 'score.set', subjectName: 'kite.runner', changes: { score: { from: 120, to: 90 } } },
      { action: 'score.set', subjectName: 'kite.runner', changes: { score: { from: 0, to: 120 } } },
    ])
  })

  test('has the standing of a player before and after', async () => {
    const { app, member } = await startApp()
    const player = await given.player(app, 'mallory')
    await member.patch(`/api/v1/apps/players/${player.id}`, { standing: 'banned' })
    expect(await entriesOf(`subject=${player.id}`)).toMatchObject([
      {
        action: 'player.banned',
        appId: app.id,
        subjectName: 'mallory',
        changes: { standing: { from: 'normal', to: 'banned' } },
      },
    ])
  })

  test('is not there if it was refused', async () => {
    const { app, member } = await startApp()
    const player = await given.player(app)
    expect(await member.post('/api/v1/apps/players', { displayName: player.displayName })).toMatchObject({
      status: 409,
    })
    expect(await entriesOf('action=player.created')).not.toContainEqual(
      expect.objectContaining({ appId: app.id, subject: player.id }),
    )
  })
})

test('a pin that is moved has its coordinates before and after', async () => {
  const user = await given.user()
  const pin = { title: 'Bell rope', contentType: 'AUDIO', latitude: 54.3, longitude: 10.1 }
  const { id } = (await user.post('/api/location/pins', pin)).body
  await user.put(`/api/location/pins/${id}`, { title: 'Bell rope', latitude: 54.4, longitude: 10.1 })
  expect(await entriesOf(`subject=${id}`)).toMatchObject([
    { action: 'pin.updated', subjectName: 'Bell rope', changes: { latitude: { from: 54.3, to: 54.4 } } },
    { action: 'pin.created', changes: null },
  ])
})

test('each kind of record that has a name is named, and hooks by the host that they call', async () => {
  const { owner, app, member } = await startApp()
  const made = async (path: string, body: object, as = member): Promise<string> => {
    const answer = await as.post(path, body)
    expect(answer, path).toMatchObject({ status: expect.toSatisfy((status) => status < 300) })
    return String(answer.body.id)
  }
  const at = `/api/v1/apps/${app.id}`
  const zone = await made('/api/zones', { title: 'Old Harbour' }, owner)
  const pin = { title: 'Bell', contentType: 'AUDIO', latitude: 54.3, longitude: 10.1 }
  const pinId = Number(await made('/api/location/pins', pin, owner))
  const webhook = { url: 'https://example.com/in?secret=1', eventTypes: ['player.created'] }
  const token = { name: 'QGIS' }
  const map = { title: 'Summer hunt', zoneIds: [Number(zone)] }
  const named: Record<string, string> = {
    [await made('/api/v1/apps/seasons', { name: 'Spring', startsAt: '2020-03-20T18:00:00Z' })]: 'Spring',
    [await made('/api/v1/apps/mini-game-types', { name: 'Quay Dash' })]: 'Quay Dash',
    [await made('/api/v1/apps/fences', { name: 'Old well', pinId, radius: 25 })]: 'Old well',
    [await made(`${at}/webhooks`, webhook, owner)]: 'example.com',
    [await made('/api/v1/user/tokens', token, owner)]: 'QGIS',
    [await made('/api/v1/user/maps', map, owner)]: 'Summer hunt',
    [app.id]: 'Harbour Hunt',
  }
  for (const [subject, subjectName] of Object.entries(named))
    expect(await entriesOf(`subject=${subject}`), subjectName).toContainEqual(expect.objectContaining({ subjectName }))
  const mark = { title: 'Bollard 7', gcpType: 'SINGLE', zoneId: Number(zone) }
  await owner.post('/api/gcp', mark)
  expect(await entriesOf('action=zone.created')).toMatchObject([{ subject: zone, subjectName: 'Old Harbour' }])
  expect(await entriesOf('action=gcp.created')).toMatchObject([{ subjectName: 'Bollard 7' }])
})

test('each audited operation exists', () => {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(Object.keys(auditedWrites).filter((name) => !operations.includes(name))).toEqual([])
})
