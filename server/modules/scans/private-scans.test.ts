import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { convertBy } from '../../test/content/conversions.ts'
import { boxGlb } from '../../test/content/glb.ts'
import { jpeg } from '../../test/content/pictures.ts'
import { sendScan, settledScan, uploadOf } from '../../test/content/scans.ts'
import { formOf } from '../../test/multipart.ts'
import { tusOn } from '../../test/network/tus.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

const PATH = '/api/v1/user/scans'

let service: Service
let owner: Caller & { id: string }
let stranger: Caller
let ops: Caller
beforeAll(async () => {
  service = await startService()
  const given = buildersOn(service)
  owner = await given.user()
  stranger = await given.user()
  ops = await given.user({ roles: ['ops'] })
})
afterAll(() => service.stop())

/** The URL without its signature. */
const plain = (address: string) => address.replace(/\?.*$/, '')

type Shown = { fileId: number; scanUrl: string; previewImageUrl: string; usdzUrl: string; id: string }
const model = boxGlb()
let scan: Shown

/** Every operation that shows the file of a scan, its preview or its USDZ, as one caller sees it. */
async function looks(caller: Caller) {
  const bytes: Record<string, number> = {}
  for (const member of ['scanUrl', 'previewImageUrl', 'usdzUrl'] as const) {
    const address = plain(scan[member])
    bytes[`GET ${member}`] = (await caller.get(address)).status
    bytes[`HEAD ${member}`] = (await service.request('HEAD', address, undefined, caller.headers)).status
    const tagged = { ...caller.headers, 'if-none-match': '*' }
    bytes[`cached ${member}`] = (await service.request('GET', address, undefined, tagged)).status === 304 ? 200 : 404
    bytes[`download ${member}`] = (await caller.get(`/api/download?url=${encodeURIComponent(address)}`)).status
  }
  return {
    ...bytes,
    conversion: (await caller.get(`/api/upload/convert?fileId=${scan.fileId}`)).status,
    converted: (await caller.post(`/api/upload/${scan.fileId}/converted_file`)).status,
    stream: await firstOf(caller, `/api/upload/${scan.fileId}/stream`),
  }
}

async function firstOf(caller: Caller, path: string): Promise<number> {
  const cut = new AbortController()
  const { status } = await fetch(service.url + path, { headers: caller.headers, signal: cut.signal })
  cut.abort()
  return status
}

const all = (status: number, seen: Record<string, number>) =>
  Object.fromEntries(Object.keys(seen).map((key) => [key, status]))

describe('a private scan', () => {
  beforeAll(async () => {
    const { body } = await sendScan(owner, { name: 'room.glb', bytes: model })
    scan = await settledScan(owner, body.id)
  })

  test('answers 404 to everyone but its owner and ops on every operation', async () => {
    for (const caller of [service.anonymous, stranger]) {
      const seen = await looks(caller)
      expect(seen).toEqual(all(404, seen))
    }
    for (const caller of [owner, ops]) {
      const seen = await looks(caller)
      expect(seen).toEqual(all(200, seen))
    }
  })

  test('is readable through its signed URL, and no shared cache stores it', async () => {
    for (const address of [scan.scanUrl, scan.previewImageUrl, scan.usdzUrl]) {
      const { status, headers } = await service.anonymous.get(address)
      expect(status).toBe(200)
      expect(headers.get('content-disposition')).toMatch(/^inline/)
      expect(headers.get('cache-control')).toMatch(/^private/)
      for (const wrong of [
        address.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        address.replace(/expires=\d/, 'expires=9'),
      ])
        expect((await service.anonymous.get(wrong)).status).toBe(403)
    }
    const other = scan.scanUrl.replace(/^.*\?/, `${plain(scan.previewImageUrl)}?`)
    expect((await service.anonymous.get(other)).status).toBe(403)
    const { body } = await owner.get(`/api/download?url=${encodeURIComponent(scan.scanUrl)}`)
    expect((await service.anonymous.get(body.downloadUrl)).status).toBe(200)
  })

  test('becomes public and private again with immediate effect', async () => {
    const shown = await owner.patch(`${PATH}/${scan.id}`, { visibility: 'public' })
    expect(shown.body.scanUrl).toBe(plain(scan.scanUrl))
    const seen = await looks(service.anonymous)
    expect(seen).toEqual(all(200, seen))
    const { headers } = await service.anonymous.get(plain(scan.scanUrl))
    // Objects that may become private are not cached for a year.
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    await owner.patch(`${PATH}/${scan.id}`, { visibility: 'private' })
    const hidden = await looks(stranger)
    expect(hidden).toEqual(all(404, hidden))
  })

  test('stays private when another user sends the same bytes; their copy and its USDZ are public', async () => {
    const { body } = await convertBy(stranger, { name: 'mine.glb', bytes: model })
    const { originalFile, convertedFile } = body
    for (const address of [originalFile.fileUrl, convertedFile.fileUrl])
      expect((await service.anonymous.get(address)).status).toBe(200)
    expect((await service.anonymous.get(`/api/upload/convert?fileId=${originalFile.id}`)).status).toBe(200)

    for (const address of [scan.scanUrl, scan.previewImageUrl])
      expect((await stranger.get(plain(address))).status).toBe(404)
    expect((await stranger.get(`/api/upload/convert?fileId=${scan.fileId}`)).status).toBe(404)

    const { body: other } = await sendScan(stranger, { name: 'again.glb', bytes: model })
    expect((await owner.get(plain(other.scanUrl))).status).toBe(404)
    await stranger.delete(`${PATH}/${other.id}`)
    expect((await service.anonymous.get(convertedFile.fileUrl)).status).toBe(200)
  })
})

describe('the file of a private scan', () => {
  test('cannot be used by a ground control point, and no record shows it', async () => {
    const photo = { name: 'room.jpg', bytes: await jpeg(64, 48) }
    const sent = await owner.post('/api/upload/gcp-photos', formOf({ field: 'files', ...photo }))
    const { id: fileId, fileUrl } = sent.body.files[0]
    expect((await owner.post(PATH, { fileId })).status).toBe(201)
    for (const caller of [owner, stranger]) {
      const gcp = { title: 'Point', gcpType: 'SINGLE', uploadedFileIds: [fileId] }
      expect(await caller.post('/api/gcp', gcp)).toMatchObject({
        status: 400,
        body: { error: [{ path: ['uploadedFileIds', 0] }] },
      })
    }
    const named = await stranger.post('/api/gcp', { title: 'Named', gcpType: 'SINGLE', photoUrls: [fileUrl] })
    expect(named.status).toBe(201)
    expect(named.body.gcp.uploadedFiles).toEqual([])
    const { body } = await stranger.get(`/api/upload/gcp-photos?gcpId=${named.body.gcp.id}`)
    expect(body.files).toEqual([])
    expect((await stranger.get(fileUrl)).status).toBe(404)
    expect((await stranger.delete(`/api/gcp/${named.body.gcp.id}`)).status).toBe(204)
    expect((await owner.get(fileUrl)).status).toBe(200)
  })

  test('and its USDZ cannot be imported by another user', async () => {
    const zone = (await stranger.post('/api/zones', { title: 'Mine' })).body
    const points = await sendScan(owner, { name: 'points.csv', bytes: 'name,lat,lon\nP,1,2\n' })
    const sent = await sendScan(owner, { name: 'other.glb', bytes: boxGlb() })
    const { usdzUrl, previewImageUrl } = await settledScan(owner, sent.body.id)
    for (const address of [points.body.scanUrl, usdzUrl, previewImageUrl]) {
      const asked = { fileName: 'a.csv', fileUrl: plain(address), zoneId: zone.id }
      expect((await stranger.post('/api/gcp/upload', asked)).status).toBe(400)
    }
  })

  test("is hidden from the sender of a tus upload without a session once it is another user's scan", async () => {
    const sender = tusOn(service)
    const begun = await sender.begin(5)
    const { pathname } = new URL(begun.headers.get('location')!)
    await sender.patch(pathname, 0, 'hello')
    const { body } = await service.anonymous.get(pathname)
    expect((await owner.post(PATH, { fileId: body.result.fileId })).status).toBe(201)
    for (const caller of [service.anonymous, stranger]) {
      expect((await caller.get(pathname)).status).toBe(404)
      const headers = { ...caller.headers, 'tus-resumable': '1.0.0' }
      expect((await service.request('HEAD', pathname, undefined, headers)).status).toBe(404)
    }
    expect((await owner.get(pathname)).status).toBe(200)
  })

  test("cannot become another user's scan; nor can a USDZ that a conversion made", async () => {
    const { body } = await convertBy(owner, { name: 'box.glb', bytes: boxGlb() })
    for (const fileId of [scan.fileId, body.convertedFile.id])
      expect((await stranger.post(PATH, { fileId })).status).toBe(400)
  })
})

describe('files that another user names by URL', () => {
  /** A scan with its USDZ that was public once, so that another user knows its URLs, and has pins that name it. */
  async function named() {
    const user = await buildersOn(service).user()
    const sent = await sendScan(user, { name: 'once.glb', bytes: boxGlb() }, { visibility: 'public' })
    const shown = await settledScan(user, sent.body.id)
    const addresses: string[] = [shown.scanUrl, shown.previewImageUrl, shown.usdzUrl]
    for (const contentUrl of addresses) {
      const pin = { title: 'Mine', latitude: 1, longitude: 2, contentType: 'OTHER', contentUrl }
      expect((await stranger.post('/api/location/pins', pin)).status).toBe(201)
    }
    await user.patch(`${PATH}/${shown.id}`, { visibility: 'private' })
    const statuses = () => Promise.all(addresses.map(async (one) => (await stranger.get(one)).status))
    expect(await statuses()).toEqual([404, 404, 404])
    return { user, shown, statuses, kept: await service.objectsKept() }
  }

  test('are deleted with the private scan, not published', async () => {
    const { user, shown, statuses, kept } = await named()
    expect((await user.delete(`${PATH}/${shown.id}`)).status).toBe(204)
    expect(await statuses()).toEqual([404, 404, 404])
    expect((await service.objectsKept()).length).toBe(kept.length - 3)
  })

  test('are deleted with the erased owner, not published', async () => {
    const { user, statuses, kept } = await named()
    expect((await user.delete('/api/v1/user')).status).toBe(204)
    expect(await statuses()).toEqual([404, 404, 404])
    expect((await service.objectsKept()).length).toBe(kept.length - 3)
  })

  test('close at once also for download URLs from when the scan was public', async () => {
    const user = await buildersOn(service).user()
    const sent = await sendScan(user, { name: 'open.glb', bytes: boxGlb() }, { visibility: 'public' })
    const shown = await settledScan(user, sent.body.id)
    const addressFor = async (caller: Caller, url: string) =>
      (await caller.get(`/api/download?url=${encodeURIComponent(url)}`)).body.downloadUrl as string
    const urls: string[] = [shown.scanUrl, shown.previewImageUrl, shown.usdzUrl]
    const theirs = await Promise.all(urls.map((url) => addressFor(stranger, url)))
    const before = await service.anonymous.get(theirs[0]!)
    expect([before.status, before.headers.get('content-disposition')]).toEqual([200, expect.stringMatching('open.glb')])
    await user.patch(`${PATH}/${shown.id}`, { visibility: 'private' })
    for (const address of theirs) {
      expect((await service.anonymous.get(address)).status).toBe(404)
      expect((await user.get(address)).status).toBe(200)
      // It does not grant the other kind of URL either.
      const { pathname, searchParams } = new URL(address)
      const [expires, signature] = [searchParams.get('expires'), searchParams.get('signature')]
      expect(
        (
          await service.anonymous.get(
            `${pathname}?${new URLSearchParams({ expires: expires!, signature: signature! })}`,
          )
        ).status,
      ).toBe(403)
    }
    for (const url of urls) expect((await service.anonymous.get(await addressFor(user, url))).status).toBe(200)
  })
})

test('erasing a user deletes their scans with files, previews and USDZ; the export includes them', async () => {
  const given = buildersOn(service)
  const kept = await service.objectsKept()
  const user = await given.user()
  const { fileId } = await uploadOf(service.anonymous, { name: 'own.glb', bytes: boxGlb() })
  const made = await user.post(PATH, { fileId, visibility: 'public', title: 'Export me' })
  const shown = await settledScan(user, made.body.id)
  const zip = Buffer.from(
    await (await fetch(`${service.url}/api/v1/user/export`, { headers: user.headers })).arrayBuffer(),
  )
  for (const part of ['scans.json', `files/${fileId}/own.glb`]) expect(zip.includes(part)).toBe(true)
  expect((await user.delete('/api/v1/user')).status).toBe(204)
  expect(await sqlOn(service)('select id from scans where id = $1', [shown.id])).toEqual([])
  expect(await service.objectsKept()).toEqual(kept)
})
