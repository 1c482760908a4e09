import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let maker: Caller & { id: string }
let stranger: Caller & { id: string }
let ops: Caller
beforeAll(async () => {
  service = await startService()
  const given = buildersOn(service)
  maker = await given.user()
  stranger = await given.user()
  ops = await given.user({ roles: ['ops'] })
})
afterAll(() => service.stop())

const angles = { yaw: 10, pitch: 0, roll: 0 }
const poseAt = (lat: number, lon: number, h = 5) => ({ position: { lat, lon, h }, angles })
const newPin = async (fields: object = {}, caller: Caller = maker) => {
  const pin = { title: 'Pin', contentType: 'TEXT', latitude: 10, longitude: 20, ...fields }
  const { status, body } = await caller.post('/api/location/pins', pin)
  expect(status).toBe(201)
  return body
}
const pinUrl = ({ id }: { id: number }) => `/api/location/pins/${id}`
const newZone = async (owner: Caller) => (await owner.post('/api/zones', { title: 'Zone' })).body.id as number
const readPin = async (pin: { id: number }) => (await maker.get(pinUrl(pin))).body

describe('PUT of a pin', () => {
  const full = {
    contentUrl: 'https://content.example/a.glb',
    localizationData: { trackingMode: 'WORLD', worldmapURL: null },
    relocalizationPhotoUrl: 'https://content.example/a.jpg',
    scanInstructions: 'Look left',
    cameraPoseHint: { position: { x: 0, y: 0, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } },
  }

  test('keeps absent members, clears null ones, changes given ones', async () => {
    const zoneId = await newZone(maker)
    const pin = await newPin({ ...full, zoneId, geoPose: poseAt(10, 20), visibility: 'unlisted' })
    const renamed = await maker.put(pinUrl(pin), { title: ' Renamed ' })
    expect(renamed).toMatchObject({ status: 200, body: { ...pin, title: 'Renamed', updatedAt: expect.any(String) } })
    expect(await readPin(pin)).toEqual(renamed.body)

    const changes = { contentType: 'GLB', visibility: 'public', scanInstructions: 'Look right' }
    const changed = { ...renamed.body, ...changes, updatedAt: expect.any(String) }
    expect((await maker.put(pinUrl(pin), { title: 'Renamed', ...changes })).body).toEqual(changed)

    const nothing = Object.fromEntries([...Object.keys(full), 'zoneId', 'geoPose'].map((name) => [name, null]))
    const cleared = await maker.put(pinUrl(pin), { title: 'Renamed', ...nothing })
    expect(cleared.body).toEqual({ ...changed, ...nothing })
  })

  test('a pin that is sent back as read is unchanged', async () => {
    const pin = await newPin({ ...full, geoPose: poseAt(10, 20) })
    const { status, body } = await maker.put(pinUrl(pin), pin)
    expect(status).toBe(200)
    expect(body).toEqual({ ...pin, updatedAt: body.updatedAt })
  })

  test('coordinates and pose move together; a pin always has a position', async () => {
    const pin = await newPin({ geoPose: poseAt(10, 20) })
    const put = async (fields: object) => (await maker.put(pinUrl(pin), { title: 'Pin', ...fields })).body
    const moved = { latitude: 11, longitude: 21 }
    expect(await put(moved)).toMatchObject({ ...moved, geoPose: poseAt(11, 21) })
    expect(await put({ geoPose: poseAt(12, 22, 9) })).toMatchObject({
      latitude: 12,
      longitude: 22,
      geoPose: poseAt(12, 22, 9),
    })
    expect(await put({ latitude: null, longitude: null })).toMatchObject({ latitude: 12, longitude: 22 })
    expect(await put({ geoPose: null })).toMatchObject({ latitude: 12, longitude: 22, geoPose: null })
    expect(await put({ latitude: null, longitude: null, geoPose: poseAt(1, 2) })).toMatchObject({
      latitude: 1,
      longitude: 2,
    })
    const near = await service.anonymous.get('/api/location/pins?lat=1&lon=2&radius=0')
    expect(near.body.pins.map(({ id }: { id: number }) => id)).toContain(pin.id)

    await put({ geoPose: null })
    for (const [fields, path] of [
      [{ latitude: null, longitude: null }, 'latitude'],
      [{ latitude: 3 }, 'longitude'],
      [{ latitude: 3, longitude: null }, 'longitude'],
      [{ latitude: 3, longitude: 4, geoPose: poseAt(3, 5) }, 'geoPose'],
      [{ title: undefined }, 'title'],
      [{ title: ' ' }, 'title'],
      [{ contentType: null }, 'contentType'],
      [{ visibility: null }, 'visibility'],
      [{ zoneId: 987654 }, 'zoneId'],
      [{ contentUrl: 'javascript:alert(1)' }, 'contentUrl'],
      [{ blockchainTxUrl: 'data:text/plain,x' }, 'blockchainTxUrl'],
      [{ blockchainSyncedAt: 'yesterday' }, 'blockchainSyncedAt'],
    ] as const) {
      const { status, body } = await maker.put(pinUrl(pin), { title: 'Pin', ...fields })
      expect([fields, status, body.error?.[0]?.path]).toEqual([fields, 400, [path]])
    }
    expect(await readPin(pin)).toMatchObject({ latitude: 1, longitude: 2, zoneId: null })
  })

  test('concurrent changes of one pin do not undo each other', async () => {
    const pin = await newPin()
    const changes = [
      { scanInstructions: 'S' },
      { contentUrl: 'https://c.example/' },
      { visibility: 'unlisted' },
      { contentType: 'PDF' },
    ]
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(changes.map((change) => maker.put(pinUrl(pin), { title: 'Pin', ...change })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(await readPin(pin)).toMatchObject(Object.assign({}, ...changes))
      await maker.put(pinUrl(pin), {
        title: 'Pin',
        scanInstructions: null,
        contentUrl: null,
        visibility: 'public',
        contentType: 'TEXT',
      })
    }
  })

  test('a time of any offset and precision is stored to the millisecond; one out of range is 400', async () => {
    const pin = await newPin()
    const put = (blockchainSyncedAt: string) => ops.put(pinUrl(pin), { title: 'Pin', blockchainSyncedAt })
    for (const [sent, kept] of [
      ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00.000Z'],
      ['2026-01-01T00:00:00.123456789012345Z', '2026-01-01T00:00:00.123Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ])
      expect((await put(sent!)).body.blockchainSyncedAt).toBe(kept)
    for (const sent of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59.999-12:00']) {
      const { status, body } = await put(sent)
      expect([sent, status, body.error[0].path]).toEqual([sent, 400, ['blockchainSyncedAt']])
    }
  })

  test('only ops write the blockchain members', async () => {
    const pin = await newPin()
    const anchor = {
      blockchainSignature: '0xabc',
      blockchainTxUrl: 'https://chain.example/tx/1',
      blockchainSyncedAt: '2026-01-31T12:00:00.000Z',
    }
    expect(await newPin(anchor)).toMatchObject({
      blockchainSignature: null,
      blockchainTxUrl: null,
      blockchainSyncedAt: null,
    })
    for (const [name, value] of Object.entries(anchor))
      expect(await maker.put(pinUrl(pin), { title: 'Taken', [name]: value })).toMatchObject({ status: 403 })
    expect(await readPin(pin)).toEqual(pin)

    expect((await ops.put(pinUrl(pin), { title: 'Pin', ...anchor })).body).toMatchObject(anchor)
    expect(
      (await maker.put(pinUrl(pin), { title: 'Pin', ...anchor, blockchainSyncedAt: '2026-01-31T13:00:00+01:00' }))
        .status,
    ).toBe(200)
    expect((await maker.put(pinUrl(pin), { title: 'Pin', blockchainSignature: null })).status).toBe(403)
    expect(await readPin(pin)).toMatchObject(anchor)
    expect(
      (await ops.put(pinUrl(pin), { title: 'Pin', blockchainSignature: null })).body.blockchainSignature,
    ).toBeNull()
  })
})

describe('writing a pin', () => {
  test('is allowed to its creator, the owner of its zone and ops; for others it is 403, or 404 if private', async () => {
    const zoneId = await newZone(stranger)
    const other = await buildersOn(service).user()
    for (const visibility of ['public', 'unlisted', 'private']) {
      const pin = await newPin({ zoneId, visibility })
      const refused = visibility === 'private' ? 404 : 403
      expect((await other.put(pinUrl(pin), { title: 'Mine' })).status).toBe(refused)
      expect((await other.delete(pinUrl(pin))).status).toBe(refused)
      expect((await service.anonymous.put(pinUrl(pin), { title: 'Mine' })).status).toBe(401)
      expect((await service.anonymous.delete(pinUrl(pin))).status).toBe(401)
      for (const caller of [maker, stranger, ops]) {
        expect((await caller.put(pinUrl(pin), { title: 'Changed' })).status).toBe(200)
        expect((await caller.get(pinUrl(pin))).status).toBe(200)
      }
      expect((await other.get(pinUrl(pin))).status).toBe(visibility === 'private' ? 404 : 200)
    }
    const outside = await newPin()
    expect((await stranger.put(pinUrl(outside), { title: 'Mine' })).status).toBe(403)
  })

  test('removes a deleted pin everywhere', async () => {
    const pin = await newPin({ latitude: -44, longitude: 5 })
    expect(await maker.delete(pinUrl(pin))).toMatchObject({ status: 204, body: '' })
    for (const answer of [
      await maker.get(pinUrl(pin)),
      await maker.delete(pinUrl(pin)),
      await maker.put(pinUrl(pin), { title: 'P' }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { error: 'Pin not found' } })
    expect((await maker.get('/api/location/pins?lat=-44&lon=5')).body.pins).toEqual([])
  })

  test('is done through its ground control point, if it has one', async () => {
    const { gcp, pin } = (await maker.post('/api/gcp', { title: 'G', gcpType: 'SINGLE', geoPose: poseAt(3, 4) })).body
    const error = expect.stringContaining(`/api/gcp/${gcp.id}`)
    for (const caller of [maker, ops]) {
      expect(await caller.put(pinUrl(pin), { title: 'Moved' })).toMatchObject({ status: 409, body: { error } })
      expect(await caller.delete(pinUrl(pin))).toMatchObject({ status: 409, body: { error } })
    }
    expect((await stranger.delete(pinUrl(pin))).status).toBe(403)
    expect(await readPin(pin)).toEqual(pin)
    await maker.delete(`/api/gcp/${gcp.id}`)
    expect((await maker.get(pinUrl(pin))).status).toBe(404)
  })

  test('without an owner is done by ops only', async () => {
    const leaver = await buildersOn(service).user()
    const pin = await newPin({}, leaver)
    expect((await leaver.delete('/api/v1/user')).status).toBe(204)
    expect((await stranger.put(pinUrl(pin), { title: 'Mine' })).status).toBe(403)
    expect(await ops.put(pinUrl(pin), { title: 'Kept' })).toMatchObject({
      status: 200,
      body: { userId: null, title: 'Kept' },
    })
  })
})
