import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { FetchSource, PMTiles } from 'pmtiles'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { townArchive } from '../../test/basemap/town.ts'
import { buildersOn } from '../../test/builders.ts'
import { runCommand } from '../../test/run-command.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

const MIDDLE = { lat: 54.323917, lon: 10.139402 }
const TOWN = townArchive(MIDDLE)
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const STYLE = 'https://tiles.example/styles/liberty'

let service: Service
let ops: Caller
let folder: string
beforeAll(async () => {
  service = await startService()
  ops = await buildersOn(service).user({ roles: ['ops'] })
  folder = join(service.folder, 'basemap')
})
afterEach(async () => {
  await ops.put('/api/v1/box/basemap', { source: null })
  await rm(folder, { recursive: true, force: true })
})
afterAll(() => service.stop())

const put = async (name: string, bytes: Buffer) => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), bytes)
}
/** The basemap, once the archive has been read. */
async function basemap() {
  for (;;) {
    const { body } = await ops.get('/api/v1/box/basemap')
    if (body.file.state !== 'reading') return body
  }
}
const settings = async () => (await service.anonymous.get('/console/settings.json')).body
const policy = async () => (await service.anonymous.get('/console/')).headers.get('content-security-policy')

describe('an archive in the data folder', () => {
  test('is drawn without a restart, and no longer once it is removed', async () => {
    expect(await basemap()).toMatchObject({ shown: 'none', file: { state: 'none' } })
    expect(await settings()).toMatchObject({ mapStyleUrl: null, mapArchive: null })
    await put('town.pmtiles', TOWN)
    expect(await basemap()).toMatchObject({
      shown: 'file',
      source: null,
      file: { state: 'ready', name: 'town.pmtiles', bytes: TOWN.length, minZoom: 0, maxZoom: 14 },
    })
    expect((await settings()).mapArchive).toEqual({
      url: `/basemap/${hashOf(TOWN)}.pmtiles`,
      attribution: 'An invented town',
    })
    await rm(join(folder, 'town.pmtiles'))
    expect(await basemap()).toMatchObject({ shown: 'none', file: { state: 'none' } })
  })

  test('is read by the library of PMTiles through ranges, and its tiles decode to the streets of the town', async () => {
    await put('town.pmtiles', TOWN)
    await basemap()
    const archive = new PMTiles(new FetchSource(`${service.url}/basemap/${hashOf(TOWN)}.pmtiles`))
    const x = Math.floor(((MIDDLE.lon + 180) / 360) * 2 ** 14)
    const y = Math.floor(((1 - Math.asinh(Math.tan((MIDDLE.lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** 14)
    const { data } = (await archive.getZxy(14, x, y))!
    const { roads } = new VectorTile(new PbfReader(data)).layers
    expect(Array.from({ length: roads!.length }, (_, i) => roads!.feature(i).properties.name)).toContain(
      'Cairn Row East',
    )
    expect(await archive.getZxy(14, 0, 0)).toBeUndefined()
  })

  test('is served with ranges, an ETag and for ever, as its path has the hash of its bytes', async () => {
    await put('town.pmtiles', TOWN)
    await basemap()
    const url = `${service.url}/basemap/${hashOf(TOWN)}.pmtiles`
    const whole = await fetch(url)
    expect(Buffer.from(await whole.arrayBuffer()).equals(TOWN)).toBe(true)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      etag: `"${hashOf(TOWN)}"`,
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
    })
    const part = await fetch(url, { headers: { range: 'bytes=0-6' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      ...[206, `bytes 0-6/${TOWN.length}`, 'PMTiles'],
    ])
    expect((await fetch(url, { headers: { range: `bytes=${TOWN.length}-` } })).status).toBe(416)
    expect((await fetch(url, { headers: { 'if-none-match': whole.headers.get('etag')! } })).status).toBe(304)
    expect((await fetch(`${service.url}/basemap/${'0'.repeat(64)}.pmtiles`)).status).toBe(404)
  })

  test('that is replaced has another path, and the former path is 404', async () => {
    await put('town.pmtiles', TOWN)
    await basemap()
    const other = townArchive({ lat: 1, lon: 2 })
    await put('town.pmtiles', other)
    expect((await basemap()).file.bounds[1]).toBeCloseTo(1, 1)
    expect((await settings()).mapArchive.url).toBe(`/basemap/${hashOf(other)}.pmtiles`)
    expect((await service.anonymous.get(`/basemap/${hashOf(TOWN)}.pmtiles`)).status).toBe(404)
  })

  test.each([
    ['is not a PMTiles archive', Buffer.from('GIF89a')],
    ['is a PMTiles archive of version 2', townArchive(MIDDLE, { 7: 2 })],
    ['its tiles are pictures', townArchive(MIDDLE, { 99: 2 })],
    ['compressed in a way that browsers do not read', townArchive(MIDDLE, { 98: 4 })],
    ['ends early', TOWN.subarray(0, TOWN.length - 1)],
    ['its directory cannot be unpacked', Buffer.concat([TOWN.subarray(0, 127), Buffer.alloc(TOWN.length)])],
  ])('that cannot be drawn is not, and says why: %s', async (fault, bytes) => {
    await put('broken.pmtiles', bytes)
    const { shown, file } = await basemap()
    expect({ shown, state: file.state }).toEqual({ shown: 'none', state: 'unusable' })
    expect(file.fault).toContain(fault)
    expect((await settings()).mapArchive).toBeNull()
  })
})

describe('what ops choose', () => {
  test('a style on another host is drawn at once, and the policy of the page allows its host alone', async () => {
    expect(await policy()).not.toContain('tiles.example')
    const { status, body } = await ops.put('/api/v1/box/basemap', { source: 'style', styleUrl: STYLE })
    expect([status, body.shown, body.styleUrl]).toEqual([200, 'style', STYLE])
    expect(await settings()).toMatchObject({ mapStyleUrl: STYLE, mapArchive: null })
    expect(await policy()).toContain("connect-src 'self' data: blob: http://127.0.0.1")
    expect((await policy())!.match(/https:\/\/\S+/g)).toEqual(
      ['https://tiles.example;', 'https://tiles.example'].map(() => expect.stringContaining('https://tiles.example')),
    )
    await ops.put('/api/v1/box/basemap', { source: 'none' })
    expect(await policy()).not.toContain('tiles.example')
  })

  test('the bundled map is drawn although there is an archive', async () => {
    await put('town.pmtiles', TOWN)
    await basemap()
    await ops.put('/api/v1/box/basemap', { source: 'none' })
    expect(await basemap()).toMatchObject({ shown: 'none', source: 'none', file: { state: 'ready' } })
    await ops.put('/api/v1/box/basemap', { source: 'file' })
    expect(await basemap()).toMatchObject({ shown: 'file', source: 'file' })
  })

  test('a choice is audited with the user who made it', async () => {
    await ops.put('/api/v1/box/basemap', { source: 'style', styleUrl: STYLE })
    const [entry] = await sqlOn(service)(
      `select subject, actor <> '' as "hasActor" from audit_log where action = 'basemap.chosen' order by id desc limit 1`,
    )
    expect(entry).toEqual({ subject: STYLE, hasActor: true })
  })

  test.each([
    [{ source: 'style' }, 'is required with the source "style"'],
    [{ source: 'file', styleUrl: STYLE }, 'is only for the source "style"'],
    [{ source: 'style', styleUrl: 'http://tiles.example/style.json' }, 'must be an https URL'],
    [{ source: 'style', styleUrl: 'https://me:secret@tiles.example/style.json' }, 'must be an https URL'],
    [{ source: 'style', styleUrl: "https://a;script-src'unsafe-inline'/style.json" }, 'must be an https URL'],
    [{ source: 'style', styleUrl: 'javascript:alert(1)' }, 'must be an https URL'],
  ])('refuses %j', async (body, message) => {
    const answer = await ops.put('/api/v1/box/basemap', body)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain(message.replaceAll('"', '\\"'))
  })
})

describe('cairn basemap', () => {
  const run = (...args: string[]) => runCommand(['basemap', ...args], { CAIRN_DATA_DIR: service.folder })

  test('add copies an archive under its hash in place of the one before; remove deletes it', {
    tags: ['long'],
  }, async () => {
    await put('old.pmtiles', townArchive({ lat: 1, lon: 2 }))
    const source = join(service.folder, 'source.pmtiles')
    await writeFile(source, TOWN)
    const { code, out } = await run('add', source, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ path: join(folder, `${hashOf(TOWN)}.pmtiles`), bytes: TOWN.length })
    expect(await basemap()).toMatchObject({ shown: 'file', file: { name: `${hashOf(TOWN)}.pmtiles` } })
    expect((await run('remove')).out).toContain('The basemap was removed')
    expect(await basemap()).toMatchObject({ shown: 'none', file: { state: 'none' } })
  })

  test('add refuses a file that cannot be drawn, and the archive before stays', { tags: ['long'] }, async () => {
    await put('town.pmtiles', TOWN)
    const source = join(service.folder, 'broken.pmtiles')
    await writeFile(source, townArchive(MIDDLE, { 99: 2 }))
    const { code, err } = await run('add', source)
    expect(code).toBe(1)
    expect(err).toContain('has no vector tiles')
    expect(await basemap()).toMatchObject({ shown: 'file', file: { name: 'town.pmtiles' } })
  })
})

test('CAIRN_BASEMAP names the archive, wherever it is', async () => {
  const path = join(service.folder, 'elsewhere.pmtiles')
  await writeFile(path, TOWN)
  const other = await startService({ CAIRN_BASEMAP: path })
  const reader = await buildersOn(other).user({ roles: ['ops'] })
  let body = (await reader.get('/api/v1/box/basemap')).body
  while (body.file.state === 'reading') body = (await reader.get('/api/v1/box/basemap')).body
  expect(body).toMatchObject({ shown: 'file', file: { name: 'elsewhere.pmtiles' } })
  await other.stop()
})
