import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type App, type Builders, buildersOn, type User } from '../../test/builders.ts'
import { boxGlb, unknownExtensionGlb } from '../../test/content/glb.ts'
import { formOf } from '../../test/multipart.ts'
import { type Receiver, startReceiver } from '../../test/network/receiver.ts'
import type { Caller, Service } from '../../test/service.ts'
import { startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let receiver: Receiver
let service: Service
let given: Builders
let sql: Sql
let owner: User
let app: App
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host })
  given = buildersOn(service)
  sql = sqlOn(service)
  owner = await given.user()
  app = await given.app({ owner })
  await owner.post(`${apps}/${app.id}/webhooks`, { url: receiver.url, eventTypes: TYPES })
})
const apps = '/api/v1/apps'
const TYPES = [
  ...['player.created', 'player.updated', 'player.deleted', 'game_session.created', 'game_session.completed'],
  ...['score.updated', 'csv_upload.completed', 'csv_upload.failed', 'file.converted', 'file.failed'],
  ...['app_config.updated', 'season.ended', 'score.held', 'score.reviewed'],
]
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(() => {
  receiver.received.length = 0
})

const dataOf = async (type: string, subject: string) =>
  (await receiver.next((one) => one.type === type && JSON.stringify(one.data).includes(subject)))?.data
const get = async (caller: Caller, path: string) => (await caller.get(path)).body
/** The types received before the event of a new change. */
async function typesReceived(): Promise<string[]> {
  const last = await given.player(app)
  await dataOf('player.created', last.id)
  return receiver.received.filter(({ data }) => data.id !== last.id).map(({ type }) => type)
}

describe('each event carries the record that GET answers', () => {
  test('players: created, changed in each way, deleted', async () => {
    const player = await given.player(app)
    const at = `${apps}/players/${player.id}`
    expect(await dataOf('player.created', player.id)).toEqual(await get(app, at))
    await app.patch(at, { displayName: 'Ada', userId: owner.id })
    const before = await get(app, at)
    expect(await dataOf('player.updated', player.id)).toEqual(before)
    await app.delete(at)
    expect(await dataOf('player.deleted', player.id)).toEqual(before)
  })

  test('game sessions: created, completed together with another name, and recorded after the fact', async () => {
    const type = (await app.post(`${apps}/mini-game-types`, { name: 'Maze', sortOrder: 'asc', maxScore: 1e21 })).body
    const { id } = (await app.post(`${apps}/game-sessions`, { name: 'A', miniGameTypeId: type.id })).body
    const at = `${apps}/game-sessions/${id}`
    expect(await dataOf('game_session.created', id)).toEqual(await get(app, at))
    await app.patch(at, { status: 'PAUSED' })
    await app.patch(at, { status: 'COMPLETED', name: 'B' })
    expect(await dataOf('game_session.completed', id)).toEqual(await get(app, at))
    expect((await dataOf('game_session.completed', id)).name).toBe('B')
    await app.patch(at, { status: 'COMPLETED' })

    const recorded = (await app.post(`${apps}/game-sessions`, { status: 'COMPLETED' })).body
    expect(await dataOf('game_session.completed', recorded.id)).toEqual(recorded)
    const types = receiver.received.map((one) => one.type)
    expect(types.filter((one) => one === 'game_session.completed')).toHaveLength(2)
    expect(types.filter((one) => one === 'game_session.created')).toHaveLength(2)
  })

  test('scores: one by one, many at once and in a batch; −0 and the largest too', { tags: ['long'] }, async () => {
    const { id } = (await app.post(`${apps}/game-sessions`, {})).body
    await dataOf('game_session.created', id)
    const players = await Promise.all(Array.from({ length: 8 }, () => given.player(app)))
    await app.patch(`${apps}/players/${players[0]!.id}`, { displayName: players[0]!.displayName, userId: owner.id })
    for (const player of players) await app.post(`${apps}/game-sessions/${id}/players`, { playerId: player.id })
    const at = (player: { id: string }) => `${apps}/game-sessions/${id}/players/${player.id}`
    const scores = [-0, 1.5, 1.7976931348623157e308, 5e-324, -3, 1e21, 0.1, 7]
    await Promise.all(players.map((player, i) => app.patch(at(player), { score: scores[i] })))
    for (const player of players)
      expect(await dataOf('score.updated', player.id)).toEqual({ gameSessionId: id, ...(await get(app, at(player))) })

    receiver.received.length = 0
    const batch = players.map((player, i) => ({ playerId: player.id, score: i }))
    expect((await app.post(`${apps}/game-sessions/${id}/scores`, { scores: batch })).status).toBe(200)
    for (const player of players)
      expect(await dataOf('score.updated', player.id)).toEqual({ gameSessionId: id, ...(await get(app, at(player))) })
    expect(await typesReceived()).toEqual(players.map(() => 'score.updated'))
  })

  test('the configuration of the app: once for each version', async () => {
    const first = await app.put(`${apps}/config`, { event: 'winter' })
    expect(await dataOf('app_config.updated', first.body.createdAt)).toEqual(first.body)
    receiver.received.length = 0
    await app.put(`${apps}/config`, { event: 'winter' })
    expect(await typesReceived()).toEqual([])
    const { versions } = await get(app, `${apps}/config/versions`)
    expect(versions).toEqual([first.body])
  })

  test('a score that is held, and the decisions about it', async () => {
    const rules = { requireMetadata: ['replay'] }
    const type = (await app.post(`${apps}/mini-game-types`, { name: 'Judged', rules })).body
    const { id: session } = (await app.post(`${apps}/game-sessions`, { miniGameTypeId: type.id })).body
    const player = await given.player(app)
    const place = `${apps}/game-sessions/${session}/players`
    await app.post(place, { playerId: player.id })
    const { reviewId } = (await app.patch(`${place}/${player.id}`, { score: 5, metadata: { level: 2 } })).body
    const review = `${apps}/reviews/${reviewId}`
    expect(await dataOf('score.held', reviewId)).toEqual(await get(app, review))
    for (const decision of ['accept', 'reject']) {
      receiver.received.length = 0
      const { body } = await app.post(review, { decision })
      expect(await dataOf('score.reviewed', reviewId)).toEqual(body)
    }
  })

  test('a season that has ended: with the first entries of its board', { tags: ['long'] }, async () => {
    const { id: session } = (await app.post(`${apps}/game-sessions`, {})).body
    const player = await given.player(app)
    await app.post(`${apps}/game-sessions/${session}/players`, { playerId: player.id })
    await app.patch(`${apps}/game-sessions/${session}/players/${player.id}`, { score: 5 })
    const startsAt = new Date(Date.now() - 3_600_000).toISOString()
    const { id } = (await app.post(`${apps}/seasons`, { name: 'Spring', startsAt })).body
    const { leaderboard } = await get(app, `${apps}/leaderboards/mini-game?season=${id}`)
    const ended = `ends_at = clock_timestamp() - interval '20 seconds'`
    await sql(`update period_boards set ${ended} where board_key = $1`, [id])
    await sql(`update seasons set ${ended} where id = $1`, [id])
    const season = await get(app, `${apps}/seasons/${id}`)
    expect(await dataOf('season.ended', id)).toEqual({ ...season, leaderboard })
    expect(leaderboard.length).toBeGreaterThan(0)
  })

  test('imports that end well or badly, of a user whose app it is', { tags: ['long'] }, async () => {
    const zone = (await owner.post('/api/zones', { title: 'Park' })).body
    for (const [bytes, status] of [
      ['name,lat,lon\nP,1,2\nQ,95,2\n', 'completed'],
      ['\0\0\0no survey', 'failed'],
    ] as const) {
      const file = (await owner.post('/api/upload', formOf({ name: 'p.csv', bytes }))).body.results[0]
      const upload = { fileName: 'p.csv', fileUrl: file.url, zoneId: zone.id }
      const query = '?header=name,lat,lon&crs=EPSG:4326&onError=skip'
      const { id } = (await owner.post(`/api/gcp/upload${query}`, upload)).body
      expect(await dataOf(`csv_upload.${status}`, id)).toEqual(await get(owner, `/api/gcp/upload/${id}`))
    }
  })

  test('conversions, for the app whose key was sent and for the apps of the user', { tags: ['long'] }, async () => {
    const fileId = (
      await service.as(app.headers).post('/api/upload/convert', formOf({ name: 'a.glb', bytes: boxGlb() }))
    ).body.originalFile.id
    expect(await dataOf('file.converted', String(fileId))).toEqual(
      await get(owner, `/api/upload/convert?fileId=${fileId}`),
    )

    const failed = (await owner.post('/api/upload/convert', formOf({ name: 'b.glb', bytes: unknownExtensionGlb() })))
      .body.originalFile.id
    expect(await dataOf('file.failed', String(failed))).toEqual(
      await get(owner, `/api/upload/convert?fileId=${failed}`),
    )
  })
})

describe('the receivers of an event', () => {
  test('of an import without apps of its user: only the app whose key was sent', {
    tags: ['long'],
  }, async () => {
    const user = await given.user()
    const zone = (await user.post('/api/zones', { title: 'Other park' })).body
    const file = (await user.post('/api/upload', formOf({ name: 'p.csv', bytes: 'name,lat,lon\nP,1,2\n' }))).body
      .results[0]
    const upload = { fileName: 'p.csv', fileUrl: file.url, zoneId: zone.id }
    const beside = service.as({ ...user.headers, 'x-app-api-key': app.key })
    const { id } = (await beside.post('/api/gcp/upload', upload)).body
    expect((await dataOf('csv_upload.completed', id)).userId).toBe(user.id)
    const bad = service.as({ ...user.headers, 'x-app-api-key': 'cairn_no' })
    expect((await bad.post('/api/gcp/upload', upload)).status).toBe(401)
  })

  test('exclude other apps, event types not subscribed to, and changes that were refused or rolled back', async () => {
    const elsewhere = await given.app()
    await given.player(elsewhere, 'Elsewhere')
    const player = await given.player(app, 'Twice')
    expect((await app.post(`${apps}/players`, { displayName: 'TWICE' })).status).toBe(409)
    const { id } = (await app.post(`${apps}/game-sessions`, {})).body
    await app.post(`${apps}/game-sessions/${id}/players`, { playerId: player.id })
    const scores = [
      { playerId: player.id, score: 1 },
      { playerId: crypto.randomUUID(), score: 2 },
    ]
    expect((await app.post(`${apps}/game-sessions/${id}/scores`, { scores })).status).toBe(400)
    await sql(`begin; update players set display_name = 'Rolled back' where id = '${player.id}'; rollback`)
    // Events of different subjects arrive in any order.
    await dataOf('player.created', player.id)
    await dataOf('game_session.created', id)
    expect((await typesReceived()).sort()).toEqual(['game_session.created', 'player.created'])
  })

  test('exclude a deleted app: neither it nor its players publish an event', { tags: ['long'] }, async () => {
    const gone = await given.app({ owner, name: 'Gone' })
    await owner.post(`${apps}/${gone.id}/webhooks`, { url: receiver.url, eventTypes: ['player.deleted'] })
    await given.player(gone)
    await owner.delete(`${apps}/${gone.id}?name=Gone`)
    let left = 1
    for (let i = 0; left > 0 && i < 1500; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const counts =
        'select (select count(*) from apps where id = $1) + (select count(*) from webhook_endpoints where app_id = $1) as left'
      left = (await sql<{ left: number }>(counts, [gone.id]))[0]!.left
    }
    expect(left).toBe(0)
    expect(await typesReceived()).toEqual([])
  })

  test('erasing a user deletes the events about them, and later events are still delivered', async () => {
    const user = await given.user()
    await owner.patch(`${apps}/${app.id}`, {})
    const player = await given.player(app)
    receiver.answer = (response, { data }) => {
      response.writeHead(data.userId ? 500 : 200).end()
      return !data.userId
    }
    const at = `${apps}/players/${player.id}`
    await app.patch(at, { displayName: 'Linked', userId: user.id })
    expect((await user.delete('/api/v1/user')).status).toBe(204)
    expect(await sql('select id from webhook_deliveries where user_id = $1', [user.id])).toEqual([])
    expect(await sql('select id from webhook_events where data::text like $1', [`%${user.id}%`])).toEqual([])
    expect(await dataOf('player.updated', player.id)).toEqual(await get(app, at))
  })
})
