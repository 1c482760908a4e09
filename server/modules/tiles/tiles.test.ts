import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { sendScan, settledScan } from '../../test/content/scans.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'
import { type ReadTile, readTile, tileAt } from '../../test/tiles/decode.ts'

const long = { tags: ['long'] }
let service: Service
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user({ roles: ['ops'] })
})
afterAll(() => service.stop())

const at = (longitude: number, latitude: number, z = 16) => tileAt(z, [longitude, latitude])
const read = (collection: string, tile: { z: number; x: number; y: number }, headers?: Record<string, string>) =>
  readTile(service.url, collection, tile, headers)
const titles = ({ features }: ReadTile) => features.map(({ properties }) => properties.title)
const pin = { title: 'Bell', contentType: 'GLB', latitude: 20.001, longitude: 30.001 }
const newPin = async (fields: object = {}) => (await user.post('/api/location/pins', { ...pin, ...fields })).body.id

describe('a change is in the next tile', () => {
  test('of a pin: made, changed, moved, hidden and deleted', async () => {
    const here = at(30.001, 20.001)
    expect(await read('pins', here)).toMatchObject({ status: 204, bytes: 0, features: [] })
    const id = await newPin()
    const [made] = (await read('pins', here)).features
    expect(made).toMatchObject({ id, properties: { title: 'Bell', contentType: 'GLB' } })
    await user.put(`/api/location/pins/${id}`, { title: 'Rope' })
    expect(titles(await read('pins', here))).toEqual(['Rope'])

    const there = at(31.001, 20.001)
    expect((await read('pins', there)).features).toEqual([])
    await user.put(`/api/location/pins/${id}`, { title: 'Rope', longitude: 31.001, latitude: 20.001 })
    expect((await read('pins', here)).features).toEqual([])
    expect(titles(await read('pins', there))).toEqual(['Rope'])
    expect(titles(await read('pins', at(31.001, 20.001, 3)))).toEqual(['Rope'])

    await user.put(`/api/location/pins/${id}`, { title: 'Rope', visibility: 'private' })
    expect((await read('pins', there)).features).toEqual([])
    await user.put(`/api/location/pins/${id}`, { title: 'Rope', visibility: 'public' })
    expect(titles(await read('pins', there))).toEqual(['Rope'])
    await user.delete(`/api/location/pins/${id}`)
    expect(await read('pins', there)).toMatchObject({ status: 204 })
  })

  test('of a ground control point: its place, its title and its tag', async () => {
    const geoPose = { position: { lat: 21.5, lon: 31.5, h: 2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
    const { body } = await user.post('/api/gcp', { title: 'Mark', gcpType: 'SINGLE', aprilTagId: 7, geoPose })
    const here = at(31.5, 21.5)
    expect((await read('gcps', here)).features).toMatchObject([
      { id: body.gcp.id, properties: { title: 'Mark', gcpType: 'SINGLE', aprilTagId: 7 } },
    ])
    await user.put(`/api/gcp/${body.gcp.id}`, { title: 'Bolt', gcpType: 'SINGLE', aprilTagId: 8 })
    expect((await read('gcps', here)).features).toMatchObject([{ properties: { title: 'Bolt', aprilTagId: 8 } }])
    await user.delete(`/api/gcp/${body.gcp.id}`)
    expect((await read('gcps', here)).features).toEqual([])
  })

  test('of a zone: made, changed and deleted', async () => {
    const square = (longitude: number) => ({
      type: 'Polygon',
      coordinates: [
        [
          [longitude, 22],
          [longitude + 0.01, 22],
          [longitude + 0.01, 22.01],
          [longitude, 22.01],
          [longitude, 22],
        ],
      ],
    })
    const here = at(32.005, 22.005, 14)
    expect(await read('zones', here)).toMatchObject({ status: 204 })
    const { body } = await user.post('/api/zones', { title: 'Park', boundary: square(32) })
    expect((await read('zones', here)).features).toMatchObject([{ id: body.id, properties: { title: 'Park' } }])
    await user.put(`/api/zones/${body.id}`, { title: 'Park', boundary: square(33) })
    expect((await read('zones', here)).features).toEqual([])
    expect(titles(await read('zones', at(33.005, 22.005, 14)))).toEqual(['Park'])
    await user.delete(`/api/zones/${body.id}`)
    expect((await read('zones', at(33.005, 22.005, 14))).features).toEqual([])
  })

  test('of more pins than the change feed names, which are read again before a tile is requested', long, async () => {
    const bytes = async () => {
      const { body } = await service.anonymous.get('/metrics')
      return Number(/^cairn_tile_bytes (\S+)/m.exec(body)![1])
    }
    const far = at(-40.001, -30.001)
    expect((await read('pins', far)).features).toEqual([])
    await sqlOn(service)(
      `insert into pins (title, content_type, latitude, longitude)
       select 'Many', 'TEXT', -30.001, -40.001 from generate_series(1, 50001)`,
    )
    await expect.poll(bytes).toBeGreaterThan(50_001 * 40)
    expect((await read('pins', far)).features).not.toEqual([])
    await sqlOn(service)("delete from pins where title = 'Many'")
  })

  test('of another process, as soon as the change feed reports it', async () => {
    const other = await startSecondService(service)
    try {
      const here = at(34.001, 24.001)
      expect(await readTile(other.url, 'pins', here)).toMatchObject({ status: 204 })
      await newPin({ longitude: 34.001, latitude: 24.001, title: 'Far' })
      await expect.poll(async () => titles(await readTile(other.url, 'pins', here))).toEqual(['Far'])
    } finally {
      await other.stop()
    }
  })
})

describe('a tile of scans', () => {
  const file = (name: string) => ({ name, bytes: `the scan ${name}` })

  test('has public scans alone, for callers with an app key, and no shared cache keeps it', async () => {
    const place = { lat: 25.001, long: 35.001 }
    const app = await buildersOn(service).app({ owner: user })
    const shown = await sendScan(user, file('oak.txt'), { ...place, title: 'Oak', visibility: 'public' })
    const hidden = await sendScan(user, file('elm.txt'), { ...place, title: 'Elm' })
    for (const { body } of [shown, hidden]) await settledScan(user, body.id)
    const here = at(35.001, 25.001)
    expect((await read('scans', here)).status).toBe(401)
    const features = async () => (await read('scans', here, app.headers)).features
    await expect.poll(features).toMatchObject([{ id: undefined, properties: { scanId: shown.body.id, title: 'Oak' } }])
    const { headers } = await app.get(`/ogc/collections/scans/tiles/WebMercatorQuad/${here.z}/${here.y}/${here.x}`)
    expect(headers.get('cache-control')).toBe('private, no-cache')
    await user.patch(`/api/v1/user/scans/${shown.body.id}`, { visibility: 'private' })
    await expect.poll(features).toEqual([])
  })
})

describe('a tile', () => {
  test('has an ETag by its content: 304 until something in it changes, 200 afterwards', async () => {
    const here = at(36.001, 26.001)
    await newPin({ longitude: 36.001, latitude: 26.001 })
    const first = await read('pins', here)
    expect(first).toMatchObject({ status: 200, etag: expect.stringMatching(/^"[\w-]+"$/) })
    const again = () => read('pins', here, { 'if-none-match': first.etag! })
    expect(await again()).toMatchObject({ status: 304, bytes: 0, etag: first.etag })
    await newPin({ longitude: 37.5, latitude: 26.001 })
    expect((await again()).status).toBe(304)
    await newPin({ longitude: 36.001, latitude: 26.001, title: 'Second' })
    expect(titles(await again()).sort()).toEqual(['Bell', 'Second'])
  })

  test.each([
    ['23/0/0', 404],
    ['0/1/0', 404],
    ['0/0/1', 404],
    ['3/8/0', 404],
    ['3/0/8', 404],
    ['99999999999/0/0', 404],
    ['3/-1/0', 400],
    ['3/0/1.5', 400],
    ['x/0/0', 400],
    ['3/0/0?f=png', 400],
    ['3/0/0?extent=512', 400],
  ])('%s is %i', async (path, status) => {
    expect((await service.anonymous.get(`/ogc/collections/pins/tiles/WebMercatorQuad/${path}`)).status).toBe(status)
  })

  test('of another collection or tile matrix set is 404', async () => {
    for (const path of ['players/tiles/WebMercatorQuad/0/0/0', 'pins/tiles/WorldCRS84Quad/0/0/0'])
      expect((await service.anonymous.get(`/ogc/collections/${path}`)).status).toBe(404)
  })

  test('of a collection that does not fit in CAIRN_TILE_BYTES is 503, which says so', async () => {
    const small = await startService({ CAIRN_TILE_BYTES: '40' })
    const owner = await buildersOn(small).user()
    await owner.post('/api/location/pins', pin)
    const { status, body } = await small.anonymous.get('/ogc/collections/pins/tiles/WebMercatorQuad/0/0/0')
    expect({ status, error: body.error }).toEqual({ status: 503, error: expect.stringContaining('CAIRN_TILE_BYTES') })
    await small.stop()
  })
})

describe('documents', () => {
  const get = async (url: string) => (await service.anonymous.get(url.replace(service.url, ''))).body
  type Linked = { links: { rel: string; href: string; templated?: boolean }[] }
  const linked = ({ links }: Linked, rel: string) => links.find((link) => link.rel.endsWith(rel))!.href

  test('lead from a collection to its tiles, its tile matrix set and its TileJSON', async () => {
    for (const id of ['pins', 'gcps', 'zones']) {
      const sets = await get(linked(await get(`/ogc/collections/${id}`), 'tilesets-vector'))
      const set = await get(linked(sets.tilesets[0], 'self'))
      expect(set).toEqual(sets.tilesets[0])
      const matrices = await get(linked(set, 'tiling-scheme'))
      expect(matrices.uri).toBe(set.tileMatrixSetURI)
      expect(matrices.tileMatrices[22]).toMatchObject({ id: '22', matrixWidth: 2 ** 22, matrixHeight: 2 ** 22 })
      const item = linked(set, 'item').replace('{tileMatrix}', '0').replace('{tileRow}', '0').replace('{tileCol}', '0')
      expect([200, 204]).toContain((await fetch(item)).status)
    }
  })

  test('the TileJSON is a vector source: its address, zoom levels and layer are those of the tiles', async () => {
    await newPin({ longitude: 38.001, latitude: 28.001 })
    const {
      tiles,
      minzoom,
      maxzoom,
      vector_layers: layers,
    } = await get('/ogc/collections/pins/tiles/WebMercatorQuad/tilejson')
    expect([minzoom, maxzoom, layers.length, layers[0].id]).toEqual([0, 22, 1, 'pins'])
    const { z, x, y } = at(38.001, 28.001, maxzoom)
    const url = tiles[0].replace('{z}', z).replace('{y}', y).replace('{x}', x)
    expect((await fetch(url)).headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile')
    const [feature] = (await read('pins', { z, x, y })).features
    expect(Object.keys(layers[0].fields)).toEqual(expect.arrayContaining(Object.keys(feature!.properties)))
  })

  test('the landing page names the tile matrix sets, and the conformance classes those of tiles', async () => {
    const sets = await get(linked(await get('/ogc'), 'tiling-schemes'))
    expect(sets.tileMatrixSets.map(({ id }: { id: string }) => id)).toEqual(['WebMercatorQuad'])
    expect((await get('/ogc/conformance')).conformsTo).toContain(
      'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/geodata-tilesets',
    )
  })
})
