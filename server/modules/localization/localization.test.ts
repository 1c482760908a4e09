// @module-tag long
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { drawScene } from '../../test/content/tags/tag-scene.ts'
import { formOf, withTexts } from '../../test/multipart.ts'
import { type Answer, type Caller, type Service, startService } from '../../test/service.ts'
import type { Ecef } from '../places/geodesy.ts'
import { frameAt, inFrame, placeOf } from './pose/frames.ts'
import { cross, difference, length, type Matrix, sum, times, transposed, unit, type Vector } from './pose/vectors.ts'

let service: Service
let surveyor: Caller
beforeAll(async () => {
  service = await startService()
  surveyor = await buildersOn(service).user()
})
afterAll(() => service.stop())

const PATH = '/api/location/localize'
const [WIDTH, HEIGHT, FOCAL] = [1280, 960, 1200]
const CAMERA = { fx: FOCAL, fy: FOCAL, cx: (WIDTH - 1) / 2, cy: (HEIGHT - 1) / 2 }
/** Metres of a side of the printed tags. */
const SIDE = 0.6

type Site = { lat: number; lon: number; h: number }

/** The axes of the picture of a camera that faces a point, its top up: right, down, forward. */
function facing(from: Vector, to: Vector): Matrix {
  const forward = unit(difference(to, from))
  const right = unit(cross(forward, [0, 0, 1]))
  return [right, cross(forward, right), forward]
}

/** Creates points with tags around a site, and draws what a camera there sees. */
async function seenFrom(site: Site, from: Vector, points: { tag: number; at: Vector; surveyedAt?: Vector }[]) {
  const frame = frameAt(site)
  const placed = (v: Vector) => placeOf(sum(frame.origin, times(transposed(frame.axes), v)) as Ecef)
  for (const { tag, at, surveyedAt = at } of points) {
    const geoPose = { position: placed(surveyedAt), angles: { yaw: 0, pitch: 0, roll: 0 } }
    const gcp = { title: `Tag ${tag}`, gcpType: 'SINGLE', aprilTagId: tag, geoPose }
    expect((await surveyor.post('/api/gcp', gcp)).status).toBe(201)
  }
  const rotation = facing(from, [0, 0, 1])
  const tags = points.map(({ tag, at }, index) => {
    const [x, y, z] = times(rotation, difference(at, from))
    const pixel: [number, number] = [(FOCAL * x) / z + CAMERA.cx, (FOCAL * y) / z + CAMERA.cy]
    return { id: tag, at: pixel, side: (FOCAL * SIDE) / z, turn: index * 50, tilt: 25, tiltTowards: index * 70 }
  })
  const { image } = drawScene({ width: WIDTH, height: HEIGHT, focal: FOCAL, tags })
  const raw = { width: WIDTH, height: HEIGHT, channels: 1 as const }
  return { bytes: await sharp(image.pixels, { raw }).jpeg({ quality: 92 }).toBuffer(), camera: placed(from) }
}

const localize = (bytes: Uint8Array, texts: { camera?: object; near?: object }): Promise<Answer> =>
  service.anonymous.post(
    PATH,
    withTexts(
      formOf({ field: 'image', name: 'a.jpg', bytes }),
      Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, JSON.stringify(value)])),
    ),
  )
const nearTo = ({ lat, lon }: Site) => ({ lat, lon, radius: 90 })

const FROM: Vector = [-2, -9, 2.5]
const FIVE = [
  { tag: 1, at: [-3, 1, 0.2] as Vector },
  { tag: 2, at: [2.5, 0, 0] as Vector },
  { tag: 3, at: [0, 3, 2.5] as Vector },
  { tag: 4, at: [-1, -2, 0.5] as Vector },
  { tag: 5, at: [2, 4, 1.2] as Vector },
]

/** Metres from a place, east, north and up. */
const errorOf = (geoPose: { position: Site }, truth: Site): Vector => inFrame(frameAt(truth), geoPose.position)

describe('a photo of surveyed tags', () => {
  test.each<[string, Site]>([
    ['in the Alps', { lat: 46.5, lon: 8.1, h: 2100 }],
    ['at 180° of longitude', { lat: -16.5, lon: 180, h: 12 }],
    ['near the north pole', { lat: 89.99995, lon: 40, h: 0 }],
  ])('%s locates its camera to centimetres, with the covariance of the error', async (_where, site) => {
    const { bytes, camera } = await seenFrom(site, FROM, FIVE)
    const { status, body } = await localize(bytes, { camera: CAMERA, near: nearTo(site) })
    expect({ status, body }).toMatchObject({ status: 200, body: { state: 'found', reason: null, candidates: [] } })
    expect(body.tags).toHaveLength(5)
    for (const { gcpId, reprojectionError } of body.tags) {
      expect(gcpId).toEqual(expect.any(Number))
      expect(reprojectionError).toBeLessThan(1)
    }
    const error = errorOf(body.geoPose, camera)
    expect(length(error)).toBeLessThan(0.05)
    for (const [axis, value] of error.entries())
      expect(Math.abs(value)).toBeLessThan(5 * Math.sqrt(body.covariance[axis][axis]))
  })

  test('has the angles of its camera: at zero it faces north with its top up', async () => {
    const site = { lat: 10, lon: 20, h: 5 }
    const { bytes } = await seenFrom(site, [0, -9, 1], FIVE)
    const { body } = await localize(bytes, { camera: CAMERA, near: nearTo(site) })
    for (const angle of Object.values(body.geoPose.angles)) expect(Math.abs(angle as number)).toBeLessThan(0.3)
  })

  test('leaves out a tag whose point is wrong', async () => {
    const site = { lat: 30, lon: 20, h: 5 }
    const points = [...FIVE, { tag: 6, at: [-2, 4, 0.4] as Vector, surveyedAt: [-2.7, 4, 0.4] as Vector }]
    const { bytes, camera } = await seenFrom(site, FROM, points)
    const { body } = await localize(bytes, { camera: CAMERA, near: nearTo(site) })
    expect(body.state).toBe('found')
    expect(length(errorOf(body.geoPose, camera))).toBeLessThan(0.05)
    expect(body.tags.filter(({ gcpId }: { gcpId: number | null }) => gcpId === null)).toEqual([
      { aprilTagId: 6, gcpId: null, reprojectionError: null },
    ])
  })

  test('with three tags has several poses that fit, one of which is true', async () => {
    const site = { lat: 40, lon: 20, h: 5 }
    const points = [
      { tag: 1, at: [-3, -1, 0] as Vector },
      { tag: 2, at: [3, -2, 0] as Vector },
      { tag: 3, at: [0, 2, 0] as Vector },
    ]
    const { bytes, camera } = await seenFrom(site, [1, -7, 4], points)
    const { body } = await localize(bytes, { camera: CAMERA, near: nearTo(site) })
    expect(body).toMatchObject({ state: 'ambiguous', reason: expect.stringContaining('fourth tag') })
    const errors = [body, ...body.candidates].map(({ geoPose }) => length(errorOf(geoPose, camera)))
    expect(errors.length).toBeGreaterThan(1)
    expect(Math.min(...errors)).toBeLessThan(0.2)
  })

  test.each([
    [2, /Three surveyed tags/],
    [0, /shows no AprilTag/],
  ])('with %i tags has no pose, and says why', async (count, reason) => {
    const site = { lat: 50 + count, lon: 20, h: 5 }
    const { bytes } = await seenFrom(site, FROM, FIVE.slice(0, count))
    const { body } = await localize(bytes, { camera: CAMERA, near: nearTo(site) })
    expect(body).toMatchObject({
      state: 'unknown',
      geoPose: null,
      covariance: null,
      reason: expect.stringMatching(reason),
    })
    expect(body.tags).toHaveLength(count)
  })

  test('of tags that no point nearby carries has no pose', async () => {
    const { bytes } = await seenFrom({ lat: 60, lon: 20, h: 5 }, FROM, FIVE)
    const { body } = await localize(bytes, { camera: CAMERA, near: { lat: 61, lon: 20 } })
    expect(body).toMatchObject({
      state: 'unknown',
      reason: expect.stringMatching(/^No surveyed point there carries a tag of the image/),
    })
  })

  test('is not stored', async () => {
    const kept = await service.objectsKept()
    const { bytes } = await seenFrom({ lat: 65, lon: 20, h: 5 }, FROM, FIVE)
    expect((await localize(bytes, { camera: CAMERA, near: { lat: 65, lon: 20 } })).status).toBe(200)
    expect(await service.objectsKept()).toEqual(kept)
    expect(readdirSync(join(service.folder, 'incoming-images'))).toEqual([])
  })
})

test('the request names what it lacks: a place, a camera, an image, and JSON', async () => {
  const { bytes } = await seenFrom({ lat: 70, lon: 20, h: 5 }, FROM, FIVE)
  const near = { lat: 70, lon: 20 }
  const answers = [
    await localize(bytes, { camera: CAMERA }),
    await localize(bytes, { near }),
    await localize(bytes, { camera: { ...CAMERA, fx: 0 }, near }),
    await localize(bytes, { camera: CAMERA, near: { ...near, radius: 5000 } }),
    await service.anonymous.post(PATH, withTexts(formOf({ field: 'image', name: 'a.jpg', bytes }), { near: '{' })),
    await service.anonymous.post(PATH, withTexts(formOf(), { near: '{}' })),
    await localize(bytes.subarray(0, 9000), { camera: CAMERA, near }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400))
  expect(answers.slice(0, 6).map(({ body }) => body.error[0].path.join('.'))).toEqual([
    'near',
    'camera',
    'camera.fx',
    'near.radius',
    'near',
    'image',
  ])
})
