import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  user = await givenOn(service).user()
})
afterAll(() => service.stop())

const pose = (lat: number, lon: number, h = 10) => ({
  position: { lat, lon, h },
  angles: { yaw: 1, pitch: 2, roll: 3 },
})
const create = (fields: object, caller: Caller = user) =>
  caller.post('/api/gcp', { title: 'Mark', gcpType: 'SINGLE', ...fields })
const zone = async (title = 'Park', caller: Caller = user) =>
  (await caller.post('/api/zones', { title })).body.id as number
const issues = (answer: { status: number; body: { error: { code: string; path: unknown[] }[] } }) => [
  answer.status,
  answer.body.error[0]!.code,
  answer.body.error[0]!.path,
]

describe('ground control points', () => {
  test('are created with their pin, and both answers agree', async () => {
    const zoneId = await zone()
    const { status, body } = await create({
      title: ' Gate ',
      description: 'by the oak',
      geoPose: pose(52.5, 13.25, 34.5),
      aprilTagId: 0,
      gcpData: '{}',
      photoUrls: ['https://a.example/1.jpg'],
      zoneId,
    })
    expect(status).toBe(201)
    expect(body.gcp).toEqual({
      id: expect.any(Number),
      title: 'Gate',
      description: 'by the oak',
      gcpType: 'SINGLE',
      altitude: 34.5,
      aprilTagId: 0,
      gcpData: '{}',
      photoUrls: ['https://a.example/1.jpg'],
      zoneId,
      pin: body.pin,
      zone: { id: zoneId, title: 'Park' },
      uploadedFiles: [],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
    })
    expect(body.pin).toMatchObject({
      title: 'Gate',
      latitude: 52.5,
      longitude: 13.25,
      geoPose: pose(52.5, 13.25, 34.5),
      contentType: 'GCP',
      gcpId: body.gcp.id,
      zoneId,
      userId: user.id,
      visibility: 'public',
    })
    expect((await service.anonymous.get(`/api/gcp/${body.gcp.id}`)).body).toEqual(body.gcp)
    expect((await service.anonymous.get(`/api/gcp?zoneId=${zoneId}`)).body).toEqual([body.gcp])
    const { pins } = (await service.anonymous.get('/api/location/pins?lat=52.5&lon=13.25&radius=0')).body
    expect(pins).toEqual([{ ...body.pin, distance: 0 }])
  })

  test('without a pose the pin has no coordinates; an altitude of its own is kept beside the pose', async () => {
    const bare = (await create({ altitude: 12 })).body
    expect([bare.gcp.altitude, bare.pin.latitude, bare.pin.longitude, bare.pin.geoPose]).toEqual([12, null, null, null])
    const both = (await create({ altitude: 12, geoPose: pose(1, 2, 50) })).body
    expect([both.gcp.altitude, both.pin.geoPose.position.h]).toEqual([12, 50])
  })

  test('a request that is wrong names the member', async () => {
    const wrong: [object, unknown[]][] = [
      [{ geoPose: pose(91, 0) }, ['too_big', ['geoPose', 'position', 'lat']]],
      [{ geoPose: pose(0, -180.5) }, ['too_small', ['geoPose', 'position', 'lon']]],
      [{ geoPose: { position: { lat: 1, lon: 2, h: 0 } } }, ['invalid_type', ['geoPose', 'angles']]],
      [{ aprilTagId: 51 }, ['too_big', ['aprilTagId']]],
      [{ aprilTagId: 2.5 }, ['invalid_type', ['aprilTagId']]],
      [{ gcpType: 'FOO' }, ['invalid_value', ['gcpType']]],
      [{ title: ' ' }, ['too_small', ['title']]],
      [{ photoUrls: Array.from({ length: 4 }, () => 'https://a.example/1.jpg') }, ['too_big', ['photoUrls']]],
      [{ photoUrls: ['javascript:alert(1)'] }, ['invalid_format', ['photoUrls', 0]]],
      [{ zoneId: 987_654 }, ['custom', ['zoneId']]],
      [{ uploadedFileIds: [5] }, ['custom', ['uploadedFileIds', 0]]],
    ]
    for (const [fields, expected] of wrong) expect(issues(await create(fields))).toEqual([400, ...expected])
    expect((await create({}, service.anonymous)).status).toBe(401)
    expect((await service.anonymous.get('/api/gcp/12345678')).status).toBe(404)
    expect((await service.anonymous.get('/api/gcp/x')).status).toBe(400)
    expect((await service.anonymous.get('/api/gcp?zoneId=x')).status).toBe(400)
  })

  test('are listed oldest first, page by page, and not at all for an unknown zone', async () => {
    const zoneId = await zone()
    const ids: number[] = []
    for (let i = 0; i < 5; i++) ids.push((await create({ title: `L${i}`, zoneId })).body.gcp.id)
    const seen: number[] = []
    let path: string | undefined = `/api/gcp?zoneId=${zoneId}&limit=2`
    let pages = 0
    while (path) {
      const { body, headers } = await service.anonymous.get(path)
      expect(headers.get('x-total-count')).toBe('5')
      seen.push(...body.map(({ id }: { id: number }) => id))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      pages++
    }
    expect([seen, pages]).toEqual([ids, 3])
    expect((await service.anonymous.get('/api/gcp?zoneId=87654321')).body).toEqual([])
  })
})

describe('changing ground control points', () => {
  const put = (id: number, change: object, caller: Caller = user) =>
    caller.put(`/api/gcp/${id}`, { title: 'Mark', ...change })

  test('absent members stay, null clears, and the pin moves with the pose', async () => {
    const { gcp } = (
      await create({
        title: 'Old',
        description: 'd',
        altitude: 5,
        geoPose: pose(11, 22, 33),
        photoUrls: ['https://a.example/1.jpg'],
      })
    ).body
    const same = (await put(gcp.id, { title: 'New' })).body
    expect(same.message).toEqual(expect.any(String))
    expect(same.gcp).toMatchObject({
      title: 'New',
      description: 'd',
      altitude: 5,
      photoUrls: ['https://a.example/1.jpg'],
      pin: { title: 'New', latitude: 11, geoPose: pose(11, 22, 33) },
    })
    const moved = (await put(gcp.id, { geoPose: pose(12, 23, 44), description: null })).body.gcp
    expect(moved).toMatchObject({
      description: null,
      altitude: 44,
      pin: { latitude: 12, longitude: 23, geoPose: pose(12, 23, 44) },
    })
    expect((await service.anonymous.get('/api/location/pins?lat=12&lon=23&radius=0')).body.pins).toMatchObject([
      { gcpId: gcp.id },
    ])
    expect((await service.anonymous.get('/api/location/pins?lat=11&lon=22&radius=0')).body.pins).toEqual([])
    expect((await put(gcp.id, { altitude: 50 })).body.gcp.pin.geoPose.position.h).toBe(50)
    expect((await put(gcp.id, { geoPose: null, altitude: null })).body.gcp).toMatchObject({
      altitude: null,
      pin: { latitude: null, geoPose: null },
    })
  })

  test('a tag or a place that would conflict is 409, also of a point that only moves', async () => {
    const a = (await create({ aprilTagId: 30, geoPose: pose(70, 70) })).body.gcp
    const b = (await create({ aprilTagId: 30, geoPose: pose(70.1, 70) })).body.gcp
    const c = (await create({ aprilTagId: 31, geoPose: pose(70, 70) })).body.gcp
    expect(issues(await put(b.id, { geoPose: pose(70.0001, 70) }))).toEqual([409, 'april_tag_conflict', ['aprilTagId']])
    expect(issues(await put(c.id, { aprilTagId: 30 }))).toEqual([409, 'april_tag_conflict', ['aprilTagId']])
    expect((await put(a.id, { aprilTagId: 30 })).status).toBe(200)
    expect((await put(a.id, { aprilTagId: null })).body.gcp.aprilTagId).toBeNull()
    expect((await put(c.id, { aprilTagId: 30 })).body.gcp.aprilTagId).toBe(30)
    expect(issues(await put(a.id, { aprilTagId: 51 }))).toEqual([400, 'too_big', ['aprilTagId']])
  })

  test('of twenty points moved to one place with one tag at once, one gets there', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create({ aprilTagId: 40, geoPose: pose(-60 - i / 10, 5) })),
    )
    const answers = await Promise.all(made.map(({ body }) => put(body.gcp.id, { geoPose: pose(-50, 5) })))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ])
  })

  test('is for the maker, the owner of the zone and ops', async () => {
    const given = givenOn(service)
    const [other, ops] = [await given.user(), await given.user({ roles: ['ops'] })]
    const { id } = (await create({ zoneId: await zone('Theirs', other) })).body.gcp
    expect((await put(id, {}, await given.user())).status).toBe(403)
    expect((await put(id, {}, service.anonymous)).status).toBe(401)
    for (const caller of [user, other, ops]) expect((await put(id, {}, caller)).status).toBe(200)
    expect(await put(12_345_678, {})).toMatchObject({ status: 404, body: { error: 'GCP not found' } })
  })

  test('a photo is taken off by its exact address; a point goes with its pin', async () => {
    const { gcp, pin } = (await create({ photoUrls: ['https://a.example/1.jpg', 'https://a.example/2.jpg'] })).body
    const remove = (url: string, caller: Caller = user) =>
      caller.delete(`/api/gcp/${gcp.id}/remove-photo?photoUrl=${encodeURIComponent(url)}`)
    expect((await remove('https://a.example/1.jpg', service.anonymous)).status).toBe(401)
    expect((await remove('https://a.example/3.jpg')).status).toBe(404)
    expect((await remove('x')).status).toBe(400)
    const removed = await remove('https://a.example/1.jpg')
    expect([removed.status, removed.body]).toEqual([200, ''])
    expect((await user.get(`/api/gcp/${gcp.id}`)).body.photoUrls).toEqual(['https://a.example/2.jpg'])
    expect((await user.delete(`/api/gcp/${gcp.id}`)).status).toBe(204)
    expect((await user.get(`/api/gcp/${gcp.id}`)).status).toBe(404)
    expect((await user.get(`/api/location/pins/${pin.id}`)).status).toBe(404)
  })
})

describe('April tags', () => {
  test('two points within 100 m may not carry the same tag, at 180 degrees neither', async () => {
    const first = (await create({ title: 'A', aprilTagId: 7, geoPose: pose(-17.5, 179.9999) })).body.gcp
    const near = await create({ aprilTagId: 7, geoPose: pose(-17.5, -179.9999) })
    expect(issues(near)).toEqual([400, 'april_tag_conflict', ['aprilTagId']])
    expect(near.body.error[0].message).toBe(`April tag 7 is already carried by GCP ${first.id} "A" 21.2 m away`)
    expect((await create({ aprilTagId: 8, geoPose: pose(-17.5, -179.9999) })).status).toBe(201)
    expect((await create({ aprilTagId: 7, geoPose: pose(-17.5, -179.999) })).status).toBe(201)
  })

  test('the distance decides to the metre', async () => {
    await create({ aprilTagId: 9, geoPose: pose(0, 0) })
    // A degree along the equator is 6378137 m times pi / 180.
    const metres = (count: number) => count / ((6_378_137 * Math.PI) / 180)
    expect((await create({ aprilTagId: 9, geoPose: pose(0, metres(99.999)) })).status).toBe(400)
    expect((await create({ aprilTagId: 9, geoPose: pose(0, metres(100.001)) })).status).toBe(201)
  })

  test('a point without a place conflicts within its zone, on either side', async () => {
    const [here, there] = [await zone(), await zone()]
    expect((await create({ aprilTagId: 10, zoneId: here })).status).toBe(201)
    expect(issues(await create({ aprilTagId: 10, zoneId: here, geoPose: pose(5, 5) }))[1]).toBe('april_tag_conflict')
    expect((await create({ aprilTagId: 10, zoneId: there, geoPose: pose(5, 5) })).status).toBe(201)
    expect(issues(await create({ aprilTagId: 10, zoneId: there }))[1]).toBe('april_tag_conflict')
  })

  test('of fifty who claim a tag at once, one gets it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => create({ aprilTagId: 11, geoPose: pose(45, 45) })),
    )
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
  })

  test('a check tells who carries a tag around a point, and which are free', async () => {
    const zoneId = await zone('Yard')
    const a = (await create({ title: 'far', aprilTagId: 0, zoneId, geoPose: pose(60, 20) })).body.gcp
    const b = (await create({ title: 'near', aprilTagId: 1, geoPose: pose(60.0001, 20) })).body.gcp
    const check = async (query: string) => service.anonymous.get(`/api/gcp/check-april-tag?${query}`)
    expect((await check('aprilTagId=0&latitude=60.0001&longitude=20')).body).toEqual({
      available: false,
      conflicts: [
        {
          gcpId: a.id,
          title: 'far',
          aprilTagId: 0,
          zoneId,
          zoneTitle: 'Yard',
          latitude: 60,
          longitude: 20,
          distance: expect.closeTo(11.14, 2),
        },
      ],
      suggestedIds: [2, 3, 4, 5, 6],
    })
    expect((await check(`aprilTagId=1&latitude=60&longitude=20&excludeGcpId=${b.id}`)).body).toMatchObject({
      available: true,
      conflicts: [],
    })
    expect((await check('aprilTagId=0&latitude=60.002&longitude=20')).body.available).toBe(true)
    const anywhere = (await check('aprilTagId=0')).body
    expect(anywhere.available).toBe(false)
    expect(anywhere.conflicts.map(({ gcpId }: { gcpId: number }) => gcpId)).toContain(a.id)
    expect(anywhere.conflicts.every(({ distance }: { distance: null }) => distance === null)).toBe(true)
    expect(issues(await check('aprilTagId=0&latitude=60'))).toEqual([400, 'custom', ['longitude']])
    expect(issues(await check('aprilTagId=51'))).toEqual([400, 'too_big', ['aprilTagId']])
    expect((await check('latitude=60&longitude=20')).status).toBe(400)
  })
})
