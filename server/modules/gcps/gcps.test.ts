import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { gcpsBy, issues, pose } from '../../test/surveying/gcps.ts'
import { importsOn, surveyRows } from '../../test/surveying/imports.ts'

let service: Service
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const { create, zone } = gcpsBy(() => user)

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
      heightDatum: null,
      heightTransformation: null,
      transformation: null,
      aprilTagId: 0,
      tagSize: null,
      tagPose: null,
      gcpData: '{}',
      photoUrls: ['https://a.example/1.jpg'],
      zoneId,
      outsideZone: null,
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

  test('of altitude and the height of the pose, one given sets both', async () => {
    const flat = { position: { lat: 1, lon: 2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
    const { gcp } = (await create({ altitude: 12.5, geoPose: flat })).body
    expect([gcp.altitude, gcp.pin.geoPose.position]).toEqual([12.5, { lat: 1, lon: 2, h: 12.5 }])
    for (const fields of [{ geoPose: flat }, { geoPose: flat, altitude: null }])
      expect(issues(await create(fields))).toEqual([400, 'custom', ['geoPose', 'position', 'h']])
  })

  test('have the pose of their pin in another form on request', async () => {
    const zoneId = await zone()
    const angles = { yaw: 90, pitch: 0, roll: 0 }
    const placed = (await create({ zoneId, geoPose: { position: { lat: 1, lon: 2, h: 3 }, angles } })).body.gcp
    const bare = (await create({ zoneId })).body.gcp
    const half = expect.closeTo(Math.SQRT1_2, 12)
    const pose = { frame: 'ENU', position: { lat: 1, lon: 2, h: 3 }, quaternion: { x: 0, y: 0, z: half, w: half } }
    const expected = { ...placed, pin: { ...placed.pin, pose } }
    expect((await user.get(`/api/gcp/${placed.id}?pose=quaternion`)).body).toEqual(expected)
    expect((await user.get(`/api/gcp?zoneId=${zoneId}&pose=quaternion`)).body).toEqual([
      expected,
      { ...bare, pin: { ...bare.pin, pose: null } },
    ])
    expect(issues(await user.get(`/api/gcp/${placed.id}?pose=euler`))).toEqual([400, 'invalid_value', ['pose']])
  })

  test('take gcpData of 65,536 characters, each of them escaped', async () => {
    const gcpData = '\u0001'.repeat(65_536)
    const { status, body } = await create({ title: 'Large', gcpData, zoneId: await zone() })
    expect([status, body.gcp?.gcpData]).toEqual([201, gcpData])
  })

  test('take what is null for absent', async () => {
    const nothing = { description: null, altitude: null, aprilTagId: null, gcpData: null, zoneId: null }
    const { status, body } = await create({ ...nothing, geoPose: null })
    expect(status).toBe(201)
    expect(body.gcp).toMatchObject({ ...nothing, photoUrls: [], outsideZone: null, zone: null })
    expect(body.pin).toMatchObject({ latitude: null, longitude: null, geoPose: null, zoneId: null })
  })

  test('a request that is wrong names the member', async () => {
    const wrong: [object, unknown[]][] = [
      [{ geoPose: pose(91, 0) }, ['too_big', ['geoPose', 'position', 'lat']]],
      [{ geoPose: pose(0, -180.5) }, ['too_small', ['geoPose', 'position', 'lon']]],
      [{ geoPose: { position: { lat: 1, lon: 2, h: 0 } } }, ['invalid_type', ['geoPose', 'angles']]],
      [{ aprilTagId: 51 }, ['too_big', ['aprilTagId']]],
      [{ aprilTagId: 7, tagSize: 160 }, ['too_big', ['tagSize']]],
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
    for (const unknown of [87654321, Number.MAX_SAFE_INTEGER]) {
      const none = await service.anonymous.get(`/api/gcp?zoneId=${unknown}`)
      expect([none.status, none.body, none.headers.get('x-total-count')]).toEqual([200, [], '0'])
    }
    for (const query of ['limit=0', 'limit=10001', 'cursor=1.2', 'cursor=W10', 'zoneId=0', 'outsideZone=true'])
      expect((await service.anonymous.get(`/api/gcp?${query}`)).status).toBe(400)
  })

  test('that were made in one statement keep their order over pages', { tags: ['long'] }, async () => {
    const into = importsOn(service, user)
    const { zoneId, gcps } = await into.imported(surveyRows(600))
    const seen: number[] = []
    let path: string | undefined = `/api/gcp?zoneId=${zoneId}&limit=130`
    while (path) {
      const { body, headers } = await service.anonymous.get(path)
      seen.push(...body.map(({ id }: { id: number }) => id))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(gcps.map(({ id }: { id: number }) => id))
    expect(new Set(seen).size).toBe(600)
  })
})
