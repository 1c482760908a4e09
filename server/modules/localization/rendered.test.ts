// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomOf } from '../../test/attack/random.ts'
import { buildersOn } from '../../test/builders.ts'
import { QUANTILE_95, squareOf } from '../../test/content/tags/ellipsoid.ts'
import { photo, photosPath } from '../../test/content/tags/photo-steps.ts'
import { CAMERA, type Place, photoOfTags } from '../../test/content/tags/placed-tag.ts'
import { checkedPhotos } from '../../test/content/tags/tag-photos.ts'
import { formOf, withTexts } from '../../test/multipart.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { frameAt, inFrame } from './pose/frames.ts'
import { length, sum, type Vector } from './pose/vectors.ts'

let service: Service
let surveyor: Caller
beforeAll(async () => {
  service = await startService()
  surveyor = await buildersOn(service).user()
})
afterAll(() => service.stop())

const newPoint = async (position: Place, gcp: object): Promise<number> => {
  const geoPose = { position, angles: { yaw: 0, pitch: 0, roll: 0 } }
  const { status, body } = await surveyor.post('/api/gcp', { title: 'Tag', gcpType: 'SINGLE', geoPose, ...gcp })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.gcp.id
}
async function located(bytes: Uint8Array, { lat, lon }: Place) {
  const texts = { camera: JSON.stringify(CAMERA), near: JSON.stringify({ lat, lon, radius: 60 }) }
  const form = withTexts(formOf({ field: 'image', name: 'a.jpg', bytes }), texts)
  const { status, body } = await service.anonymous.post('/api/location/localize', form)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

test('a tag on a wall is checked in its photo, exported with its pixel, and locates the camera', async () => {
  const site = { lat: 46.5, lon: 6.6, h: 400 }
  const tag = { id: 21, size: 0.4, at: [0, 0, 0] as Vector, right: [1, 0, 0] as Vector, top: [0, 0, 1] as Vector }
  const zoneId: number = (await surveyor.post('/api/zones', { title: 'Quarry' })).body.id
  const survey = { aprilTagId: 21, tagSize: 0.4, tagPose: { heading: 0, tilt: 90, accuracy: 0.1 } }
  const gcpId = await newPoint(site, { zoneId, ...survey })
  const { bytes, camera } = await photoOfTags(site, [1.4, -2.4, 0.6], [tag])

  const form = withTexts(formOf(photo({ name: 'wall.jpg', bytes })), { gcpId: String(gcpId) })
  expect((await surveyor.post(photosPath, form)).status).toBe(200)
  expect(await checkedPhotos(surveyor, gcpId)).toMatchObject([{ tagCheck: 'match', tags: [{ id: 21 }] }])

  const list: string = (await service.anonymous.get(`/api/gcp/zone/${zoneId}/export?format=gcp_list`)).body
  const [, , , px, py, name] = list
    .split('\n')
    .find((line) => line.includes('wall.jpg'))!
    .split(' ')
  // The camera faces the centre of the tag.
  expect([Math.hypot(Number(px) - CAMERA.cx, Number(py) - CAMERA.cy) < 0.5, name]).toEqual([true, 'wall.jpg'])

  const found = await located(bytes, site)
  expect(found).toMatchObject({ state: 'found', tags: [{ aprilTagId: 21, gcpId }] })
  expect(length(inFrame(frameAt(camera), found.geoPose.position))).toBeLessThan(0.05)
})

const SCENES = 40
/** Standard deviations in metres that a point without an accuracy has: east, north, up. */
const SURVEY = [0.02, 0.02, 0.03] as const

test('of cameras in drawn photos of badly surveyed tags, 95 % are in the ellipsoid of 95 %', async () => {
  let inside = 0
  for (let seed = 0; seed < SCENES; seed++) {
    const { fraction, normal } = randomOf(seed)
    const site = { lat: -60 + seed * 3, lon: 20, h: 100 }
    const tags = Array.from({ length: 6 }, (_, id) => ({
      ...{ id, size: 0.5, right: [1, 0, 0] as Vector, top: [0, 0, 1] as Vector },
      at: [id - 2.5, ((id * 2) % 5) - 2 + fraction(), (id % 2 === 0 ? 1 : -1) * (1 + fraction() / 2)] as Vector,
    }))
    const { bytes, camera, placed } = await photoOfTags(site, [fraction() * 2 - 1, -7 - fraction(), 0.5], tags)
    for (const { id, at } of tags) {
      const errors = SURVEY.map((deviation) => normal() * deviation) as unknown as Vector
      await newPoint(placed(sum(at, errors)), { aprilTagId: id })
    }
    const { state, reason, geoPose, covariance } = await located(bytes, site)
    expect({ seed, state, reason }).toEqual({ seed, state: 'found', reason: null })
    const error = inFrame(frameAt(camera), geoPose.position)
    if (squareOf(error, covariance) < QUANTILE_95) inside++
  }
  // Of 40, 34 are three standard deviations below 38.
  expect(inside).toBeGreaterThanOrEqual(34)
})
