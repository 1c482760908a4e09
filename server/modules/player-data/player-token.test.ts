import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
afterAll(() => service.stop())

let app: Caller & { id: string }
let game: Caller
let own: string
let other: string

beforeAll(async () => {
  service = await startService()

  const given = buildersOn(service)
  const owner = await given.user()
  app = await given.app({ owner })
  const { body: key } = await owner.post(`/api/v1/apps/${app.id}/api-keys`, { kind: 'client', name: 'Game' })
  const [player, stranger] = [await given.player(app), await given.player(app)]
  const { body } = await app.post('/auth/player-token', { playerId: player.id })
  game = service.as({ 'x-app-api-key': key.apiKey, authorization: `Bearer ${body.playerToken}` })
  own = `/api/v1/apps/players/${player.id}/storage`
  other = `/api/v1/apps/players/${stranger.id}/storage`
})

test('a player token writes and reads a value of its player', async () => {
  expect((await game.put(`${own}/progress`, { level: 3 })).status).toBe(201)
  expect((await game.get(`${own}/progress`)).body).toEqual({ level: 3 })
})

test('a player token cannot read, write or delete a key that starts with "server."', async () => {
  await app.put(`${own}/server.coins`, { coins: 5 })
  const answers = [
    await game.get(`${own}/server.coins`),
    await game.put(`${own}/server.coins`, { coins: 500 }),
    await game.delete(`${own}/server.coins`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
  expect((await app.get(`${own}/server.coins`)).body).toEqual({ coins: 5 })
})

test('a player token is refused the values of another player', async () => {
  await app.put(`${other}/progress`, { level: 1 })
  expect((await game.get(`${other}/progress`)).status).toBe(403)
  expect((await game.put(`${other}/progress`, {})).status).toBe(403)
})

test('a client key reads the configuration of its app and cannot set it', async () => {
  await app.put('/api/v1/apps/config', { event: 'winter' })
  const key = service.as({ 'x-app-api-key': game.headers['x-app-api-key']! })
  expect((await key.get('/api/v1/apps/config')).body).toEqual({ event: 'winter' })
  expect((await key.put('/api/v1/apps/config', {})).status).toBe(403)
})
