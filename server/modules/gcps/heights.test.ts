import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Answer, type Caller, type Service, startService } from '../../test/service.ts'
import { importsOn } from '../../test/surveying/imports.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const angles = { yaw: 90, pitch: 0, roll: 0 }
/** EGM96 is 39.577 m above the ellipsoid here, by cs2cs. */
const poseAt = (h?: number, lat = 52.5) => ({ position: { lat, lon: 13.4, ...(h !== undefined && { h }) }, angles })
const create = (fields: object): Promise<Answer> => user.post('/api/gcp', { title: 'A', gcpType: 'SINGLE', ...fields })
const made = async (fields: object): Promise<Answer['body']> => (await create(fields)).body.gcp
const changed = async ({ id }: { id: number }, fields: object): Promise<Answer['body']> =>
  (await user.put(`/api/gcp/${id}`, { title: 'A', ...fields })).body.gcp
const path = ({ body }: Answer) => body.error[0].path.join('.')

describe('a point whose request says what its altitude is above', () => {
  test('has the height above the ellipsoid that the geoid leads to, with the model and its accuracy', {
    tags: ['long'],
  }, async () => {
    const gcp = await made({ geoPose: poseAt(), altitude: 34.25, heightDatum: 'EGM96' })
    expect(gcp).toMatchObject({
      altitude: 34.25,
      heightDatum: 'EGM96',
      heightTransformation: { operation: 'WGS 84 to EGM96 height (1)', accuracy: 1 },
    })
    expect(gcp.pin.geoPose.position.h).toBeCloseTo(34.25 + 39.577, 2)
    expect(gcp.pin.geoPose.angles).toEqual(angles)
  })

  test('has EGM96 with 2 m where the grid of its vertical system is not there', { tags: ['long'] }, async () => {
    const gcp = await made({ geoPose: poseAt(), altitude: 34.25, heightDatum: 'DHHN2016 height' })
    expect(gcp).toMatchObject({ heightDatum: 'EPSG:7837', heightTransformation: { accuracy: 2 } })
  })

  test('keeps both heights that it gives', async () => {
    const gcp = await made({ geoPose: poseAt(73.5), altitude: 34.25, heightDatum: 'EPSG:7837' })
    expect(gcp).toMatchObject({ altitude: 34.25, heightDatum: 'EPSG:7837', heightTransformation: null })
    expect(gcp.pin.geoPose.position.h).toBe(73.5)
  })

  test('has one height where that is above the ellipsoid', async () => {
    const gcp = await made({ geoPose: poseAt(), altitude: 73.5, heightDatum: 'ellipsoid' })
    expect([gcp.altitude, gcp.pin.geoPose.position.h, gcp.heightDatum]).toEqual([73.5, 73.5, 'ellipsoid'])
  })

  test('has a position and no pose if the datum is unknown', async () => {
    const geoPose = { ...poseAt(), angles: { yaw: 0, pitch: 0, roll: 0 } }
    const gcp = await made({ geoPose, altitude: 34.25, heightDatum: 'unknown' })
    expect(gcp).toMatchObject({ altitude: 34.25, heightDatum: 'unknown', pin: { latitude: 52.5, geoPose: null } })
    expect(path(await create({ geoPose: poseAt(), altitude: 34.25, heightDatum: 'unknown' }))).toBe('geoPose')
  })

  test('is refused without an altitude, for a datum that means nothing, and for a tidal one without its grid', async () => {
    expect(path(await create({ geoPose: poseAt(70), heightDatum: 'EGM96' }))).toBe('altitude')
    const named = await create({ geoPose: poseAt(), altitude: 1, heightDatum: 'EPSG:25833' })
    expect([named.status, path(named)]).toEqual([400, 'heightDatum'])
    const tidal = await create({ geoPose: poseAt(), altitude: 1, heightDatum: 'EPSG:5866' })
    expect(tidal.body.error[0].message).toContain('give geoPose.position.h')
  })
})

describe('a point whose request says nothing of it', () => {
  test('has one height that is both, and no datum', async () => {
    const gcp = await made({ geoPose: poseAt(), altitude: 34.25 })
    expect(gcp).toMatchObject({ altitude: 34.25, heightDatum: null, heightTransformation: null })
    expect(gcp.pin.geoPose.position.h).toBe(34.25)
  })
})

describe('a change', () => {
  const start = () => made({ geoPose: poseAt(), altitude: 34.25, heightDatum: 'EGM96' })

  test('of something else keeps what is known of the heights', async () => {
    const gcp = await start()
    const next = await changed(gcp, { description: 'by the oak', geoPose: gcp.pin.geoPose, altitude: 34.25 })
    expect(next).toMatchObject({ heightDatum: 'EGM96', heightTransformation: gcp.heightTransformation })
  })

  test.each([
    ['of the place', { geoPose: poseAt(73.8, 52.6), altitude: 34.25 }],
    ['of the height of the pose', { geoPose: poseAt(74), altitude: 34.25 }],
    ['of the altitude', { altitude: 35 }],
    ['that takes the datum back', { heightDatum: null }],
  ])('%s leaves nothing that is no longer true', async (_, fields) => {
    expect(await changed(await start(), fields)).toMatchObject({ heightDatum: null, heightTransformation: null })
  })

  test('says what an imported height is above, and so gives it a height above the ellipsoid', async () => {
    const imports = importsOn(service, user)
    const { zoneId, gcps } = await imports.imported('title,lat,lon,z\nA,52.5,13.4,34.25\n')
    expect(gcps[0]).toMatchObject({ altitude: 34.25, heightDatum: 'unknown', pin: { geoPose: null } })
    const next = await changed(gcps[0], { heightDatum: 'EGM96' })
    expect(next).toMatchObject({ altitude: 34.25, heightDatum: 'EGM96', heightTransformation: { accuracy: 1 } })
    expect(next.pin.geoPose.position.h).toBeCloseTo(34.25 + 39.577, 2)
    const file = (await user.get(`/api/gcp/zone/${zoneId}/export?format=csv`)).body
    const again = await imports.imported(file)
    expect(again.gcps[0]).toMatchObject({
      ...{ altitude: 34.25, heightDatum: 'EGM96', heightTransformation: next.heightTransformation },
      pin: { geoPose: next.pin.geoPose },
    })
  })

  test('moves an imported point: the operation that led there is no longer true', async () => {
    const imports = importsOn(service, user)
    const { gcps } = await imports.imported(
      'EPSG:25833\ntitle,easting,northing,accuracyH\nA,391414.76,5817961.45,0.1\n',
    )
    expect(gcps[0].transformation).toMatchObject({ crs: 'EPSG:25833' })
    expect((await changed(gcps[0], { geoPose: poseAt(1) })).transformation).toBeNull()
  })
})

describe('an import again', () => {
  test('without the datum takes a height back that came of it, and leaves one that was given', async () => {
    const imports = importsOn(service, user)
    const file = 'title,lat,lon,z\nA,52.5,13.4,34.25\n'
    const { zoneId, gcps } = await imports.imported(file, { query: '?heightDatum=EGM96' })
    expect(gcps[0].pin.geoPose.position.h).toBeCloseTo(73.827, 2)
    const second = await imports.imported(file, { zoneId })
    expect(second.gcps[0]).toMatchObject({ heightDatum: 'unknown', heightTransformation: null, pin: { geoPose: null } })
    await changed(second.gcps[0], { geoPose: poseAt(70) })
    for (const updated of [1, 0]) {
      const { report, gcps: after } = await imports.imported(file, { zoneId })
      expect(report.summary.updated).toBe(updated)
      expect(after[0]).toMatchObject({ altitude: 34.25, pin: { geoPose: { position: { h: 70 }, angles } } })
    }
  })

  test('corrects heights above the sea that an earlier release took for h', async () => {
    const imports = importsOn(service, user)
    const file = 'title,lat,lon,elevation\nA,52.5,13.4,34.25\n'
    const { zoneId } = await imports.imported('title,lat,lon,h\nA,52.5,13.4,34.25\n')
    const { gcps, report } = await imports.imported(file, { zoneId })
    expect(report.summary.updated).toBe(1)
    expect(gcps[0]).toMatchObject({ altitude: 34.25, heightDatum: 'orthometric' })
    expect(gcps[0].pin.geoPose.position.h).toBeCloseTo(73.827, 2)
    expect((await imports.imported(file, { zoneId })).report.summary.updated).toBe(0)
  })
})
