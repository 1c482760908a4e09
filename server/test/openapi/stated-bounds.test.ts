import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../builders.ts'
import { type Caller, type Service, startService } from '../service.ts'

type Schema = { $ref?: string; anyOf?: Schema[]; properties?: Record<string, Schema>; [keyword: string]: unknown }
type Parameter = { name: string; schema: Schema }
type Operation = {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
}

let service: Service
let user: Caller
let document: { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }
let zoneId: number
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  document = (await service.anonymous.get('/openapi.json')).body
  zoneId = (await user.post('/api/zones', { title: 'Park' })).body.id
})
afterAll(() => service.stop())

const operation = (method: string, path: string) => document.paths[path]![method]!
const parameter = (path: string, name: string) =>
  operation('get', path).parameters!.find((parameter) => parameter.name === name)!.schema
/** The schema itself, of one that is named or may be null. */
function resolved(schema: Schema): Schema {
  if (schema.$ref) return resolved(document.components.schemas[schema.$ref.split('/').at(-1)!]!)
  return schema.anyOf ? resolved(schema.anyOf[0]!) : schema
}
/** A member of the JSON body, by its names. */
const member = (method: string, path: string, ...names: string[]) =>
  names.reduce(
    (schema, name) => resolved(schema.properties![name]!),
    resolved(operation(method, path).requestBody!.content['application/json']!.schema),
  )

const gcp = { title: 'Mark', gcpType: 'SINGLE' }
const poseOf = (position: object) => ({ position, angles: { yaw: 0, pitch: 0, roll: 0 } })
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status

describe('the OpenAPI document states what the service checks:', () => {
  test('the radius of a search for pins, and its default', async () => {
    expect(parameter('/api/location/pins', 'radius')).toMatchObject({
      type: 'number',
      minimum: 0,
      maximum: 100_000,
      default: 1000,
    })
    const search = (radius: string) => statusOf(user.get(`/api/location/pins?lat=10&lon=20${radius}`))
    expect(await Promise.all(['', '&radius=0', '&radius=100000'].map(search))).toEqual([200, 200, 200])
    expect(await Promise.all(['&radius=-1', '&radius=100000.5'].map(search))).toEqual([400, 400])
    // A degree of latitude is 110.6 km.
    for (const [title, metres] of [
      ['inside', 990],
      ['outside', 1010],
    ] as const)
      await user.post('/api/location/pins', {
        title,
        contentType: 'URL',
        latitude: 10 + metres / 110_612,
        longitude: 20,
      })
    const { pins } = (await user.get('/api/location/pins?lat=10&lon=20')).body
    expect(pins.map(({ title }: { title: string }) => title)).toEqual(['inside'])
  })

  test('the length of a username', async () => {
    expect(member('patch', '/api/v1/user', 'username')).toMatchObject({ minLength: 1, maxLength: 255 })
    expect(await statusOf(user.patch('/api/v1/user', { username: '' }))).toBe(400)
    expect(await statusOf(user.patch('/api/v1/user', { username: 'x'.repeat(256) }))).toBe(400)
  })

  test('the length of the title of a GCP', async () => {
    const { body } = await user.post('/api/gcp', { ...gcp, title: 'x'.repeat(255) })
    for (const [method, path, send] of [
      ['post', '/api/gcp', (title: string) => user.post('/api/gcp', { ...gcp, title })],
      ['put', '/api/gcp/{id}', (title: string) => user.put(`/api/gcp/${body.gcp.id}`, { title })],
    ] as const) {
      expect(member(method, path, 'title')).toMatchObject({ minLength: 1, maxLength: 255 })
      expect(await Promise.all(['', 'x'.repeat(256)].map((title) => statusOf(send(title))))).toEqual([400, 400])
    }
  })

  test('the coordinates of check-april-tag are numbers with their bounds', async () => {
    const path = '/api/gcp/check-april-tag'
    expect(parameter(path, 'latitude')).toMatchObject({ type: 'number', minimum: -90, maximum: 90 })
    expect(parameter(path, 'longitude')).toMatchObject({ type: 'number', minimum: -180, maximum: 180 })
    for (const [lat, lon] of [
      ['x', 1],
      [90.5, 1],
      [1, -180.5],
    ])
      expect(await statusOf(user.get(`${path}?aprilTagId=1&latitude=${lat}&longitude=${lon}`))).toBe(400)
  })

  test('csvUploadId is required, in the body or in the query', async () => {
    const path = '/api/gcp/zone/{zoneId}'
    expect(member('delete', path, 'csvUploadId').description).toContain('Required, unless the query has it')
    expect(await statusOf(user.delete(`/api/gcp/zone/${zoneId}`))).toBe(400)
  })

  test('the height of a position is required unless something else gives it', async () => {
    const position = member('post', '/api/gcp', 'geoPose', 'position')
    expect(position.required).toEqual(['lat', 'lon'])
    expect(position.properties!.h!.description).toContain('required unless `altitude` or `heightDatum` gives it')
    const geoPose = poseOf({ lat: 1, lon: 2 })
    expect(await statusOf(user.post('/api/gcp', { ...gcp, geoPose }))).toBe(400)
    expect(await statusOf(user.post('/api/gcp', { ...gcp, geoPose, altitude: 3 }))).toBe(201)
  })

  test('the size of an announced file', async () => {
    expect(member('post', '/api/upload/presigned', 'fileSize')).toMatchObject({ type: 'integer', minimum: 1 })
    for (const fileSize of [0, -1, 1.5]) {
      const announced = { fileName: 'a.txt', contentType: 'text/plain', fileSize }
      expect(await statusOf(user.post('/api/upload/presigned', announced))).toBe(400)
    }
  })

  test.each([
    ['post', '/api/gcp'],
    ['put', '/api/gcp/{id}'],
    ['delete', '/api/gcp/{id}/remove-photo'],
    ['post', '/api/gcp/upload'],
    ['delete', '/api/gcp/zone/{zoneId}'],
    ['post', '/api/upload/gcp-photos'],
  ])('401 and 403 of %s %s', (method, path) => {
    expect(Object.keys(operation(method, path).responses)).toEqual(expect.arrayContaining(['401', '403']))
  })
})
