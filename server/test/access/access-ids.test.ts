// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png } from '../content/glb.ts'
import { formOf } from '../multipart.ts'
import { type Caller, type Service, startService } from '../service.ts'
import { type Foreign, foreignIds } from './access-ids.ts'
import { accessTable } from './access-table.ts'
import { type Tenant, tenantOn } from './access-world.ts'

let service: Service
let own: Tenant
let other: Foreign

beforeAll(async () => {
  service = await startService()
  own = await tenantOn(service)
  const tenant = await tenantOn(service)
  const { user, app } = tenant
  const scan = (await user.get(`/api/v1/user/scans/${tenant.scan}`)).body
  const sent = await user.post('/api/upload/gcp-photos', formOf({ field: 'files', name: 'a.png', bytes: png }))
  const [{ id: fileId, fileUrl: url }] = sent.body.files
  const { token: streamToken } = (await app.post('/api/v1/apps/leaderboards/stream-token')).body
  other = { ...tenant, privateFile: { fileId: scan.fileId, url: scan.scanUrl }, photo: { fileId, url }, streamToken }
})
afterAll(() => service.stop())

const callerOf = (operation: string): Caller =>
  accessTable[operation]!.needs === 'appKey' || ['POST /auth/codes', 'POST /auth/player-token'].includes(operation)
    ? own.app
    : own.user

type Schema = { $ref?: string; items?: Schema; anyOf?: Schema[]; oneOf?: Schema[]; properties?: Record<string, Schema> }

const names = /(^id|Ids?|^url|Url|Urls|^token|^code)$/

/** The members of a body that accept an ID, a URL, a token or a code. */
function placesIn(schema: Schema, schemas: Record<string, Schema>, path: string[] = []): string[] {
  if (schema.$ref) return placesIn(schemas[schema.$ref.split('/').at(-1)!]!, schemas, path)
  const inside = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [
    ...inside.flatMap((one) => placesIn(one, schemas, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      ...(names.test(name) ? [`body ${[...path, name].join('.')}`] : []),
      ...placesIn(member, schemas, [...path, name]),
    ]),
  ]
}

test('every place in a query or body that accepts an ID has a rule, and every rule has a place', async () => {
  const { paths, components } = (await service.anonymous.get('/openapi.json')).body
  const places = new Set<string>()
  for (const [path, methods] of Object.entries<object>(paths))
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      const operation = `${method.toUpperCase()} ${path}`
      for (const { in: where, name } of parameters)
        if (where === 'query' && names.test(name) && name !== 'lastEventId') places.add(`${operation} query ${name}`)
      for (const { schema } of Object.values<{ schema: Schema }>(requestBody?.content ?? {}))
        for (const place of placesIn(schema, components.schemas)) places.add(`${operation} ${place}`)
    }
  expect(Object.keys(foreignIds).toSorted()).toEqual([...places].toSorted())
})

describe('an ID of another tenant in a query or body', () => {
  test.each(Object.entries(foreignIds).flatMap(([place, rule]) => ('open' in rule ? [] : [[place, rule] as const])))(
    '%s',
    async (place, { status, call }) => {
      const [operation] = place.split(/ (?:query|body) /)
      const { path, body } = await call(own, other)
      const answer = await service.request(operation!.split(' ')[0]!, path, body, callerOf(operation!).headers)
      expect(answer).toMatchObject({ status, body: { error: expect.anything() } })
    },
  )
})

describe('an ID of another tenant in a path, one at a time, with own IDs in the other places', () => {
  const withId = Object.entries(accessTable).filter(([name, { stranger }]) => name.includes('{') && stranger)
  test.each(withId)('%s', async (operation, rule) => {
    const [method, template] = operation.split(' ') as [string, string]
    const [mine, theirs] = [await rule.call(own), await rule.call(other)]
    const [address, query] = mine.path.split('?')
    const foreign = theirs.path.split('?')[0]!.split('/')
    for (const [place, segment] of template.split('/').entries()) {
      // A storage key is a name that the game chooses, in its player.
      if (!segment.startsWith('{') || segment === '{key}') continue
      const path = address!.split('/').with(place, foreign[place]!).join('/') + (query ? `?${query}` : '')
      const { status } = await service.request(method, path, mine.body, {
        ...mine.headers,
        ...callerOf(operation).headers,
      })
      expect({ path, status }).toEqual({ path, status: expect.toBeOneOf([403, 404]) })
    }
  })

  test('data of the other tenant is unchanged', async () => {
    const still = [
      [other.app, `/api/v1/apps/players/${other.player}`],
      [other.app, `/api/v1/apps/game-sessions/${other.session}/players/${other.player}`],
      [other.app, `/api/v1/apps/mini-game-types/${other.type}`],
      [other.user, `/api/v1/apps/${other.appId}`],
      [other.user, `/api/v1/user/scans/${other.scan}`],
      [other.user, `/api/zones/${other.zoneId}`],
      [other.user, `/api/gcp/${other.gcp}`],
      [other.user, `/api/location/pins/${other.pin}`],
      [other.user, `/api/gcp/upload/${other.csv}`],
    ] as const
    for (const [caller, path] of still) expect(await caller.get(path), path).toMatchObject({ status: 200 })
    const { photoUrls } = (await other.user.get(`/api/gcp/${other.gcp}`)).body.gcp ?? { photoUrls: [] }
    expect(photoUrls).toEqual([])
    expect((await service.anonymous.get(other.photo.url)).status).toBe(200)
  })
})
