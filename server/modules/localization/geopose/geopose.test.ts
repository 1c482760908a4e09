// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { CAMERA, photoOfTags } from '../../../test/content/tags/placed-tag.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { quaternionOf } from '../../places/pose.ts'
import { frameAt, inFrame } from '../pose/frames.ts'
import { length, type Vector } from '../pose/vectors.ts'

const SITE = { lat: 46.5, lon: 6.6, h: 400 }
/** On a wall that faces south. */
const TAG = { id: 21, size: 0.5, at: [0, 0, 0] as Vector, right: [1, 0, 0] as Vector, top: [0, 0, 1] as Vector }
const FROM: Vector = [1.4, -2.4, 0.6]
/** The centre of the top left pixel is (0.5, 0.5) in the protocol. */
const PARAMS = { model: 'PINHOLE', modelParams: [CAMERA.fx, CAMERA.fy, CAMERA.cx + 0.5, CAMERA.cy + 0.5] }

let service: Service
let surveyor: Caller
let photo: Awaited<ReturnType<typeof photoOfTags>>
beforeAll(async () => {
  service = await startService()
  surveyor = await buildersOn(service).user()
  photo = await photoOfTags(SITE, FROM, [TAG])
  const geoPose = { position: SITE, angles: { yaw: 0, pitch: 0, roll: 0 } }
  const tag = { aprilTagId: TAG.id, tagSize: TAG.size, tagPose: { heading: 0, tilt: 90, accuracy: 0.1 } }
  expect((await surveyor.post('/api/gcp', { title: 'Wall', gcpType: 'SINGLE', geoPose, ...tag })).status).toBe(201)
})
afterAll(() => service.stop())

/** A request with all members that clients of the protocol send. */
const requestOf = ({ camera = {}, sensor = {}, readings = {} }: Record<string, object> = {}) => ({
  type: 'geopose',
  id: '3b0b6a5c',
  timestamp: 1_790_000_000_000.5,
  sensors: [
    { type: 'camera', id: 'c', name: '', model: '', rigRotation: { x: 0, y: 0, z: 0, w: 1 }, ...sensor },
    { type: 'geolocation', id: 'g', name: '' },
  ],
  sensorReadings: {
    cameraReadings: [
      {
        timestamp: 1_790_000_000_000,
        sensorId: 'c',
        privacy: {
          dataRetention: [],
          dataAcceptableUse: [],
          dataSanitizationApplied: [],
          dataSanitizationRequested: [],
        },
        sequenceNumber: 1,
        imageFormat: 'RGBA32',
        size: [1280, 960],
        imageBytes: photo.bytes.toString('base64'),
        imageOrientation: { mirrored: false, rotation: 0 },
        params: { ...PARAMS, minMaxDepth: [] },
        ...camera,
      },
    ],
    geolocationReadings: [
      { timestamp: 1, sensorId: 'g', latitude: SITE.lat, longitude: SITE.lon, altitude: 0, accuracy: 5 },
    ],
    wifiReadings: [],
    ...readings,
  },
  priorPoses: [],
})
const locate = (body: object) => service.anonymous.post('/geopose', body)

describe('a request of the GeoPose Protocol', () => {
  test('has the pose of the camera as a quaternion: at identity it faces north', async () => {
    const { status, body } = await locate(requestOf())
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { type: 'geopose', id: '3b0b6a5c', timestamp: 1_790_000_000_000.5, candidates: [] },
    })
    const { position, quaternion } = body.geopose
    expect(length(inFrame(frameAt(photo.camera), position))).toBeLessThan(0.03)
    const [east, north, up] = FROM
    const yaw = (Math.atan2(east, -north) * 180) / Math.PI
    const pitchOfView = (Math.atan2(-up, Math.hypot(east, north)) * 180) / Math.PI
    const expected = quaternionOf({ yaw, pitch: 0, roll: pitchOfView })
    for (const axis of ['x', 'y', 'z', 'w'] as const) expect(quaternion[axis]).toBeCloseTo(expected[axis], 2)
    expect(body.accuracy.position).toBeLessThan(0.05)
    expect(body.accuracy.orientation).toBeLessThan(1)
  })

  test('may describe the camera in its sensor, by each model', async () => {
    const [fx, fy, cx, cy] = PARAMS.modelParams
    const models: Record<string, unknown[]> = {
      SIMPLE_PINHOLE: [fx, cx, cy],
      SIMPLE_RADIAL: [fx, cx, cy, 0],
      RADIAL: [fx, cx, cy, 0, 0],
      OPENCV: [fx, fy, cx, cy, 0, 0, 0, 0],
      FULL_OPENCV: [fx, fy, cx, cy, 0, 0, 0, 0, 0, 0, 0, 0],
    }
    const pinhole = (await locate(requestOf())).body.geopose
    for (const [model, modelParams] of Object.entries(models)) {
      const sensor = { params: { model, modelParams } }
      const { body } = await locate(requestOf({ camera: { params: undefined }, sensor } as Record<string, object>))
      expect({ model, geopose: body.geopose }).toEqual({ model, geopose: pinhole })
    }
  })

  test('may say where the camera is by an earlier pose', async () => {
    const request = requestOf({ readings: { geolocationReadings: [] } })
    const priorPoses = [{ geopose: { position: SITE, quaternion: { x: 0, y: 0, z: 0, w: 1 } } }]
    expect((await locate({ ...request, priorPoses })).status).toBe(200)
    const { status, body } = await locate(request)
    expect([status, body.error[0].path]).toEqual([400, ['sensorReadings', 'geolocationReadings']])
  })

  test('without a pose is 422, with the reason', async () => {
    const geolocationReadings = [{ latitude: 0, longitude: 0 }]
    const { status, body } = await locate(requestOf({ readings: { geolocationReadings } }))
    expect({ status, body }).toEqual({
      status: 422,
      body: { error: expect.stringMatching(/^No surveyed point there carries a tag of the image/) },
    })
  })

  test.each<[string, object, RegExp]>([
    ['a mirrored image', { imageOrientation: { mirrored: true } }, /mirrored/],
    ['what is not base64', { imageBytes: '%%' }, /base64/],
    ['base64 with another character', { imageBytes: 'AAAA%' }, /base64/],
    ['the other base64 of URLs', { imageBytes: 'AA-_' }, /base64/],
    ['letters beyond ASCII', { imageBytes: '\u0141AAA' }, /base64/],
    ['raw pixels', { imageBytes: Buffer.alloc(64).toString('base64') }, /must be a JPEG/],
    ['another size', { size: [640, 480] }, /640 × 480/],
    ['an unknown model', { params: { model: 'FISHEYE', modelParams: [] } }, /FISHEYE is not supported/],
    ['too few parameters', { params: { model: 'PINHOLE', modelParams: [1] } }, /4 numbers/],
    ['a distortion of higher order', { params: { model: 'FULL_OPENCV', modelParams: Array(12).fill(1) } }, /k4/],
  ])('with %s is 400', async (_what, camera, message) => {
    const { status, body } = await locate(requestOf({ camera }))
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringMatching(message) })
  })

  test('needs one camera reading', async () => {
    const { status, body } = await locate(requestOf({ readings: { cameraReadings: [] } }))
    expect([status, body.error[0].path]).toEqual([400, ['sensorReadings', 'cameraReadings']])
  })
})
