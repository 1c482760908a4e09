// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { CAMERA, photoOfTags } from '../../test/content/tags/placed-tag.ts'
import { formOf, withTexts } from '../../test/multipart.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { frameAt, inFrame } from './pose/frames.ts'
import { length, unit, type Vector } from './pose/vectors.ts'

let service: Service
let surveyor: Caller
beforeAll(async () => {
  service = await startService()
  surveyor = await buildersOn(service).user()
})
afterAll(() => service.stop())

type Place = { lat: number; lon: number; h: number }
const UP: Vector = [0, 0, 1]

const newGcp = async (gcp: object, position: Place) => {
  const geoPose = { position, angles: { yaw: 0, pitch: 0, roll: 0 } }
  const { status, body } = await surveyor.post('/api/gcp', { title: 'Tag', gcpType: 'SINGLE', geoPose, ...gcp })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.gcp
}
const localized = async (bytes: Uint8Array, { lat, lon }: Place) => {
  const texts = { camera: JSON.stringify(CAMERA), near: JSON.stringify({ lat, lon, radius: 50 }) }
  const form = withTexts(formOf({ field: 'image', name: 'a.jpg', bytes }), texts)
  const { status, body } = await service.anonymous.post('/api/location/localize', form)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}
const errorOf = (geoPose: { position: Place }, truth: Place): number =>
  length(inFrame(frameAt(truth), geoPose.position))

/** Poses as docs/tags.md has them, and the right and the top of such a tag: east, north, up. */
const placements: [string, object, { right: Vector; top: Vector }, from: Vector][] = [
  ['on a wall that you face to the north', { heading: 0, tilt: 90 }, { right: [1, 0, 0], top: UP }, [1.4, -2.4, 0.6]],
  ['on a wall that you face to the west', { heading: 270, tilt: 90 }, { right: [0, 1, 0], top: UP }, [2.4, 1.5, 0.5]],
  [
    'flat on the ground, its top to the east',
    { heading: 90, tilt: 0 },
    { right: [0, -1, 0], top: [1, 0, 0] },
    [1.6, 0.4, 2],
  ],
  [
    'on a wall, turned by a quarter clockwise',
    { heading: 0, tilt: 90, turn: 90 },
    { right: [0, 0, -1], top: [1, 0, 0] },
    [1.4, -2.4, 0.6],
  ],
]

describe('one tag whose size and pose are known locates a camera', () => {
  test.each(placements)('%s', async (_where, tagPose, sides, from) => {
    const site = { lat: 5 + 10 * placements.findIndex(([, pose]) => pose === tagPose), lon: 20, h: 5 }
    const { bytes, camera } = await photoOfTags(site, from, [{ id: 4, size: 0.5, at: [0, 0, 0], ...sides }])
    const gcp = await newGcp({ aprilTagId: 4, tagSize: 0.5, tagPose: { ...tagPose, accuracy: 0.1 } }, site)
    const body = await localized(bytes, site)
    expect(body).toMatchObject({ state: 'found', tags: [{ aprilTagId: 4, gcpId: gcp.id }], candidates: [] })
    expect(errorOf(body.geoPose, camera)).toBeLessThan(0.05)
  })

  test('by both poses that fit, and says so, if the tag is small in the image', async () => {
    const site = { lat: 50, lon: 20, h: 5 }
    const tag = { id: 9, size: 0.3, at: [0, 0, 0] as Vector, right: [1, 0, 0] as Vector, top: UP }
    const { bytes, camera } = await photoOfTags(site, [2.5, -9, 0.4], [tag])
    await newGcp({ aprilTagId: 9, tagSize: 0.3, tagPose: { heading: 0, tilt: 90, accuracy: 0.2 } }, site)
    const body = await localized(bytes, site)
    expect(body).toMatchObject({ state: 'ambiguous', reason: expect.stringContaining('another tag') })
    expect(body.candidates).toHaveLength(1)
    const [first, second] = [body, body.candidates[0]].map(({ geoPose }) => errorOf(geoPose, camera)) as [
      number,
      number,
    ]
    expect(Math.min(first, second)).toBeLessThan(0.4)
    expect(Math.max(first, second)).toBeGreaterThan(1)
  })

  test('beside a tag of which only the centre is known, more accurately', async () => {
    const site = { lat: 55, lon: 20, h: 5 }
    const wall = { right: [1, 0, 0] as Vector, top: UP }
    const tags = [
      { id: 11, size: 0.3, at: [0, 0, 0] as Vector, ...wall },
      { id: 12, size: 0.3, at: [1.6, 0.2, 0.5] as Vector, right: unit([1, 0.4, 0]), top: UP },
    ]
    const { bytes, camera, placed } = await photoOfTags(site, [1, -5, 0.4], tags)
    const tagPose = { heading: 0, tilt: 90, accuracy: 0.5 }
    await newGcp({ aprilTagId: 11, tagSize: 0.3, tagPose }, placed(tags[0]!.at))
    const alone = await localized(bytes, site)
    await newGcp({ aprilTagId: 12 }, placed(tags[1]!.at))
    const both = await localized(bytes, site)
    expect(both.tags.map(({ gcpId }: { gcpId: number | null }) => typeof gcpId)).toEqual(['number', 'number'])
    expect(errorOf(both.geoPose, camera)).toBeLessThan(0.1)
    const spread = ({ covariance }: { covariance: number[][] }) => covariance[0]![0]! + covariance[1]![1]!
    expect(spread(both)).toBeLessThan(spread(alone))
  })

  test('only if the size and the pose are known wherever the tag is used nearby', async () => {
    const site = { lat: 60, lon: 20, h: 5 }
    const tag = { id: 13, size: 0.5, at: [0, 0, 0] as Vector, right: [1, 0, 0] as Vector, top: UP }
    const { bytes } = await photoOfTags(site, [1.4, -2.4, 0.6], [tag])
    await newGcp({ aprilTagId: 13, tagPose: { heading: 0, tilt: 90 } }, site)
    expect(await localized(bytes, site)).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining('tagSize and tagPose'),
    })
  })
})

test('the size and pose of a tag are shown, changed, cleared and checked', async () => {
  const gcp = await newGcp({ tagSize: 0.16, tagPose: { heading: 30, tilt: 90 } }, { lat: 1, lon: 1, h: 0 })
  expect(gcp).toMatchObject({ tagSize: 0.16, tagPose: { heading: 30, tilt: 90, turn: 0, accuracy: 1 } })
  const change = async (fields: object) => surveyor.put(`/api/gcp/${gcp.id}`, { title: 'Tag', ...fields })
  const tagPose = { heading: 0, tilt: 0, turn: 45, accuracy: 0.5 }
  expect((await change({ tagPose })).body.gcp).toMatchObject({ tagSize: 0.16, tagPose })
  expect((await change({ tagSize: null, tagPose: null })).body.gcp).toMatchObject({ tagSize: null, tagPose: null })
  const wrong = [{ tagSize: 0 }, { tagPose: { heading: 400, tilt: 0 } }, { tagPose: { heading: 0 } }]
  const answers = await Promise.all(wrong.map(change))
  expect(answers.map(({ status, body }) => [status, body.error[0].path.join('.')])).toEqual([
    [400, 'tagSize'],
    [400, 'tagPose.heading'],
    [400, 'tagPose.tilt'],
  ])
})
