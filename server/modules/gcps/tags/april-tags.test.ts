import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { gcpsBy, issues, pose } from '../../../test/surveying/gcps.ts'

let service: Service
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const { create, zone } = gcpsBy(() => user)

describe('AprilTags', () => {
  test('two points within 100 m may not carry the same tag, at 180 degrees neither', async () => {
    const first = (await create({ title: 'A', aprilTagId: 7, geoPose: pose(-17.5, 179.9999) })).body.gcp
    const near = await create({ aprilTagId: 7, geoPose: pose(-17.5, -179.9999) })
    expect(issues(near)).toEqual([400, 'april_tag_conflict', ['aprilTagId']])
    expect(near.body.error[0].message).toBe(`AprilTag 7 is already carried by GCP ${first.id} "A" 21.2 m away`)
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

  test('every point that the claim conflicts with is named, the nearest first', async () => {
    const far = (await create({ title: 'far', aprilTagId: 12, geoPose: pose(30, 30) })).body.gcp
    const near = (await create({ title: 'near', aprilTagId: 12, geoPose: pose(30.0012, 30) })).body.gcp
    const { status, body } = await create({ aprilTagId: 12, geoPose: pose(30.0007, 30) })
    expect([status, body.error.map(({ message }: { message: string }) => message)]).toEqual([
      400,
      [
        `AprilTag 12 is already carried by GCP ${near.id} "near" 55.4 m away`,
        `AprilTag 12 is already carried by GCP ${far.id} "far" 77.6 m away`,
      ],
    ])
  })

  test('a check for a GCP says what its change would meet: points without a place in its zone too', async () => {
    const zoneId = await zone('Lot')
    const bare = (await create({ title: 'bare', aprilTagId: 20, zoneId })).body.gcp
    const { gcp } = (await create({ zoneId, geoPose: pose(64, 64) })).body
    const check = async (query: string) =>
      (await service.anonymous.get(`/api/gcp/check-april-tag?aprilTagId=20&${query}`)).body
    expect(await check('latitude=64&longitude=64')).toMatchObject({ available: true, conflicts: [] })
    const answer = await check(`latitude=64&longitude=64&excludeGcpId=${gcp.id}`)
    expect(answer).toEqual({
      available: false,
      conflicts: [
        {
          gcpId: bare.id,
          title: 'bare',
          aprilTagId: 20,
          zoneId,
          zoneTitle: 'Lot',
          latitude: null,
          longitude: null,
          distance: null,
        },
      ],
      suggestedIds: [0, 1, 2, 3, 4],
    })
    expect((await user.put(`/api/gcp/${gcp.id}`, { title: 'x', aprilTagId: 20 })).status).toBe(409)
    const unknown = await service.anonymous.get('/api/gcp/check-april-tag?aprilTagId=20&excludeGcpId=87654321')
    expect(issues(unknown)).toEqual([400, 'custom', ['excludeGcpId']])
  })

  test('a check lists the points with a tag nearby, and the free tags', async () => {
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
