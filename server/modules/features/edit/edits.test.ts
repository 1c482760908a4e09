import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Answer, type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const path = (collection: string, id?: number) =>
  `/ogc/collections/${collection}/items${id === undefined ? '' : `/${id}`}`
const geo = (by: Caller = user) => service.as({ ...by.headers, 'content-type': 'application/geo+json' })
const merge = (by: Caller = user) => service.as({ ...by.headers, 'content-type': 'application/merge-patch+json' })
const featureOf = (properties: object, geometry: object | null = null) =>
  JSON.stringify({ type: 'Feature', geometry, properties })
const point = (...coordinates: number[]) => ({ type: 'Point', coordinates })
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [1, 1],
      [2, 1],
      [2, 2],
      [1, 2],
      [1, 1],
    ],
  ],
}
const made = async (collection: string, properties: object, geometry?: object): Promise<Answer> => {
  const answer = await geo().post(path(collection), featureOf(properties, geometry))
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 201 })
  return answer
}
const pin = { title: 'Well', contentType: 'GLB' }
const gcp = { title: 'Corner', gcpType: 'SINGLE' }

describe('a feature that is created', () => {
  test('is the record that the API has, belongs to the caller, and has its address and entity tag in the response', async () => {
    const { body, headers } = await made('pins', { ...pin, contentUrl: 'https://a.example/x' }, point(13.4, 52.5))
    expect(headers.get('location')).toBe(`${service.url}${path('pins', body.id)}`)
    expect(headers.get('content-type')).toBe('application/geo+json')
    const shown = await service.anonymous.get(headers.get('location')!)
    expect(shown.body).toEqual(body)
    expect(shown.headers.get('etag')).toBe(headers.get('etag'))
    const { body: me } = await user.get('/api/v1/user')
    expect((await user.get(`/api/location/pins/${body.id}`)).body).toMatchObject({
      title: 'Well',
      latitude: 52.5,
      longitude: 13.4,
      geoPose: null,
      visibility: 'public',
      userId: me.id,
    })
  })

  test.each([
    [
      'pins',
      {
        ...pin,
        yaw: 37,
        pitch: -90,
        roll: 0.25,
        trackingMode: 'GEO',
        worldmapURL: 'https://a.example/w',
        scanInstructions: 'Around.\nTwice.',
      },
      point(13.4, 52.5, 77.25),
    ],
    [
      'gcps',
      { ...gcp, description: 'é <&>', altitude: 12.5, aprilTagId: 7, photoUrls: ['https://a.example/1.jpg'], yaw: 37 },
      point(20, 10, 40),
    ],
    ['zones', { title: 'Quarry', description: 'Steep' }, square],
  ])('has every property of %s as sent', async (collection, properties, geometry) => {
    const { body } = await made(collection, properties, geometry)
    expect(body).toMatchObject({ geometry, properties })
  })

  test('is found by searches of the API at once', async () => {
    const { body } = await made('pins', pin, point(-70, -40))
    const found = await service.anonymous.get('/api/location/pins?lat=-40&lon=-70&radius=5')
    expect(found.body.pins.map(({ id }: { id: number }) => id)).toEqual([body.id])
  })

  test.each([
    ['pins', pin, undefined, ['geometry']],
    ['pins', { ...pin, yaw: 1 }, point(1, 2), ['geometry', 'coordinates']],
    ['pins', pin, point(1, 200), ['geometry']],
    ['pins', { ...pin, contentType: 'TRUCK' }, point(1, 2), ['properties', 'contentType']],
    ['pins', { title: 'Well' }, point(1, 2), ['properties', 'contentType']],
    ['pins', { ...pin, colour: 'red' }, point(1, 2), ['properties', 'colour']],
    ['pins', { ...pin, zoneId: 999_999 }, point(1, 2), ['properties', 'zoneId']],
    ['pins', { ...pin, trackingMode: 'SMELL' }, point(1, 2), ['properties', 'trackingMode']],
    ['gcps', gcp, point(1, 2), ['geometry']],
    ['gcps', { ...gcp, yaw: 'east' }, point(1, 2, 3), ['properties', 'yaw']],
    [
      'zones',
      { title: 'Z' },
      { ...square, coordinates: [square.coordinates[0]!.slice(1)] },
      ['geometry', 'coordinates', 0, 3],
    ],
    ['zones', { title: 'Z' }, point(1, 2), ['geometry', 'type']],
  ])('is refused in %s: %j %j', async (collection, properties, geometry, at) => {
    const { status, body } = await geo().post(path(collection), featureOf(properties, geometry))
    expect({ status, path: body.error[0]?.path }).toEqual({ status: 400, path: at })
  })
})

describe('a feature that is replaced', () => {
  test('has what is sent; absent properties are cleared, read-only ones and the id are ignored', async () => {
    const { body } = await made('pins', { ...pin, scanInstructions: 'Around' }, point(1, 2, 3))
    const next = {
      type: 'Feature',
      id: 1,
      geometry: point(4, 5),
      properties: { title: 'Moved', contentType: 'USDZ', userId: 'somebody', createdAt: '1999-01-01T00:00:00Z' },
    }
    const answer = await geo().put(path('pins', body.id), JSON.stringify(next))
    expect(answer).toMatchObject({ status: 200, body: { id: body.id, geometry: point(4, 5) } })
    const { updatedAt, ...others } = body.properties
    expect(answer.body.properties).toMatchObject({
      ...others,
      title: 'Moved',
      contentType: 'USDZ',
      scanInstructions: null,
      yaw: null,
      pitch: null,
      roll: null,
    })
    expect(answer.body.properties.updatedAt).not.toBe(updatedAt)
  })

  test.each(['pins', 'gcps', 'zones'])('in %s with what it was changes nothing', async (collection) => {
    const properties = {
      pins: {
        ...pin,
        zoneId: (await user.post('/api/zones', { title: 'Z' })).body.id,
        worldmapURL: null,
        trackingMode: 'GEO',
      },
      gcps: { ...gcp, altitude: 3, heightDatum: 'EGM96', photoUrls: ['https://a.example/1.jpg'] },
      zones: { title: 'Z', description: 'D' },
    }[collection]!
    const { body, headers } = await made(collection, properties, collection === 'zones' ? square : point(3, 4, 5))
    const { body: again, headers: after } = await geo().put(path(collection, body.id), JSON.stringify(body))
    const { updatedAt: _is, ...now } = again.properties
    const { updatedAt: _was, ...before } = body.properties
    expect({ ...again, properties: now }).toEqual({ ...body, properties: before })
    // A zone notes the time of every update.
    if (collection !== 'zones') expect(after.get('etag')).toBe(headers.get('etag'))
  })

  test('keeps what no feature shows', async () => {
    const hint = { position: { x: 1, y: 2, z: 3 }, rotation: { x: 0, y: 0, z: 0, w: 1 } }
    const { body } = await user.post('/api/location/pins', { ...pin, latitude: 1, longitude: 2, cameraPoseHint: hint })
    await geo().put(path('pins', body.id), featureOf({ ...pin, title: 'Other' }, point(1, 2)))
    expect((await user.get(`/api/location/pins/${body.id}`)).body).toMatchObject({
      title: 'Other',
      cameraPoseHint: hint,
    })
  })

  test('must have a place if it is a pin: 400', async () => {
    const { body } = await made('pins', pin, point(1, 2))
    const { status, body: refused } = await geo().put(path('pins', body.id), featureOf(pin))
    expect({ status, path: refused.error[0].path }).toEqual({ status: 400, path: ['geometry'] })
  })
})

describe('a feature that is updated', () => {
  test('changes in what the merge patch names alone', async () => {
    const { body } = await made('zones', { title: 'Quarry', description: 'Steep' }, square)
    const renamed = await merge().patch(path('zones', body.id), '{"properties":{"title":"Pit"}}')
    expect(renamed).toMatchObject({
      status: 200,
      body: { geometry: square, properties: { title: 'Pit', description: 'Steep' } },
    })
    const cleared = await merge().patch(path('zones', body.id), '{"geometry":null,"properties":{"description":null}}')
    expect(cleared.body).toMatchObject({ geometry: null, properties: { title: 'Pit', description: null } })
  })

  test('keeps the measured height of a point that is moved, and what it is above', async () => {
    const { body } = await made('gcps', { ...gcp, altitude: 3, heightDatum: 'EGM96' }, point(3, 4, 21))
    const moved = await merge().patch(path('gcps', body.id), JSON.stringify({ geometry: point(3.5, 4.5, 21) }))
    expect(moved.body).toMatchObject({
      geometry: point(3.5, 4.5, 21),
      properties: { altitude: 3, heightDatum: body.properties.heightDatum },
    })
  })

  test('may be a point without a height of which only the description changes', async () => {
    const lain = { ...gcp, altitude: 3, heightDatum: 'unknown' }
    const { body } = await made('gcps', lain, point(3, 4))
    const { status, body: after } = await merge().patch(path('gcps', body.id), '{"properties":{"description":"New"}}')
    expect({ status, after }).toMatchObject({ status: 200, after: { geometry: point(3, 4) } })
  })

  test('never changes the type and the zone of a ground control point: 400', async () => {
    const { body } = await made('gcps', gcp)
    const { status, body: refused } = await merge().patch(path('gcps', body.id), '{"properties":{"gcpType":"MULTI"}}')
    expect({ status, refused }).toEqual({
      status: 400,
      refused: {
        error: [{ code: 'custom', message: 'cannot be changed: it is "SINGLE"', path: ['properties', 'gcpType'] }],
      },
    })
  })

  test.each([
    [{ properties: { colour: 'red' } }, ['properties', 'colour']],
    [{ properties: { title: null } }, ['properties', 'title']],
    [{ properties: { yaw: 1 } }, ['geometry', 'coordinates']],
    [{ geometry: { coordinates: [1, 200] } }, ['geometry']],
  ])('is refused with where the fault is: %j', async (patch, at) => {
    const { body } = await made('pins', pin, point(1, 2))
    const { status, body: refused } = await merge().patch(path('pins', body.id), JSON.stringify(patch))
    expect({ status, path: refused.error[0].path }).toEqual({ status: 400, path: at })
  })

  test('keeps the rule of AprilTags: 409 with the points in conflict', async () => {
    await made('gcps', { ...gcp, aprilTagId: 33 }, point(50, 50, 1))
    const { body } = await made('gcps', gcp, point(50, 50.0001, 1))
    const refused = await merge().patch(path('gcps', body.id), '{"properties":{"aprilTagId":33}}')
    expect(refused).toMatchObject({ status: 409, body: { error: [{ code: 'april_tag_conflict' }] } })
  })
})

describe('a feature that is deleted', () => {
  test.each([
    ['pins', pin, '/api/location/pins/'],
    ['gcps', gcp, '/api/gcp/'],
    ['zones', { title: 'Z' }, '/api/zones/'],
  ])('in %s is no record any more', async (collection, properties, api) => {
    const { body } = await made(collection, properties, collection === 'pins' ? point(1, 2) : undefined)
    expect((await user.delete(path(collection, body.id))).status).toBe(204)
    expect((await user.get(`${api}${body.id}`)).status).toBe(404)
    expect((await user.delete(path(collection, body.id))).status).toBe(404)
  })

  test('is not a zone with points in it: 409', async () => {
    const { body: zone } = await made('zones', { title: 'Full' })
    await made('gcps', { ...gcp, zoneId: zone.id })
    expect((await user.delete(path('zones', zone.id))).status).toBe(409)
  })

  test('is not the pin of a ground control point, which is changed as the point: 409', async () => {
    const { body } = await user.post('/api/gcp', {
      ...gcp,
      geoPose: { position: { lat: 1, lon: 2, h: 3 }, angles: { yaw: 0, pitch: 0, roll: 0 } },
    })
    expect((await user.delete(path('pins', body.pin.id))).status).toBe(409)
    expect((await merge().patch(path('pins', body.pin.id), '{"properties":{"title":"T"}}')).status).toBe(409)
  })
})
