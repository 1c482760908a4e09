import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { appUrl, makeSession, nextOf } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const players = appUrl('players')
type Shown = { displayName: string; name: string }

test('players are found by any part of their names, ignoring case; % and _ are literal', async () => {
  const app = await given.app()
  for (const name of ['Kite Runner', 'STRASSE', 'kite_2', 'Ann % Co', 'a\\b', 'Zoë']) await given.player(app, name)
  await given.player(await given.app(), 'Kite elsewhere')
  const found = async (search: string) => {
    const { body, headers } = await app.get(`${players}?search=${encodeURIComponent(search)}`)
    expect(headers.get('x-total-count')).toBe(String(body.players.length))
    return body.players.map(({ displayName }: Shown) => displayName)
  }
  expect(await found('kite')).toEqual(['Kite Runner', 'kite_2'])
  expect(await found('E RUN')).toEqual(['Kite Runner'])
  expect(await found('straße')).toEqual(['STRASSE'])
  expect(await found('ZOË')).toEqual(['Zoë'])
  expect(await found('%')).toEqual(['Ann % Co'])
  expect(await found('_')).toEqual(['kite_2'])
  expect(await found('\\')).toEqual(['a\\b'])
  expect(await found(' kite ')).toEqual(['Kite Runner', 'kite_2'])
  expect(await found('nobody')).toEqual([])
})

test('what is found is paged as the whole list is: oldest first, each once, x-total-count of what is found', async () => {
  const app = await given.app()
  for (let i = 0; i < 9; i++) await given.player(app, i % 3 === 0 ? `Other ${i}` : `Finder ${i}`)
  const seen: string[] = []
  let path: string | undefined = `${players}?search=FINDER&limit=4`
  while (path) {
    const { body, headers } = await app.get(path)
    expect(headers.get('x-total-count')).toBe('6')
    seen.push(...body.players.map(({ displayName }: Shown) => displayName))
    path = nextOf(headers)
  }
  expect(seen).toEqual([1, 2, 4, 5, 7, 8].map((i) => `Finder ${i}`))
})

test('game sessions are found by any part of their names, beside what else they are filtered by', async () => {
  const app = await given.app()
  for (const name of ['Harbour at dusk', 'harbour_2', 'Old town', null]) await makeSession(app, { name })
  await makeSession(app, { name: 'Harbour, done', status: 'COMPLETED' })
  const found = async (query: string) => {
    const { body, headers } = await app.get(appUrl(`game-sessions?${query}`))
    expect(headers.get('x-total-count')).toBe(String(body.gameSessions.length))
    return body.gameSessions.map(({ name }: Shown) => name)
  }
  expect(await found('search=HARBOUR')).toEqual(['Harbour, done', 'harbour_2', 'Harbour at dusk'])
  expect(await found('search=harbour&status=ACTIVE')).toEqual(['harbour_2', 'Harbour at dusk'])
  expect(await found('search=r_')).toEqual(['harbour_2'])
  expect(await found('search=%25')).toEqual([])
})

test('a search of nothing, of what cannot be seen, and one longer than any name are 400', async () => {
  const app = await given.app()
  for (const search of ['', '%20', '%E2%80%8B', 'x'.repeat(256)])
    expect(await app.get(`${players}?search=${search}`), search).toMatchObject({
      status: 400,
      body: { error: [{ path: ['search'] }] },
    })
  expect((await app.get(appUrl('game-sessions?search='))).status).toBe(400)
})
