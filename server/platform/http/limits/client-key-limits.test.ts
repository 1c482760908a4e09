import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({
    CAIRN_TRUSTED_PROXIES: 'loopback',
    CAIRN_LIMIT_KEY_PER_MINUTE: '9',
    CAIRN_LIMIT_PLAYER_PER_MINUTE: '3',
    CAIRN_LIMIT_ADDRESS_PER_MINUTE: '2',
  })
})
afterAll(() => service.stop())

/** A published game: its client key, and players who signed in. */
async function publishedGame() {
  const given = buildersOn(service)
  const owner = await given.user()
  const app = await given.app({ owner })
  const { body } = await owner.post(`/api/v1/apps/${app.id}/api-keys`, { kind: 'client', name: 'Game' })
  await app.put(config, { season: 'winter' })
  const from = (address: string, headers = {}) =>
    service.as({ 'x-forwarded-for': address, 'x-app-api-key': body.apiKey, ...headers })
  return {
    from,
    async player(address: string) {
      const { id } = await given.player(app)
      const { playerToken } = (await app.post('/auth/player-token', { playerId: id })).body
      return from(address, { authorization: `Bearer ${playerToken}` })
    },
  }
}
const config = '/api/v1/apps/config'
async function statuses(count: number, caller: { get: (path: string) => Promise<{ status: number }> }) {
  const seen: number[] = []
  for (let i = 0; i < count; i++) seen.push((await caller.get(config)).status)
  return seen
}

test('a player has its own quota, and beyond it does not use up that of the key', async () => {
  const { player } = await publishedGame()
  const [flooding, playing] = [await player('203.0.113.1'), await player('203.0.113.1')]
  expect(await statuses(30, flooding)).toEqual([200, 200, 200, ...Array(27).fill(429)])
  expect(await statuses(3, playing)).toEqual([200, 200, 200])
})

test('a read that needs no credential counts against the player of its token', async () => {
  const { player } = await publishedGame()
  const reading = await player('203.0.113.7')
  const { status, headers } = await reading.get('/api/v1/apps/public')
  const policies = headers.get('ratelimit-policy')?.split(', ') ?? []
  expect([status, ...policies.map((policy) => policy.split(';')[0])]).toEqual([200, '"key"', '"player"'])
})

test('players together have the quota of their key', async () => {
  const { player } = await publishedGame()
  for (let n = 0; n < 3; n++) expect(await statuses(3, await player(`203.0.113.${10 + n}`))).toEqual([200, 200, 200])
  const { status, body } = await (await player('203.0.113.4')).get(config)
  expect([status, body.error]).toEqual([429, expect.stringContaining('for this app key')])
})

test('a client key without a player token has the quota of its address, and beyond it does not use up its own', async () => {
  const { from } = await publishedGame()
  expect(await statuses(20, from('203.0.113.5'))).toEqual([200, 200, ...Array(18).fill(429)])
  expect(await statuses(2, from('203.0.113.6'))).toEqual([200, 200])
})
