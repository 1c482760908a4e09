import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Caller, type Service, startSecondService, startService } from '../../../test/service.ts'
import { gcpsBy, pose } from '../../../test/surveying/gcps.ts'

let before: Service
let service: Service
let user: Caller & { id: string }
beforeAll(async () => {
  before = await startService({ CAIRN_APRIL_TAG_METRES: '1' })
  user = await buildersOn(before).user()
  // From now on 100 m count.
  service = await startSecondService(before)
})
afterAll(async () => {
  await service.stop()
  await before.stop()
})

const { create, zone } = gcpsBy(() => user)
const METRE = 180 / (6_378_137 * Math.PI)
/** A point on the equator, `metres` east of a longitude. */
const made = async (aprilTagId: number, longitude: number, east: number, fields: object = {}) => {
  const { status, body } = await create({ aprilTagId, geoPose: pose(0, longitude + east * METRE), ...fields })
  expect(status).toBe(201)
  return body.gcp
}
const conflicts = async (query: string) => {
  const { status, body } = await service.anonymous.get(`/api/gcp/tag-conflicts?${query}`)
  expect(status).toBe(200)
  return body.conflicts as { aprilTagId: number; metres: number; gcps: { id: number }[]; freeAprilTagIds: number[] }[]
}
const pairs = async (query: string) => (await conflicts(query)).map(({ gcps }) => gcps.map(({ id }) => id).sort())

describe('pairs of points that carry the same AprilTag', () => {
  test('are those within CAIRN_APRIL_TAG_METRES, each once, the nearest first, with both records and free tags', async () => {
    const [a, b, c] = [await made(7, 10, 0), await made(7, 10, 99.99), await made(7, 10, 150)]
    await made(8, 10, 50)
    await made(7, 10, 260)
    await made(0, 10, 10)
    await made(1, 10, 199)
    await made(2, 10, 201)
    const found = await conflicts('bbox=9.9,-1,10.1,1')
    expect(found).toEqual([
      { aprilTagId: 7, metres: expect.closeTo(50.01, 4), gcps: expect.anything(), freeAprilTagIds: [3, 4, 5, 6, 9] },
      { aprilTagId: 7, metres: expect.closeTo(99.99, 4), gcps: expect.anything(), freeAprilTagIds: [2, 3, 4, 5, 6] },
    ])
    expect(found.map(({ gcps }) => gcps.map(({ id }) => id).sort())).toEqual([
      [b.id, c.id],
      [a.id, b.id],
    ])
    expect(found[1]!.gcps).toEqual([
      (await service.anonymous.get(`/api/gcp/${a.id}`)).body,
      (await service.anonymous.get(`/api/gcp/${b.id}`)).body,
    ])
  })

  test('a free tag can be given to either of the two', async () => {
    const [a, b] = [await made(7, 20, 0), await made(7, 20, 90)]
    await made(0, 20, -90)
    await made(1, 20, 180)
    const [conflict] = await conflicts('bbox=19.9,-1,20.1,1')
    for (const { id } of [a, b]) {
      const other = { title: 'Mark', aprilTagId: conflict!.freeAprilTagIds[0] }
      const changing = service.as(user.headers)
      expect(await changing.put(`/api/gcp/${id}`, other)).toMatchObject({ status: 200 })
      expect(await pairs('bbox=19.9,-1,20.1,1')).toEqual([])
      await before.as(user.headers).put(`/api/gcp/${id}`, { title: 'Mark', aprilTagId: 7 })
    }
  })

  test('in a bbox or a zone are those of which at least one is there', async () => {
    const [one, other] = [await zone(), await zone()]
    const a = await made(5, 30, 0, { zoneId: one })
    const b = await made(5, 30, 60, { zoneId: other })
    const both = [a.id, b.id].sort()
    for (const query of [
      `zoneId=${one}`,
      `zoneId=${other}`,
      `bbox=29.9,-1,${30 + 30 * METRE},1`,
      `bbox=${30 + 30 * METRE},-1,30.1,1`,
      `bbox=29.9,-1,30.1,1`,
      `bbox=29.9,-1,30.1,1&zoneId=${one}`,
    ])
      expect(await pairs(query), query).toEqual([both])
    expect(await pairs(`bbox=29.9,1,30.1,2&zoneId=${one}`)).toEqual([])
    expect(await pairs(`bbox=${30 + 30 * METRE},-1,30.1,1&zoneId=${one}`)).toEqual([])
    expect(await pairs(`zoneId=${await zone()}`)).toEqual([])
  })

  test('are found across 180 degrees', async () => {
    const [a, b] = [await made(6, 180, -20), await made(6, -180, 20)]
    expect(await pairs('bbox=179,-1,-179,1')).toEqual([[a.id, b.id].sort()])
    expect(await pairs('bbox=179,-1,180,1')).toEqual([[a.id, b.id].sort()])
  })

  test('are those that checks of their tags find, and free tags are free in checks', async () => {
    const zoneId = await zone()
    const placed = [
      await made(7, 50, 0, { zoneId }),
      await made(7, 50, 99.5),
      await made(7, 50, -100.5),
      await made(8, 50, 40, { zoneId }),
      await made(8, 50, 130),
      await made(8, 50, 141),
      await made(7, 50, 250, { zoneId }),
    ]
    expect((await create({ aprilTagId: 0, zoneId })).status).toBe(201)
    const check = async (id: number, tag: number) => {
      const { latitude, longitude } = placed.find((gcp) => gcp.id === id)!.pin
      const place = `latitude=${latitude}&longitude=${longitude}&excludeGcpId=${id}`
      return (await service.anonymous.get(`/api/gcp/check-april-tag?aprilTagId=${tag}&${place}`)).body as {
        available: boolean
        conflicts: { gcpId: number }[]
      }
    }
    const inChecks = new Set<string>()
    for (const { id, aprilTagId } of placed)
      for (const { gcpId } of (await check(id, aprilTagId)).conflicts) inChecks.add([id, gcpId].sort().join())
    const listed = await conflicts('bbox=49.9,-1,50.1,1')
    const rule = 'april-tags.ts and conflict-store.ts state one rule: change both'
    expect(
      new Set(
        listed.map(({ gcps }) =>
          gcps
            .map(({ id }) => id)
            .sort()
            .join(),
        ),
      ),
      rule,
    ).toEqual(inChecks)
    expect(inChecks.size).toBe(3)
    for (const { gcps, freeAprilTagIds } of listed) {
      const free = []
      for (let tag = 0; free.length < 5; tag++) {
        const [one, other] = [await check(gcps[0]!.id, tag), await check(gcps[1]!.id, tag)]
        if (one.available && other.available) free.push(tag)
      }
      expect(freeAprilTagIds, rule).toEqual(free)
    }
  })

  test('are limited to the nearest ones up to `limit`, and all are counted', async () => {
    for (let east = 0; east < 5; east++) await made(9, 40, east * 2)
    const all = await pairs('bbox=39.9,-1,40.1,1')
    expect(all).toHaveLength(10)
    expect(await pairs('bbox=39.9,-1,40.1,1&limit=3')).toEqual(all.slice(0, 3))
    for (const limit of [1, 3, 100]) {
      const { body } = await service.anonymous.get(`/api/gcp/tag-conflicts?bbox=39.9,-1,40.1,1&limit=${limit}`)
      expect(body.total).toBe(10)
    }
    expect((await service.anonymous.get('/api/gcp/tag-conflicts?bbox=80,80,81,81')).body).toEqual({
      total: 0,
      conflicts: [],
    })
    for (const query of ['limit=0', 'limit=1001', 'bbox=1,2,3', 'bbox=a,b,c,d', 'zoneId=x'])
      expect(await service.anonymous.get(`/api/gcp/tag-conflicts?${query}`), query).toMatchObject({ status: 400 })
  })
})
