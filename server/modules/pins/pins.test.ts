import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

const { WGS84 } = geodesic.Geodesic
let service: Service
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

/** Runs a statement on the service's database. */
const query = async (text: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  return client.query(text, values).finally(() => client.end())
}

const near = (query: Record<string, string | number>) =>
  `/api/location/pins?${new URLSearchParams(query as Record<string, string>)}`
const pinAt = async (latitude: number, longitude: number, fields: object = {}, caller: Caller = user) => {
  const { status, body } = await caller.post('/api/location/pins', {
    title: 'Pin',
    contentType: 'TEXT',
    latitude,
    longitude,
    ...fields,
  })
  expect(status).toBe(201)
  return body
}

describe('pins', () => {
  test('a new pin has every member, null if not given', async () => {
    const created = await pinAt(52.5, 13.25, {
      geoPose: { position: { lat: 52.5, lon: 13.25, h: 34.5 }, angles: { yaw: 400, pitch: -1, roll: 0 } },
    })
    expect(created).toEqual({
      id: expect.any(Number),
      title: 'Pin',
      latitude: 52.5,
      longitude: 13.25,
      geoPose: { position: { lat: 52.5, lon: 13.25, h: 34.5 }, angles: { yaw: 400, pitch: -1, roll: 0 } },
      contentType: 'TEXT',
      contentUrl: null,
      localizationData: null,
      zoneId: null,
      gcpId: null,
      userId: user.id,
      visibility: 'public',
      relocalizationPhotoUrl: null,
      relocalizationTags: null,
      scanInstructions: null,
      cameraPoseHint: null,
      blockchainSignature: null,
      blockchainTxUrl: null,
      blockchainSyncedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
    })
    expect((await service.anonymous.get(`/api/location/pins/${created.id}`)).body).toEqual(created)
  })

  test('a pose gives a pin its coordinates; a pose that contradicts the coordinates is 400', async () => {
    const geoPose = { position: { lat: 1.5, lon: 2.5, h: 0 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
    const { body } = await user.post('/api/location/pins', { title: 'P', contentType: 'GLB', geoPose })
    expect(body).toMatchObject({ latitude: 1.5, longitude: 2.5 })
    for (const [fields, path] of [
      [{ latitude: 1.5, longitude: 2.6, geoPose }, 'geoPose'],
      [{ latitude: 1.5 }, 'longitude'],
      [{}, 'latitude'],
      [{ latitude: 91, longitude: 0 }, 'latitude'],
      [{ latitude: 1, longitude: 1, visibility: 'secret' }, 'visibility'],
      [{ latitude: 1, longitude: 1, contentUrl: 'javascript:alert(1)' }, 'contentUrl'],
      [{ latitude: 1, longitude: 1, zoneId: 987654 }, 'zoneId'],
    ] as const) {
      const answer = await user.post('/api/location/pins', { title: 'P', contentType: 'GLB', ...fields })
      expect([answer.status, answer.body.error[0].path[0]]).toEqual([400, path])
    }
  })

  test('a camera pose hint has at most 4 KB, the nesting of any body, and only texts', async () => {
    const hint = { position: { x: 0, y: 0, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } }
    const post = async (more: string) => {
      const pin = { title: 'P', contentType: 'GLB', latitude: 1, longitude: 1, cameraPoseHint: { ...hint, more: 0 } }
      const answer = await fetch(`${service.url}/api/location/pins`, {
        method: 'POST',
        headers: { ...user.headers, 'content-type': 'application/json' },
        body: JSON.stringify(pin).replace('"more":0', `"more":${more}`),
      })
      return { status: answer.status, body: await answer.json() }
    }
    expect(await post('["kept"]')).toMatchObject({ status: 201, body: { cameraPoseHint: { ...hint, more: ['kept'] } } })
    const large = [{ code: 'custom', message: 'cameraPoseHint may take 4 KB at most', path: ['cameraPoseHint'] }]
    expect(await post(`"${'x'.repeat(4096)}"`)).toMatchObject({ status: 400, body: { error: large } })
    const deep = [{ message: 'is nested more than 50 deep' }]
    expect(await post(`${'['.repeat(50)}${']'.repeat(50)}`)).toMatchObject({ status: 400, body: { error: deep } })
    for (const more of ['"\\u0000"', '"\\ud83d"']) expect((await post(more)).status).toBe(400)
    expect((await post('"\\\\u0000 is no U+0000"')).status).toBe(201)
  })

  test('writing requires a session, and an invalid one is refused before the body is read', async () => {
    expect((await service.anonymous.post('/api/location/pins', {})).status).toBe(401)
    expect((await service.as({ authorization: 'Bearer x' }).get('/api/location/pins?lat=x')).status).toBe(401)
  })

  test('private pins are visible to their owner only, unlisted ones to anyone with the ID', async () => {
    const other = await buildersOn(service).user()
    const mine = await pinAt(-10, 20, { visibility: 'private', title: 'private' })
    const unlisted = await pinAt(-10, 20, { visibility: 'unlisted' })
    const found = async (caller: Caller) =>
      (await caller.get(near({ lat: -10, lon: 20 }))).body.pins.map(({ id }: { id: number }) => id)
    expect(await found(user)).toEqual([mine.id])
    expect(await found(other)).toEqual([])
    expect(await found(service.anonymous)).toEqual([])
    const path = (pin: { id: number }) => `/api/location/pins/${pin.id}`
    expect((await service.anonymous.get(path(unlisted))).status).toBe(200)
    expect((await user.get(path(mine))).status).toBe(200)
    expect(await other.get(path(mine))).toMatchObject({ status: 404, body: { error: 'Pin not found' } })
    expect((await service.anonymous.get('/api/location/pins/abc')).status).toBe(400)
    expect((await service.anonymous.get('/api/location/pins/99999999')).status).toBe(404)
  })
})

describe('pins around a point', () => {
  test('parameters are validated strictly; an error names its parameter', async () => {
    for (const [query, path] of [
      ['lon=1', 'lat'],
      ['lat=91&lon=1', 'lat'],
      ['lat=1&lon=181', 'lon'],
      ['lat=12,5&lon=1', 'lat'],
      ['lat=&lon=1', 'lat'],
      ['lat=NaN&lon=1', 'lat'],
      ['lat=1&lat=2&lon=1', 'lat'],
      ['lat=1&lon=1e', 'lon'],
      ['lat=1&lon=Infinity', 'lon'],
      ['lat=1&lon=1&radius=-1', 'radius'],
      ['lat=1&lon=1&radius=100000.1', 'radius'],
      ['lat=1&lon=1&limit=0', 'limit'],
      ['lat=1&lon=1&limit=1001', 'limit'],
      ['lat=1&lon=1&contentType=FOO', 'contentType'],
      ['lat=1&lon=1&zoneId=x', 'zoneId'],
    ]) {
      const { status, body } = await service.anonymous.get(`/api/location/pins?${query}`)
      expect([query, status, body.error?.[0]?.path]).toEqual([query, 400, [path]])
    }
    for (const query of [
      'lat=90&lon=180',
      'lat=-90.0&lon=-180',
      'lat=1e1&lon=%2B2.5&radius=0',
      'lat=1&lon=1&radius=100000',
    ]) {
      expect((await service.anonymous.get(`/api/location/pins?${query}`)).status).toBe(200)
    }
  })

  test('filters apply before the limit; nearest first, ties by ID', async () => {
    const zone = (await user.post('/api/zones', { title: 'Z' })).body.id
    const made = []
    for (const [i, contentType] of ['GLB', 'TEXT', 'GLB', 'TEXT', 'GLB'].entries()) {
      made.push((await pinAt(30 + (5 - i) * 1e-4, 40, { contentType, ...(i > 2 && { zoneId: zone }) })).id)
    }
    const tie = (await pinAt(30 + 1e-4, 40)).id
    // Updated rows move to the end of the table and its indexes: their order is not that of the IDs.
    for (const to of ['null', zone]) await query(`update pins set zone_id = ${to} where id = ${made[4]}`)
    await service.app.pinIndex.caughtUp()
    const ids = async (query: object) =>
      (await service.anonymous.get(near({ lat: 30, lon: 40, ...query }))).body.pins.map(({ id }: { id: number }) => id)
    expect(await ids({})).toEqual([made[4], tie, made[3], made[2], made[1], made[0]])
    expect(await ids({ contentType: 'GLB', limit: 2 })).toEqual([made[4], made[2]])
    expect(await ids({ zoneId: zone })).toEqual([made[4], made[3]])
    expect(await ids({ limit: 1 })).toEqual([made[4]])
    expect(await ids({ radius: 33 })).toEqual([made[4], tie, made[3]])
  })

  test('a radius of 0 matches the exact point, and 180 and -180 are one meridian', async () => {
    const { id } = await pinAt(-17.5, 180)
    await pinAt(-17.5, 179.99999)
    const { body } = await service.anonymous.get(near({ lat: -17.5, lon: -180, radius: 0 }))
    expect(body.pins).toMatchObject([{ id, distance: 0, longitude: 180 }])
  })

  test('are the pins whose geodesic is within the radius, anywhere on earth', {
    tags: ['long'],
    timeout: 120_000,
  }, async () => {
    const anywhere = fc.record({
      latitude: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(90, -90, 89.9999, -86, 0)),
      longitude: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(180, -180, 179.9999, 0)),
    })
    const offset = fc.record({
      azimuth: fc.double({ min: 0, max: 360, noNaN: true }),
      length: fc.oneof(
        fc.double({ min: 0, max: 110_000, noNaN: true }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        fc.constantFrom(0, 1000, 999.999, 1000.001),
      ),
    })
    const client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
    await fc.assert(
      fc.asyncProperty(
        anywhere,
        fc.array(offset, { maxLength: 40 }),
        fc.oneof(fc.double({ min: 0, max: 100_000, noNaN: true }), fc.constantFrom(0, 1000, 100_000)),
        fc.integer({ min: 1, max: 45 }),
        async (centre, offsets, radius, limit) => {
          await client.query('delete from pins')
          const points = offsets.map(({ azimuth, length }) => {
            const end = WGS84.Direct(centre.latitude, centre.longitude, azimuth, length)
            return [end.lat2!, end.lon2!] as const
          })
          const { rows } = await client.query(
            `insert into pins (title, content_type, latitude, longitude)
             select 'p', 'TEXT', t.latitude, t.longitude from unnest($1::float8[], $2::float8[]) as t (latitude, longitude)
             returning id, latitude, longitude`,
            [points.map(([latitude]) => latitude), points.map(([, longitude]) => longitude)],
          )
          await service.app.pinIndex.caughtUp()
          const expected = rows
            .map((pin) => ({
              id: Number(pin.id),
              distance: WGS84.Inverse(centre.latitude, centre.longitude, pin.latitude, pin.longitude).s12!,
            }))
            .sort((a, b) => a.distance - b.distance || a.id - b.id)
          const surely = expected.filter(({ distance }) => distance <= radius - 1e-5).slice(0, limit)
          const perhaps = expected.filter(({ distance }) => distance <= radius + 1e-5)
          const { body } = await service.anonymous.get(
            near({ lat: centre.latitude, lon: centre.longitude, radius, limit }),
          )
          const found: { id: number; distance: number }[] = body.pins
          expect(found.length).toBeGreaterThanOrEqual(surely.length)
          expect(found.length).toBeLessThanOrEqual(Math.min(limit, perhaps.length))
          for (const [i, pin] of found.entries()) {
            // Two pins at almost equal distances may be in either order.
            expect(Math.abs(pin.distance - expected[i]!.distance)).toBeLessThan(1e-5)
            expect(Math.abs(pin.distance - expected.find(({ id }) => id === pin.id)!.distance)).toBeLessThan(1e-5)
            const before = found[i - 1]
            if (before)
              expect(before.distance < pin.distance || (before.distance === pin.distance && before.id < pin.id)).toBe(
                true,
              )
          }
        },
      ),
      { numRuns: 400 },
    )
    await client.end()
  })

  test('inserting pins along a line does not degrade the index', async () => {
    const pages = async () =>
      Number((await query(`select pg_relation_size('pins_place') / 8192 as pages`)).rows[0].pages)
    const before = await pages()
    await query(`insert into pins (title, content_type, latitude, longitude)
      select 'p', 'TEXT', 10 + i * 1e-4, 20 from generate_series(1, 2000) as i`)
    expect((await pages()) - before).toBeLessThan(100)
  })

  test('numbers too small for the database to multiply count as 0', async () => {
    const { id } = await pinAt(1e-317, -1e-300)
    const { body } = await service.anonymous.get(near({ lat: 1e-200, lon: 0, radius: 0 }))
    expect(body.pins.map((pin: { id: number }) => pin.id)).toContain(id)
  })
})
