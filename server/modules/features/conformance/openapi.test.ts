import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { createLayers, type Layer } from '../../../test/ogc/layers.ts'
import { OpenApi30 } from '../../../test/ogc/openapi-shape.ts'
import { type Answer, type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let user: Caller
let ids: Record<Layer, number[]>
let api: Answer['body']
let whole: Answer['body']
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  ids = await createLayers(user)
  api = (await service.anonymous.get('/ogc/api')).body
  whole = (await service.anonymous.get('/openapi.json')).body
})
afterAll(() => service.stop())

type Operation = {
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>
  security?: object[]
}

/** The operations of a description, as `get /collections`. */
const operationsOf = (paths: Record<string, Record<string, Operation>>): [key: string, operation: Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  )

/** The address of an operation, with a feature and a tile that are there. */
const addressOf = (key: string): string => {
  const path = key.split(' ')[1]!
  const layer = /^\/collections\/(\w+)/.exec(path)?.[1] as Layer | undefined
  const cell: Record<string, string> = {
    featureId: String(ids[layer ?? 'pins'][0]),
    tileMatrix: '0',
    tileRow: '0',
    tileCol: '0',
  }
  return api.servers[0].url + (path === '/' ? '' : path.replace(/\{(\w+)\}/g, (_, name) => cell[name]!))
}

describe('the OpenAPI description of the layers', () => {
  test('is valid OpenAPI 3.0, and its references and the parameters of its paths are there', () => {
    OpenApi30.parse(api)
    for (const [, kind, name] of JSON.stringify(api).matchAll(/#\/components\/(\w+)\/([\w-]+)/g))
      expect([kind, name, name! in api.components[kind!]]).toEqual([kind, name, true])
    for (const [key, operation] of operationsOf(api.paths)) {
      const { parameters = [] } = operation as unknown as { parameters?: { name: string; in: string }[] }
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
      expect([key, inPath]).toEqual([key, key.match(/\{\w+\}/g) ?? []])
    }
    const names = operationsOf(api.paths).map(
      ([, operation]) => (operation as unknown as { operationId: string }).operationId,
    )
    expect(new Set(names).size).toBe(names.length)
  })

  test('has every operation of the three layers, each with every status that it may return', () => {
    const statuses = (all: [string, Operation][]) =>
      Object.fromEntries(all.map(([key, { responses }]) => [key, Object.keys(responses).sort()]))
    const inService = operationsOf(whole.paths)
      .filter(([key]) => / \/ogc(\/|$)/.test(key) && !key.includes('/collections/scans'))
      .map(([key, operation]): [string, Operation] => [key.replace(/\/ogc\/?/, '/'), operation])
    expect(statuses(operationsOf(api.paths))).toEqual(statuses(inService))
  })

  test('holds for every operation that reads: each is there in the forms that it lists', async () => {
    for (const [key, { responses }] of operationsOf(api.paths).filter(([key]) => key.startsWith('get '))) {
      const types = Object.keys(responses['200']!.content!)
      expect(types).not.toEqual([])
      for (const type of types) {
        const answer = await service.as({ accept: type }).get(addressOf(key))
        expect([key, type, answer.status]).toEqual([key, type, 200])
        expect(answer.headers.get('content-type')!.split('; charset')[0]).toBe(type)
        if (type !== 'text/html') continue
        expect(answer.body).toMatch(/^<!doctype html>/i)
        const other = addressOf(key)
          .replace(/(\?|$)/, '?f=html&')
          .replace(/&$/, '')
        expect((await service.anonymous.get(other)).headers.get('content-type')).toContain(type)
      }
    }
  })

  test('names the credentials of every operation that writes, and each of them is accepted', async () => {
    const { token } = (await user.post('/api/v1/user/tokens', { name: 'GIS', scope: 'write' })).body
    const basic = Buffer.from(`any:${token}`).toString('base64')
    const credentials: Record<string, string> = { session: `Bearer ${token}`, basic: `Basic ${basic}` }
    expect(Object.keys(api.components.securitySchemes)).toEqual(Object.keys(credentials))
    for (const [key, { security }] of operationsOf(api.paths))
      expect([key, security]).toEqual([key, key.startsWith('get ') ? undefined : [{ session: [] }, { basic: [] }]])
    for (const authorization of [user.headers.authorization!, ...Object.values(credentials)]) {
      const answer = await service
        .as({ authorization })
        .patch(`/ogc/collections/zones/items/${ids.zones[0]}`, { properties: { title: 'West' } })
      expect(answer.status).toBe(200)
    }
    const refused = await service.anonymous.patch(`/ogc/collections/zones/items/${ids.zones[0]}`, { properties: {} })
    expect(refused.status).toBe(401)
  })

  test('is linked as JSON of OpenAPI 3.0, and the documentation as HTML', async () => {
    const { links } = (await service.anonymous.get('/ogc')).body
    for (const [rel, type] of [
      ['service-desc', 'application/vnd.oai.openapi+json;version=3.0'],
      ['service-doc', 'text/html'],
    ]) {
      const link = links.find((one: { rel: string }) => one.rel === rel)
      expect(link.type).toBe(type)
      expect((await service.anonymous.get(link.href)).headers.get('content-type')).toContain(type)
    }
  })
})
