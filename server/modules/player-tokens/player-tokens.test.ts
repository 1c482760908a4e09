import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitedSession } from '../../test/access/limited-session.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { png } from '../../test/content/glb.ts'
import { formOf } from '../../test/multipart.ts'
import { makeSession, makeType } from '../../test/scoring/scoring-steps.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
afterAll(() => service.stop())

const apps = '/api/v1/apps'
type App = Awaited<ReturnType<typeof given.app>>

let owner: Awaited<ReturnType<typeof given.user>>
let app: App
let clientKey: string
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)

  owner = await given.user()
  app = await given.app({ owner })
  clientKey = await clientKeyOf(app)
})

const clientKeyOf = async (of: App) =>
  (await owner.post(`${apps}/${of.id}/api-keys`, { kind: 'client', name: 'Build' })).body.apiKey as string
const tokenOf = async (playerId: string, more: object = {}, caller: Caller = app) => {
  const { status, body } = await caller.post('/auth/player-token', { playerId, ...more })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.playerToken as string
}
const playing = (token: string, key = clientKey) =>
  service.as({ 'x-app-api-key': key, authorization: `Bearer ${token}` })
const playerPath = (id: string) => `${apps}/players/${id}`
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A player that takes part in a session of a type. */
async function inRound(submittedBy?: 'player' | 'server') {
  const type = submittedBy && (await makeType(app, `Type ${crypto.randomUUID()}`, { submittedBy }))
  const session = await makeSession(app, type ? { miniGameTypeId: type.id } : {})
  const player = await given.player(app)
  await app.post(`${apps}/game-sessions/${session.id}/players`, { playerId: player.id })
  return { player, type, path: `${apps}/game-sessions/${session.id}/players/${player.id}` }
}

describe('a player token', () => {
  test('is a JWT of type player+jwt that lasts an hour, or as long as asked, up to a day', async () => {
    const { id } = await given.player(app)
    const { body, headers } = await app.post('/auth/player-token', { playerId: id })
    expect(headers.get('cache-control')).toBe('no-store')
    const [header, payload] = body.playerToken
      .split('.', 2)
      .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(header).toMatchObject({ alg: 'ES256', typ: 'player+jwt' })
    expect(payload).toMatchObject({ sub: id, app: app.id, aud: 'cairn-player', key: app.key.slice(6, 14) })
    expect(payload.exp - payload.iat).toBe(3600)
    expect(Date.parse(body.expiryTime)).toBe(payload.exp * 1000)
    for (const lifetimeSeconds of [0, 86_401, 1.5])
      expect(await app.post('/auth/player-token', { playerId: id, lifetimeSeconds })).toMatchObject({ status: 400 })
    await tokenOf(id, { lifetimeSeconds: 86_400 })
  })

  test('changes the name and the image of its own player, and not whose player it is', async () => {
    const player = await given.player(app)
    const game = playing(await tokenOf(player.id))
    const renamed = await game.patch(playerPath(player.id), { displayName: 'Brass Compass' })
    expect(renamed).toMatchObject({ status: 200, body: { displayName: 'Brass Compass' } })
    expect(await game.patch(playerPath(player.id), { displayName: 'Brass', userId: owner.id })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('userId') },
    })
    expect(
      await game.patch(playerPath(player.id), { displayName: 'Brass Compass', userId: null }),
      'sent back as it was read',
    ).toMatchObject({ status: 200 })
    expect(await game.delete(`${playerPath(player.id)}/profile-image`)).toMatchObject({ status: 200 })
    const image = formOf({ field: 'image', name: 'a.png', bytes: png })
    expect((await game.patch(`${playerPath(player.id)}/profile-image`, image)).status, 'the image is judged').toBe(400)
  })

  test('changes no other player, and nothing else of the app', async () => {
    const [own, other] = [await given.player(app), await given.player(app)]
    const game = playing(await tokenOf(own.id))
    expect(await game.patch(playerPath(other.id), { displayName: 'Mine' })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('another player') },
    })
    expect(await game.delete(playerPath(own.id))).toMatchObject({ status: 403 })
    expect(await game.post(`${apps}/players`, { displayName: 'New' })).toMatchObject({ status: 403 })
    expect((await game.get(playerPath(other.id))).body).toMatchObject(other)
  })

  test('narrows a server key beside it to what the player may', async () => {
    const [own, other] = [await given.player(app), await given.player(app)]
    const game = playing(await tokenOf(own.id), app.key)
    expect(await game.patch(playerPath(other.id), { displayName: 'Mine' })).toMatchObject({ status: 403 })
    expect(await game.post(`${apps}/players`, { displayName: 'New' })).toMatchObject({ status: 403 })
  })

  test('sets its own score where the type says submittedBy: player, and nowhere else', async () => {
    const open = await inRound('player')
    expect(open.type).toMatchObject({ submittedBy: 'player' })
    const game = playing(await tokenOf(open.player.id))
    expect(await game.patch(open.path, { score: 12 })).toMatchObject({ status: 200, body: { score: 12 } })
    const closed = [await inRound('server'), await inRound()]
    for (const { player, path } of closed) {
      const theirs = playing(await tokenOf(player.id))
      expect(await theirs.patch(path, { score: 12 })).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining('submittedBy') },
      })
      expect((await app.get(path)).body.score).toBe(0)
      expect(await game.patch(path, { score: 12 }), 'of another player').toMatchObject({ status: 403 })
    }
    await app.patch(`${apps}/mini-game-types/${open.type!.id}`, { submittedBy: 'server' })
    expect(await game.patch(open.path, { score: 13 }), 'the type was changed').toMatchObject({ status: 403 })
    expect((await app.patch(open.path, { score: 14 })).status, 'a server key writes any').toBe(200)
  })

  test('does not get the answer that a repeat of the Idempotency-Key of the server would', async () => {
    const { player, path } = await inRound('player')
    const repeated = { 'idempotency-key': crypto.randomUUID() }
    await service.as({ 'x-app-api-key': app.key, ...repeated }).patch(path, { score: 5 })
    const token = await tokenOf(player.id)
    const game = service.as({ 'x-app-api-key': clientKey, authorization: `Bearer ${token}`, ...repeated })
    const { status, headers } = await game.patch(path, { score: 5 })
    expect({ status, replayed: headers.get('idempotency-replayed') }).toEqual({ status: 200, replayed: null })
  })
})

describe('who may create one', () => {
  test('a server key for its players; a client key not', async () => {
    const { id } = await given.player(app)
    const client = service.as({ 'x-app-api-key': clientKey })
    expect(await client.post('/auth/player-token', { playerId: id })).toMatchObject({ status: 403 })
    expect(await service.anonymous.post('/auth/player-token', { playerId: id })).toMatchObject({ status: 401 })
    const stranger = await given.app()
    expect(await stranger.post('/auth/player-token', { playerId: id })).toMatchObject({ status: 404 })
    expect(await playing(await tokenOf(id)).post('/auth/player-token', { playerId: id })).toMatchObject({ status: 401 })
  })

  test('the user whose player it is, with a session from a code, too; no other user', async () => {
    const user = await given.user()
    const { body: player } = await app.post(`${apps}/players`, { displayName: `P ${user.id}`, userId: user.id })
    const inGame = { 'x-app-api-key': clientKey }
    const fromCode = await limitedSession(service, user)
    for (const caller of [user, fromCode, service.as({ ...fromCode.headers, ...inGame })]) {
      const game = playing(await tokenOf(player.id, {}, caller))
      expect(await game.patch(playerPath(player.id), { displayName: `Q ${user.id}` })).toMatchObject({ status: 200 })
    }
    expect(await (await given.user()).post('/auth/player-token', { playerId: player.id })).toMatchObject({
      status: 403,
    })
    const { id } = await given.player(app)
    expect(await user.post('/auth/player-token', { playerId: id })).toMatchObject({ status: 403 })
  })
})

describe('a token is dead within a second', () => {
  const dies = async (player: string, token: string, key: string, end: () => Promise<unknown>) => {
    const other = await startSecondService(service)
    const headers = { 'x-app-api-key': key, authorization: `Bearer ${token}` }
    const statuses = async () =>
      Promise.all([service, other].map(async (one) => (await one.as(headers).get(playerPath(player))).status))
    expect(await statuses()).toEqual([200, 200])
    await end()
    await pause(1000)
    const after = await statuses()
    await other.stop()
    return after
  }

  test('with the key that it was created with, in every process', async () => {
    const { id } = await given.player(app)
    const key = (await owner.post(`${apps}/${app.id}/api-keys`, { kind: 'server', name: 'Match server' })).body
    const token = await tokenOf(id, {}, service.as({ 'x-app-api-key': key.apiKey }))
    const end = () => owner.delete(`${apps}/${app.id}/api-keys/${key.id}`)
    expect(await dies(id, token, clientKey, end)).toEqual([401, 401])
  })

  test('with its player', async () => {
    const { id } = await given.player(app)
    expect(await dies(id, await tokenOf(id), clientKey, () => app.delete(playerPath(id)))).toEqual([401, 401])
  })

  test('with the session that created it, and with the link of the player to that user', {
    tags: ['long'],
  }, async () => {
    for (const end of ['sign-out', 'unlink']) {
      const user = await given.user()
      const displayName = `P ${user.id}`
      const { id } = (await app.post(`${apps}/players`, { displayName, userId: user.id })).body
      const token = await tokenOf(id, {}, user)
      const ends = () =>
        end === 'unlink' ? app.patch(playerPath(id), { displayName, userId: null }) : user.post('/auth/sign-out')
      expect(await dies(id, token, clientKey, ends)).toEqual([401, 401])
    }
  })
})

test('a token is in no stored answer', async () => {
  const { id } = await given.player(app)
  const token = await tokenOf(id)
  const rows = await sql('select * from idempotency_keys')
  expect(JSON.stringify(rows)).not.toContain(token)
})
