import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { gcpsBy, issues, pose } from '../../test/surveying/gcps.ts'

let service: Service
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const { create, zone } = gcpsBy(() => user)

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

  test('without a pose it leaves the map, its altitude stays, and it can come back', async () => {
    const { gcp } = (await create({ altitude: 5, geoPose: pose(-33, 44, 6), aprilTagId: 45 })).body
    const off = (await put(gcp.id, { geoPose: null })).body.gcp
    expect(off).toMatchObject({ altitude: 5, aprilTagId: 45 })
    expect(off.pin).toMatchObject({ id: gcp.pin.id, latitude: null, longitude: null, geoPose: null })
    const found = async () => (await service.anonymous.get('/api/location/pins?lat=-33&lon=44&radius=10')).body.pins
    expect(await found()).toEqual([])
    expect((await create({ aprilTagId: 45, geoPose: pose(-33, 44) })).status).toBe(201)
    expect(issues(await put(gcp.id, { geoPose: pose(-33, 44) }))).toEqual([409, 'april_tag_conflict', ['aprilTagId']])
    expect((await put(gcp.id, { geoPose: pose(-33, 44), aprilTagId: null })).status).toBe(200)
    expect(await found()).toHaveLength(2)
  })

  test('of altitude and the height of a new pose, one given sets both; a pose without any is refused', async () => {
    const { gcp } = (await create({ altitude: 5, geoPose: pose(1, 2, 6) })).body
    const flat = { position: { lat: 3, lon: 4 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
    const heights = (answer: {
      body: { gcp: { altitude: number; pin: { geoPose: { position: { h: number } } } } }
    }) => [answer.body.gcp.altitude, answer.body.gcp.pin.geoPose.position.h]
    expect(heights(await put(gcp.id, {}))).toEqual([5, 6])
    expect(heights(await put(gcp.id, { altitude: null }))).toEqual([null, 6])
    expect(heights(await put(gcp.id, { geoPose: flat, altitude: 7 }))).toEqual([7, 7])
    expect(heights(await put(gcp.id, { geoPose: pose(1, 2, 8), altitude: 9 }))).toEqual([9, 8])
    expect(heights(await put(gcp.id, { geoPose: pose(1, 2, 10), altitude: null }))).toEqual([null, 10])
    expect(issues(await put(gcp.id, { geoPose: flat }))).toEqual([400, 'custom', ['geoPose', 'position', 'h']])
  })

  test('needs a title, and leaves type, data and zone as they are', async () => {
    const { gcp } = (await create({ gcpData: 'x', zoneId: await zone() })).body
    expect(issues(await user.put(`/api/gcp/${gcp.id}`, { description: 'd' }))).toEqual([400, 'invalid_type', ['title']])
    const { gcp: same } = (await put(gcp.id, { gcpType: 'MULTI', gcpData: 'y', zoneId: 1 })).body
    expect([same.gcpType, same.gcpData, same.zoneId]).toEqual(['SINGLE', 'x', gcp.zoneId])
    expect(issues(await put(gcp.id, { photoUrls: null }))).toEqual([400, 'invalid_type', ['photoUrls']])
    expect(
      (await put(gcp.id, { photoUrls: ['https://a.example/1', 'https://a.example/1'] })).body.gcp.photoUrls,
    ).toEqual(['https://a.example/1'])
    expect((await put(gcp.id, { photoUrls: [] })).body.gcp.photoUrls).toEqual([])
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
    const given = buildersOn(service)
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
