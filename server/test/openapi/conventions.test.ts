import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessTable, type Rule } from '../access/access-table.ts'
import { type Tenant, tenantOn } from '../access/access-world.ts'
import { buildersOn } from '../builders.ts'
import { appUrl, makeSession, makeType, nextOf, unknownId } from '../scoring/scoring-steps.ts'
import { type Answer, type Caller, type Service, startService } from '../service.ts'
import { sqlOn } from '../sql.ts'

let service: Service
let own: Tenant
let admin: Caller

beforeAll(async () => {
  service = await startService()
  own = await tenantOn(service)
  admin = await buildersOn(service).user({ roles: ['admin'] })
})
afterAll(() => service.stop())

const json = { 'content-type': 'application/json' }

function ownerOf({ needs }: Rule): Record<string, string> {
  if (needs === 'appKey') return own.app.headers
  return needs === 'ops' || needs === 'admin' ? admin.headers : own.user.headers
}

describe('an unknown or malformed ID in a path is 404; a malformed integer is 400', () => {
  const withId = Object.entries(accessTable).filter(([operation]) => operation.includes('{'))
  test.each(withId)('%s', async (operation, rule) => {
    const [method, template] = operation.split(' ') as [string, string]
    const { path, body } = await rule.call(own)
    const [address, query] = path.split('?') as [string, string | undefined]
    const segments = address.split('/')
    for (const [place, segment] of template.split('/').entries()) {
      // A storage key is a name that the game chooses.
      if (!segment.startsWith('{') || segment === '{key}') continue
      const isInteger = /^\d+$/.test(segments[place]!)
      const ids: [id: string, status: number][] = isInteger
        ? [
            ['9007199254740990', 404],
            ['no-id', 400],
            ['1.5', 400],
            ['-1', 400],
            // Rows and columns of tiles begin at 0.
            ...(segment.startsWith('{tile') ? [] : [['0', 400] as [string, number]]),
          ]
        : [
            [unknownId, 404],
            ['no-id', 404],
            ['%20', 404],
            ['7', 404],
          ]
      for (const [id, status] of ids) {
        const asked = segments.with(place, id).join('/') + (query ? `?${query}` : '')
        const answer = await service.request(method, asked, body, ownerOf(rule))
        expect({ asked, ...answer }).toMatchObject({ status })
      }
    }
  })
})

describe('a mini game type in a query or body', () => {
  const queries = [
    'game-sessions',
    'leaderboards/mini-game',
    'leaderboards/stream',
    'players/:player/global-ranking',
    'seasons',
    'reviews',
    'players/:player/scores',
    'players/:player/score-history',
  ]
  const bodies = ['game-sessions', 'leaderboards/stream-token', 'seasons']
  const required: Record<string, object> = { seasons: { name: 'Summer', startsAt: new Date().toISOString() } }
  const calls: [name: string, call: (choice: Record<string, string>) => Promise<{ status: number }>][] = [
    ...queries.map((path): (typeof calls)[number] => [
      `GET ${path}`,
      (choice) => own.app.get(`${appUrl(path.replace(':player', own.player))}?${new URLSearchParams(choice)}`),
    ]),
    ...bodies.map((path): (typeof calls)[number] => [
      `POST ${path}`,
      (choice) => own.app.post(appUrl(path), { ...required[path], ...choice }),
    ]),
  ]
  test.each(calls)(
    '%s: unknown by ID or name is 404, contradicting ID and name 400, malformed 400',
    async (name, call) => {
      const [one, two] = [await makeType(own.app, `${name} one`), await makeType(own.app, `${name} two`)]
      for (const id of [unknownId, 'no-id', ''])
        expect(await call({ miniGameTypeId: id }), id).toMatchObject({ status: 404 })
      for (const unknown of ['None', ''])
        expect(await call({ miniGameTypeName: unknown })).toMatchObject({ status: 404 })
      expect(await call({ miniGameTypeId: one.id, miniGameTypeName: two.name })).toMatchObject({ status: 400 })
      if (name.startsWith('GET')) return
      for (const member of ['miniGameTypeId', 'miniGameTypeName'])
        expect(await own.app.post(appUrl(name.slice(5)), { ...required[name.slice(5)], [member]: 7 })).toMatchObject({
          status: 400,
          body: { error: [{ code: 'invalid_type', path: [member] }] },
        })
    },
  )
})

describe('bodies', () => {
  test('may be absent, empty with a JSON content type, or null if optional', async () => {
    const optional: [path: string, headers: Record<string, string>, status: number][] = [
      [appUrl('game-sessions'), own.app.headers, 201],
      [appUrl('leaderboards/stream-token'), own.app.headers, 200],
      [appUrl(`${await own.newApp()}/api-key/rotate`), own.user.headers, 200],
      ['/auth/codes', own.user.headers, 200],
    ]
    for (const [path, headers, status] of optional) {
      expect(await service.request('POST', path, undefined, headers), path).toMatchObject({ status })
      for (const body of ['', 'null'])
        expect(await service.request('POST', path, body, { ...headers, ...json }), path).toMatchObject({ status })
    }
  })

  test('may have unknown members, which are ignored', async () => {
    const body = { displayName: 'Ada', id: unknownId, score: 7 }
    expect(await own.app.post(appUrl('players'), body)).toMatchObject({ status: 200, body: { displayName: 'Ada' } })
  })
})

test('a list has 10,000 rows by default, and a link to the rest', { tags: ['long'] }, async () => {
  const app = await buildersOn(service).app()
  const session = await makeSession(app)
  const sql = sqlOn(service)
  await sql(
    `insert into players (app_id, id, display_name, name_key)
     select $1, gen_random_uuid(), n::text, n::text from generate_series(1, 10001) n`,
    [app.id],
  )
  await sql(
    `insert into session_players (app_id, session_id, player_id, type_key)
     select app_id, $2, id, '00000000-0000-0000-0000-000000000000' from players where app_id = $1`,
    [app.id, session.id],
  )
  for (const list of ['players', `game-sessions/${session.id}/players`]) {
    const first = await app.get(appUrl(list))
    expect(first.body.players).toHaveLength(10_000)
    expect(first.headers.get('x-total-count')).toBe('10001')
    const rest = await app.get(nextOf(first.headers)!)
    expect(rest.body.players).toHaveLength(1)
    expect(nextOf(rest.headers)).toBeUndefined()
  }
})

test('integers of responses do not have the bounds of a double; those of requests do', async () => {
  const { paths, components } = (await service.anonymous.get('/openapi.json')).body
  const operations: Answer['body'][] = Object.values(paths).flatMap((methods) => Object.values(methods as object))
  expect(JSON.stringify(operations.map(({ responses }) => responses))).not.toContain('9007199254740991')
  const { NewScanInput, UploadResult, Gcp } = components.schemas
  expect(JSON.stringify([UploadResult, Gcp])).not.toContain('9007199254740991')
  expect(JSON.stringify(NewScanInput)).toContain('"maximum":9007199254740991')
})
