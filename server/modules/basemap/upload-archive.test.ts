import { createHash } from 'node:crypto'
import { request as send } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { townArchive } from '../../test/basemap/town.ts'
import { buildersOn } from '../../test/builders.ts'
import { uploadOf } from '../../test/content/scans.ts'
import { metadata, tusOn } from '../../test/network/tus.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

const ARCHIVE = '/api/v1/box/basemap/archive'
const TOWN = townArchive({ lat: 54.32, lon: 10.13 })

let service: Service
let ops: Caller
beforeAll(async () => {
  service = await startService()
  ops = await buildersOn(service).user({ roles: ['ops'] })
})
afterAll(() => service.stop())

/** The basemap, once the archive has been read. */
async function basemap() {
  for (;;) {
    const { body } = await ops.get('/api/v1/box/basemap')
    if (body.file.state !== 'reading') return body
  }
}
const uploaded = async (caller: Caller, name: string, bytes: Buffer | string): Promise<number> =>
  (await uploadOf(caller, { name, bytes })).fileId

test('an uploaded archive is copied into the data folder and drawn, and its file can go', async () => {
  const fileId = await uploaded(ops, 'town.pmtiles', TOWN)
  expect((await ops.put(ARCHIVE, { fileId })).status).toBe(200)
  expect((await ops.delete(`/api/v1/user/files/${fileId}`)).status).toBe(204)
  expect(await basemap()).toMatchObject({ shown: 'file', file: { state: 'ready', bytes: TOWN.length } })
  const [entry] = (await ops.get('/api/v1/audit-log?action=basemap.archive_replaced')).body.entries
  expect(entry).toMatchObject({ subject: String(fileId), changes: { bytes: { from: null, to: TOWN.length } } })
})

test('an upload that breaks off in the middle continues where it stopped, and the archive is drawn byte for byte', async () => {
  const tus = tusOn(service, ops.headers)
  const archive = townArchive({ lat: 48.1, lon: 11.5 })
  const begun = await tus.begin(archive.length, { 'upload-metadata': metadata({ filename: 'town.pmtiles' }) })
  const url = new URL(begun.headers.get('location')!, service.url).href
  const headers = { ...tus.chunk(0), 'content-length': archive.length }
  const request = send(url, { method: 'PATCH', headers }).on('error', () => {})
  request.write(archive.subarray(0, archive.length / 2))
  await expect.poll(async () => (await tus.state(url)).body.uploadOffset).toBeGreaterThan(0)
  request.destroy()
  const offset = Number((await tus.head(url)).headers.get('upload-offset'))
  expect(offset).toBeGreaterThan(0)
  expect(offset).toBeLessThanOrEqual(archive.length / 2)
  const last = await tus.patch(url, offset, archive.subarray(offset))
  expect((await ops.put(ARCHIVE, { fileId: Number(last.headers.get('upload-file-id')) })).status).toBe(200)
  const { file } = await basemap()
  expect(file).toMatchObject({ state: 'ready', bytes: archive.length })
  const served = createHash('sha256').update(archive).digest('hex')
  const drawn = await fetch(`${service.url}/basemap/${served}.pmtiles`)
  expect(Buffer.from(await drawn.arrayBuffer()).equals(archive)).toBe(true)
})

test('a file that cannot be drawn, or is of somebody else, changes nothing', async () => {
  await ops.put(ARCHIVE, { fileId: await uploaded(ops, 'town.pmtiles', TOWN) })
  const notes = await ops.put(ARCHIVE, { fileId: await uploaded(ops, 'notes.pmtiles', 'no archive') })
  expect(notes).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^The file is not a PMTiles archive/) },
  })
  const stranger = await buildersOn(service).user()
  const theirs = await uploaded(stranger, 'theirs.pmtiles', TOWN)
  for (const fileId of [theirs, 999_999])
    expect(await ops.put(ARCHIVE, { fileId })).toMatchObject({ status: 400, body: { error: [{ path: ['fileId'] }] } })
  expect((await stranger.put(ARCHIVE, { fileId: theirs })).status).toBe(403)
  expect(await basemap()).toMatchObject({ shown: 'file', file: { state: 'ready', bytes: TOWN.length } })
})

test('ops delete the archive, and maps draw the bundled map', async () => {
  await ops.put(ARCHIVE, { fileId: await uploaded(ops, 'town.pmtiles', TOWN) })
  expect((await ops.delete(ARCHIVE)).status).toBe(204)
  expect(await basemap()).toMatchObject({ shown: 'none', file: { state: 'none' } })
  expect((await ops.delete(ARCHIVE)).status).toBe(404)
  const { entries } = (await ops.get('/api/v1/audit-log?action=basemap.archive_deleted')).body
  expect(entries).toMatchObject([{ subject: 'basemap' }])
})

test('while a setting names the archive, nobody replaces or deletes it through the API', async () => {
  const other = await startService({ CAIRN_BASEMAP: join(service.folder, 'elsewhere.pmtiles') })
  try {
    const operator = await buildersOn(other).user({ roles: ['ops'] })
    const fileId = (await uploadOf(operator, { name: 'town.pmtiles', bytes: TOWN })).fileId
    const { status, body } = await operator.put(ARCHIVE, { fileId })
    expect({ status, body }).toEqual({ status: 409, body: { error: expect.stringContaining('CAIRN_BASEMAP') } })
    expect((await operator.delete(ARCHIVE)).status).toBe(409)
  } finally {
    await other.stop()
  }
})
