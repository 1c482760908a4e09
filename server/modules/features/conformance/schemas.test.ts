import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { createLayers, LAYERS, type Layer } from '../../../test/ogc/layers.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'

let service: Service
let ids: Record<Layer, number[]>
beforeAll(async () => {
  service = await startService()
  ids = await createLayers(await buildersOn(service).user())
})
afterAll(() => service.stop())

type Property = Record<string, unknown>
type Schema = { $schema: string; $id: string; type: string; properties: Record<string, Property> }
const SCHEMAS = ['schema', 'queryables', 'sortables'] as const
type Name = (typeof SCHEMAS)[number]

const OWN = ['x-ogc-role', 'x-ogc-propertySeq', 'x-ogc-unit', 'x-ogc-collectionId']
/** The keywords that JSON Schema has for a property. */
const KEYWORDS = [
  ...['type', 'format', 'title', 'description', 'enum', 'items', 'readOnly'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems'],
]

const schemaOf = async (layer: Layer, name: Name): Promise<Answer> =>
  service.as({ accept: 'application/schema+json' }).get(`/ogc/collections/${layer}/${name}`)
const each = async (check: (schema: Schema, layer: Layer, name: Name) => void | Promise<void>) => {
  for (const layer of LAYERS) for (const name of SCHEMAS) await check((await schemaOf(layer, name)).body, layer, name)
}
const withRole = ({ properties }: Schema, ...roles: string[]): [string, Property][] =>
  Object.entries(properties).filter(([, property]) => roles.includes(property['x-ogc-role'] as string))

describe('the schema, the queryables and the sortables of a layer', () => {
  test('are JSON Schemas at the address that they name, of typed properties and geometries with a format', async () => {
    await each(async (schema) => {
      expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' })
      expect(new URL(schema.$id).search).toBe('')
      const again = await service.as({ accept: 'application/schema+json' }).get(schema.$id)
      expect([again.status, again.headers.get('content-type')]).toEqual([200, 'application/schema+json'])
      expect(again.body).toEqual(schema)
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true)
      for (const [name, property] of Object.entries(schema.properties)) {
        if (property.type === undefined)
          expect([name, property.format]).toEqual(['geometry', expect.stringMatching(/^geometry-/)])
        else expect(typeof property.type).toBe('string')
        expect(property).not.toHaveProperty('$ref')
        if (/At$/.test(name)) expect(property).toMatchObject({ type: 'string', format: 'date-time' })
        for (const word of Object.keys(property)) expect([...KEYWORDS, ...OWN]).toContain(word)
      }
    })
  })

  test('have one property with the role id, an integer that only the service writes, and roles that are texts', async () => {
    await each((schema) => {
      expect(withRole(schema, 'id').map(([name, { type }]) => [name, type])).toEqual([['id', 'integer']])
      for (const property of Object.values(schema.properties))
        expect(['undefined', 'string']).toContain(typeof property['x-ogc-role'])
    })
    for (const layer of LAYERS) expect((await schemaOf(layer, 'schema')).body.properties.id.readOnly).toBe(true)
  })

  test('order properties by integers, and give units of UCUM to numbers', async () => {
    await each((schema, _, name) => {
      const properties = Object.values(schema.properties)
      if (name === 'schema') for (const one of properties) expect(Number.isInteger(one['x-ogc-propertySeq'])).toBe(true)
      for (const { 'x-ogc-unit': unit, type } of properties)
        if (unit !== undefined) expect([['m', 'deg'].includes(unit as string), type]).toEqual([true, 'number'])
    })
  })

  test('have no other keywords of definitions or null values, as no property has any', async () => {
    await each((schema) => {
      for (const property of Object.values(schema.properties))
        for (const word of ['x-ogc-definition', 'x-ogc-nullValues', 'x-ogc-unitLang'])
          expect(property).not.toHaveProperty(word)
    })
  })

  test('have at most one primary geometry, which is the only one; sortables have none', async () => {
    await each((schema, _, name) => {
      const spatial = Object.entries(schema.properties).filter(([, { format }]) => `${format}`.startsWith('geometry-'))
      expect(withRole(schema, 'primary-geometry')).toEqual(spatial)
      expect(spatial.map(([key]) => key)).toEqual(name === 'sortables' ? [] : ['geometry'])
    })
  })

  test('have one primary instant and no primary interval or type', async () => {
    await each((schema) => {
      const roles = ['primary-instant', 'primary-interval', 'primary-interval-start', 'primary-interval-end']
      expect(withRole(schema, ...roles).map(([name]) => name)).toEqual(['createdAt'])
      expect(withRole(schema, 'primary-instant')[0]![1]).toMatchObject({ type: 'string', format: 'date-time' })
      expect(withRole(schema, 'type')).toEqual([])
    })
  })

  test('refer to a layer whose ids have the type of the property', async () => {
    const referred = { pins: { zoneId: 'zones', gcpId: 'gcps' }, gcps: { zoneId: 'zones' }, zones: {} }
    await each(async (schema, layer) => {
      const references = withRole(schema, 'reference')
      expect(Object.fromEntries(references.map(([name, one]) => [name, one['x-ogc-collectionId']]))).toEqual(
        referred[layer],
      )
      for (const [, { type, 'x-ogc-collectionId': other }] of references)
        expect(type).toBe((await schemaOf(other as Layer, 'schema')).body.properties.id.type)
    })
  })

  test('sortables are single values', async () => {
    for (const layer of LAYERS) {
      const { properties } = (await schemaOf(layer, 'sortables')).body as Schema
      for (const { type } of Object.values(properties)) expect(['string', 'number', 'integer']).toContain(type)
    }
  })

  test('have nothing that features do not have', async () => {
    await each(async (schema, layer) => {
      const { features } = (await service.anonymous.get(`/ogc/collections/${layer}/items`)).body
      for (const name of Object.keys(schema.properties))
        if (name !== 'geometry') expect(Object.keys(features[0].properties)).toContain(name)
    })
  })
})

describe('the id of a feature', () => {
  const items = async (layer: Layer, query: Record<string, string>): Promise<number[]> => {
    const { status, body } = await service.anonymous.get(
      `/ogc/collections/${layer}/items?${new URLSearchParams(query)}`,
    )
    expect([query, status]).toEqual([query, 200])
    for (const { id, properties } of body.features) expect(properties.id).toBe(id)
    return body.features.map(({ id }: { id: number }) => id)
  }

  test('chooses it, as a parameter and in a filter', async () => {
    for (const layer of LAYERS) {
      const [first, second, third] = ids[layer] as [number, number, number]
      expect(await items(layer, { id: String(second) })).toEqual([second])
      expect(await items(layer, { id: String(second), limit: '1' })).toEqual([second])
      expect(await items(layer, { filter: `id = ${second}` })).toEqual([second])
      expect(await items(layer, { filter: `id IN (${third}, ${first})` })).toEqual([first, third])
      expect(await items(layer, { id: '999999999' })).toEqual([])
    }
  })

  test('sorts upwards and downwards, over pages of any size', async () => {
    for (const layer of LAYERS) {
      const sorted = ids[layer].toSorted((a, b) => a - b)
      expect(await items(layer, { sortby: 'id' })).toEqual(sorted)
      const found: number[] = []
      for (let path: string | undefined = `/ogc/collections/${layer}/items?sortby=-id&limit=2`; path; ) {
        const { body }: Answer = await service.anonymous.get(path)
        found.push(...body.features.map(({ id }: { id: number }) => id))
        path = body.links.find(({ rel }: { rel: string }) => rel === 'next')?.href
      }
      expect(found).toEqual(sorted.toReversed())
    }
  })

  test('is ignored in a write, like other properties that only the service writes', async () => {
    const user = await buildersOn(service).user()
    const zone = { type: 'Feature', geometry: null, properties: { id: 12345678, title: 'Mine' } }
    const { status, body } = await user.post('/ogc/collections/zones/items', zone)
    expect(status).toBe(201)
    expect(body.id).not.toBe(12345678)
    const path = `/ogc/collections/zones/items/${body.id}`
    expect((await user.put(path, zone)).status).toBeLessThan(300)
    expect((await service.anonymous.get(path)).body.properties).toMatchObject({ id: body.id, title: 'Mine' })
  })
})
