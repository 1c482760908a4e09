// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Answer, type Caller, type Service, startService } from '../../../test/service.ts'
import { importsOn } from '../../../test/surveying/imports.ts'

let service: Service
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const pose = (lat: number, lon: number) => ({ position: { lat, lon, h: 0 }, angles: { yaw: 0, pitch: 0, roll: 0 } })
const create = (fields: object) => user.post('/api/gcp', { title: 'Mark', gcpType: 'SINGLE', ...fields })
const put = (id: number, fields: object) => user.put(`/api/gcp/${id}`, { title: 'Mark', ...fields })
const shuffled = <T>(list: T[]): T[] =>
  list
    .map((one) => [Math.random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)

/** Who carries a tag around a point, by what the service says of it. */
const bearersAt = async (tag: number, lat: number, lon: number): Promise<{ gcpId: number }[]> =>
  (await user.get(`/api/gcp/check-april-tag?aprilTagId=${tag}&latitude=${lat}&longitude=${lon}`)).body.conflicts

/** The loser's error names the other point; who waited a second for the lock of the tag is asked to try again. */
function refusedWithConflict({ status, body, headers }: Answer, expected: 400 | 409) {
  if (status === 503) {
    expect(headers.get('retry-after')).toMatch(/^[12]$/)
    return
  }
  expect([status, body.error[0].code]).toEqual([expected, 'april_tag_conflict'])
  expect(body.error[0].message).toMatch(/^AprilTag \d+ is already carried by GCP \d+ /)
}

describe('of 64 writers on one spot', () => {
  test('who make, move and mark points with one tag, one wins', async () => {
    for (let round = 0; round < 4; round++) {
      const [lat, lon, tag] = [10 + round, 20, 7]
      const movers: Answer[] = [] // one by one: they wait for each other's tag
      for (let i = 0; i < 22; i++)
        movers.push(await create({ aprilTagId: tag, geoPose: pose(-70 - i / 2, round * 10) }))
      const markers = await Promise.all(Array.from({ length: 21 }, () => create({ geoPose: pose(lat, lon) })))
      const answers = await Promise.all(
        shuffled([
          ...Array.from({ length: 21 }, () => async () => ({
            loses: 400 as const,
            answer: await create({ aprilTagId: tag, geoPose: pose(lat, lon) }),
          })),
          ...movers.map(({ body }) => async () => ({
            loses: 409 as const,
            answer: await put(body.gcp.id, { geoPose: pose(lat, lon) }),
          })),
          ...markers.map(({ body }) => async () => ({
            loses: 409 as const,
            answer: await put(body.gcp.id, { aprilTagId: tag }),
          })),
        ]).map((write) => write()),
      )
      const lost = answers.filter(({ answer }) => answer.status >= 300)
      expect([answers.length, lost.length]).toEqual([64, 63])
      for (const { answer, loses } of lost) refusedWithConflict(answer, loses)
      expect(await bearersAt(tag, lat, lon)).toHaveLength(1)
    }
  })

  test('with four tags, exchanging them as well, each tag ends at one point at most', async () => {
    const [lat, lon] = [40, 40]
    const made = await Promise.all(Array.from({ length: 16 }, () => create({ geoPose: pose(lat, lon) })))
    const ids: number[] = made.map(({ body }) => body.gcp.id)
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, i) =>
          i % 8 === 7
            ? put(ids[i % 16]!, { aprilTagId: null })
            : put(ids[(i * 7) % 16]!, { aprilTagId: 30 + ((i + round) % 4) }),
        ),
      )
      for (const answer of answers) if (answer.status !== 200) refusedWithConflict(answer, 409)
      for (const tag of [30, 31, 32, 33]) expect((await bearersAt(tag, lat, lon)).length).toBeLessThanOrEqual(1)
    }
  })

  test('beside an import that wants the tag there too, one wins', async () => {
    const imports = importsOn(service, user)
    for (let round = 0; round < 4; round++) {
      const [lat, lon, tag] = [60 + round, -30, 11]
      const zoneId = await imports.zone()
      const far = Array.from({ length: 300 }, (_, i) => `F${i},${-lat - i / 100},${lon},${i % 2 ? 12 : ''}`)
      const rows = [...far.slice(0, 150), `Spot,${lat},${lon},${tag}`, ...far.slice(150)]
      const key = await imports.stored(`title,lat,lon,aprilTagId\n${rows.join('\n')}\n`)
      const sending = imports.send(zoneId, key)
      const writes: Promise<Answer>[] = []
      for (let i = 0; i < 63; i++) {
        writes.push(create({ aprilTagId: tag, geoPose: pose(lat, lon) }))
        if (i % 16 === 0) await new Promise((resolve) => setTimeout(resolve, round * 4))
      }
      const answers = await Promise.all(writes)
      const { id } = (await sending).body
      expect((await imports.ended(id)).status).toBe('COMPLETED')
      const refused = (await imports.report(id)).rows.filter((row: { title: string }) => row.title === 'Spot')
      const won = answers.filter(({ status }) => status === 201).length
      expect(won + (refused.length === 0 ? 1 : 0)).toBe(1)
      if (refused.length > 0) expect(refused[0].errors).toMatchObject([{ code: 'APRIL_TAG_CONFLICT' }])
      for (const answer of answers) if (answer.status !== 201) refusedWithConflict(answer, 400)
      expect(await bearersAt(tag, lat, lon)).toHaveLength(1)
    }
  })
})
