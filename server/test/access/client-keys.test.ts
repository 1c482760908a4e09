// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../service.ts'
import { sqlOn } from '../sql.ts'
import { accessTable, type Rule } from './access-table.ts'
import { type Tenant, tenantOn } from './access-world.ts'
import { sendOn } from './send.ts'

let service: Service
let own: Tenant
let other: Tenant
let clientKey: Record<string, string>
let strangersKey: Record<string, string>
/** Beside the client key: the token of the player that rules name, and of another player of the app. */
let ownToken: Record<string, string>
let otherToken: Record<string, string>

beforeAll(async () => {
  service = await startService()
  own = await tenantOn(service)
  other = await tenantOn(service)
  clientKey = await clientKeyOf(own)
  strangersKey = await clientKeyOf(other)
  ownToken = { ...clientKey, ...(await tokenOf(own.player)) }
  otherToken = { ...clientKey, ...(await tokenOf(await own.newPlayer())) }
}, 120_000)
afterAll(() => service.stop())

async function clientKeyOf({ user, appId }: Tenant) {
  const made = await user.post(`/api/v1/apps/${appId}/api-keys`, { kind: 'client', name: 'In the game' })
  return { 'x-app-api-key': made.body.apiKey as string }
}

async function tokenOf(playerId: string) {
  const made = await own.app.post('/auth/player-token', { playerId })
  return { authorization: `Bearer ${made.body.playerToken}` }
}

const send = (operation: string, rule: Rule, headers: Record<string, string>) =>
  sendOn(service, own, operation, rule, headers)
const operations = (clientKey: Rule['clientKey']) =>
  Object.entries(accessTable).filter(([, rule]) => rule.clientKey === clientKey)

/** What the operation needs beside an app key. */
const besides = ({ needs }: Rule): Record<string, string> =>
  needs === 'user' ? (own.user.headers as Record<string, string>) : {}

/** Every row that the app owns, without what a read counts. */
async function contentsOf(appId: string) {
  const tables = ['players', 'mini_game_types', 'game_sessions', 'session_players', 'player_best', 'codes']
  const sql = sqlOn(service)
  const rows = await Promise.all(
    tables.map((table) => sql(`select to_jsonb(t) as row from ${table} t where app_id = $1 order by 1`, [appId])),
  )
  return Object.fromEntries(tables.map((table, at) => [table, rows[at]]))
}

/** What the description of an operation says of client keys. */
const SAID: Partial<Record<Rule['clientKey'], string>> = {
  yes: 'Client keys are accepted.',
  no: 'A client key returns 403.',
  besideSession: 'A client key is accepted together with a session.',
  ofPlayer:
    'With a client key, also send the token of this player in `Authorization: Bearer`; otherwise the response is 403.',
  player: 'Besides the key, requires the token of the player in `Authorization: Bearer`.',
}

test('every operation says what a client key may', () => {
  for (const [operation, { clientKey }] of Object.entries(accessTable))
    expect({ operation, clientKey }).toEqual({
      operation,
      clientKey: expect.stringMatching(/^(yes|no|besideSession|ofPlayer|player|unread)$/),
    })
})

test('the description of each operation that takes a key says the same', async () => {
  const { paths } = (await service.anonymous.get('/openapi.json')).body
  for (const [operation, rule] of Object.entries(accessTable)) {
    const [method, path] = operation.split(' ') as [string, string]
    const { security = [], description = '' } = paths[path][method.toLowerCase()]
    if (!JSON.stringify(security).includes('appKey')) continue
    const stated = Object.entries(SAID).find(([, sentence]) => description.includes(sentence))?.[0]
    expect({ operation, stated }).toEqual({ operation, stated: rule.clientKey })
  }
})

describe('a client key is refused with 403 where it may not', () => {
  test.each(operations('no'))('%s', async (operation, rule) => {
    const { status, body } = await send(operation, rule, { ...besides(rule), ...clientKey })
    expect({ status, body }).toEqual({ status: 403, body: { error: expect.stringContaining('This is a client key') } })
  })
})

describe('a client key is as good as a server key where it may', () => {
  test.each(operations('yes'))('%s', async (operation, rule) => {
    expect(await send(operation, rule, clientKey)).toMatchObject({ status: rule.ok })
    if (rule.stranger) expect(await send(operation, rule, strangersKey)).toMatchObject({ status: rule.stranger })
  })
})

describe('a client key is accepted beside a session, and alone refused with 403', () => {
  test.each(operations('besideSession'))('%s', async (operation, rule) => {
    expect(await send(operation, rule, clientKey)).toMatchObject({ status: 403 })
    expect(await send(operation, rule, { ...own.user.headers, ...clientKey })).toMatchObject({ status: rule.ok })
    expect(await send(operation, rule, { ...own.user.headers, ...strangersKey })).toMatchObject({ status: 404 })
  })
})

test('an upload with a client key beside a session is refused, and says to leave the key out', async () => {
  const headers = { ...own.user.headers, ...clientKey }
  expect(await send('POST /api/upload', accessTable['POST /api/upload']!, headers)).toMatchObject({
    status: 403,
    body: { error: expect.stringContaining('leave the key out') },
  })
})

describe('a client key is accepted beside the token of the player, and refused without it and beside another', () => {
  test.each(operations('ofPlayer'))('%s', async (operation, rule) => {
    expect(await send(operation, rule, clientKey)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('the token of this player') },
    })
    expect(await send(operation, rule, otherToken)).toMatchObject({
      status: 403,
      body: { error: 'This is the token of another player' },
    })
    // The score of the default game is for server keys alone.
    const ok = operation.includes('/game-sessions/') ? 403 : rule.ok
    expect(await send(operation, rule, ownToken)).toMatchObject({ status: ok })
  })
})

describe('a key of any kind is refused without the token of a player, and accepted beside it', () => {
  test.each(operations('player'))('%s', async (operation, rule) => {
    for (const key of [clientKey, own.app.headers as Record<string, string>]) {
      expect(await send(operation, rule, key)).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining('Send the token of the player') },
      })
      expect(await send(operation, rule, { ...ownToken, ...key })).toMatchObject({ status: 200 })
    }
  })
})

describe('a player token reads what a client key reads', () => {
  test.each(operations('yes'))('%s', async (operation, rule) => {
    // A code is exchanged without a player.
    expect(await send(operation, rule, ownToken)).toMatchObject({ status: rule.ok })
  })
})

describe('a player token allows nothing else, with any key beside it', () => {
  test.each(operations('no'))('%s', async (operation, rule) => {
    const refused = rule.needs === 'appKey' ? 403 : 401
    for (const key of [clientKey, own.app.headers as Record<string, string>])
      expect(await send(operation, rule, { ...ownToken, ...key })).toMatchObject({ status: refused })
  })
})

/** Reads that a session may be sent with. */
const isOptionalRead = ([operation, { needs }]: [string, Rule]) =>
  needs === 'optionalUser' && operation.startsWith('GET ')
const withoutKeys = operations('unread').filter(([, { needs }]) => needs !== 'open')

describe('a player token is no session', () => {
  test.each(withoutKeys.filter((one) => !isOptionalRead(one)))('%s', async (operation, rule) => {
    expect(await send(operation, rule, ownToken)).toMatchObject({ status: 401 })
  })
})

describe('a read that needs neither key nor session ignores a player token', () => {
  test.each(withoutKeys.filter(isOptionalRead))('%s', async (operation, rule) => {
    const { status } = await send(operation, rule, {})
    expect(await send(operation, rule, ownToken)).toMatchObject({ status })
  })
})

describe('a client key alone opens nothing where a session is needed', () => {
  test.each(operations('unread').filter(([, { needs }]) => ['user', 'ops', 'admin'].includes(needs)))(
    '%s',
    async (operation, rule) => {
      expect(await send(operation, rule, clientKey)).toMatchObject({ status: 401 })
    },
  )
})

test('no call with a client key, alone or beside the token of another player, changes the app', async () => {
  const keyed = Object.entries(accessTable).filter(([, rule]) => rule.clientKey !== 'unread')
  // What a call needs is made by the app beforehand.
  const calls = []
  for (const [operation, rule] of keyed) calls.push([operation, { ...rule, call: await fixed(rule) }] as const)
  const before = await contentsOf(own.appId)
  for (const [operation, rule] of calls)
    for (const headers of [clientKey, otherToken]) await send(operation, rule, headers)
  expect(await contentsOf(own.appId)).toEqual(before)
})

/** The call of a rule, prepared once. */
async function fixed(rule: Rule): Promise<Rule['call']> {
  const call = await rule.call(own)
  return () => call
}
