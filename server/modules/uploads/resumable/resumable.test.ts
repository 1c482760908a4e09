import { statfs } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { boxGlb, png } from '../../../test/content/glb.ts'
import { ANONYMOUS, KNOWN, sha256, startResumable } from '../../../test/network/resumable.ts'
import { metadata, tusOn } from '../../../test/network/tus.ts'
import { startService } from '../../../test/service.ts'

let resumable: Awaited<ReturnType<typeof startResumable>>
beforeAll(async () => {
  resumable = await startResumable()
})
afterAll(() => resumable.service.stop())

describe('a resumable upload', () => {
  test('becomes the same file as a single upload, and returns it', { tags: ['long'] }, async () => {
    const glb = Buffer.from(boxGlb())
    const { url, location, id } = await resumable.begun(glb.length, { name: '../models/chair.glb' })
    expect(location).toMatch(/^http:\/\/cairn\.example\/api\/upload\/tus\/[\w-]{22}$/)
    const first = await resumable.tus.patch(url, 0, glb.subarray(0, 100))
    expect(first.status).toBe(204)
    expect(first.headers.get('upload-offset')).toBe('100')
    expect(Date.parse(first.headers.get('upload-expires')!)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    const half = await resumable.tus.head(url)
    expect(half.headers.get('upload-offset')).toBe('100')
    expect(half.headers.get('upload-length')).toBe(String(glb.length))
    expect(half.headers.get('cache-control')).toBe('no-store')
    expect((await resumable.tus.state(url)).body).toEqual({
      id,
      status: 'uploading',
      uploadOffset: 100,
      uploadLength: glb.length,
      fileName: 'chair.glb',
      expiresAt: expect.any(String),
      result: null,
    })

    const last = await resumable.tus.patch(url, 100, glb.subarray(100))
    expect(last.status).toBe(204)
    const [fileId, address] = [Number(last.headers.get('upload-file-id')), last.headers.get('upload-file-url')!]
    const { status, result } = (await resumable.tus.state(url)).body
    expect(status).toBe('finished')
    expect(result).toEqual({
      status: 'success',
      message: expect.any(String),
      url: address,
      fileId,
      fileName: 'chair.glb',
      fileSize: glb.length,
      mimeType: 'model/gltf-binary',
      arWorldUrl: null,
    })
    expect(Buffer.from(await (await fetch(resumable.here(address))).arrayBuffer())).toEqual(glb)
    expect(await resumable.sql('select sha256 from files where id = $1', [fileId])).toEqual([{ sha256: sha256(glb) }])
    expect(await resumable.spooled()).toEqual([])
    const converted = await resumable.service.anonymous.post(`/api/upload/${fileId}/converted_file`)
    expect(converted.body.convertedFile.fileType).toBe('USDZ')
    const after = await resumable.tus.head(url)
    expect(after.headers.get('upload-offset')).toBe(String(glb.length))
    expect(after.headers.get('upload-file-id')).toBe(String(fileId))
    expect((await resumable.tus.patch(url, glb.length, '')).headers.get('upload-file-id')).toBe(String(fileId))
  })

  test('accepts its first or all bytes with its creation', async () => {
    const chunk = { 'content-type': 'application/offset+octet-stream' }
    const part = await resumable.tus.begin(10, chunk, 'hello')
    expect([part.status, part.headers.get('upload-offset')]).toEqual([201, '5'])
    const whole = await resumable.tus.begin(5, { ...chunk, 'upload-metadata': metadata({ name: 'a.txt' }) }, 'hello')
    expect(whole.status).toBe(201)
    const { result } = (await resumable.tus.state(resumable.here(whole.headers.get('location')!))).body
    expect(result).toMatchObject({ fileName: 'a.txt', fileSize: 5, mimeType: 'application/octet-stream' })
  })

  test('continues by POST for clients that cannot send PATCH', async () => {
    const { url } = await resumable.begun(5)
    const asPatch = { ...resumable.tus.chunk(0), 'x-http-method-override': 'PATCH' }
    expect((await resumable.service.request('POST', url, 'hello', resumable.tus.chunk(0))).status).toBe(400)
    expect((await resumable.service.request('POST', url, 'hello', asPatch)).headers.get('upload-file-id')).toMatch(
      /^\d+$/,
    )
  })

  test('may state its length later, up to the limit', async () => {
    const { url } = await resumable.begun(undefined)
    expect((await resumable.tus.head(url)).headers.get('upload-defer-length')).toBe('1')
    expect((await resumable.tus.patch(url, 0, 'hello')).status).toBe(204)
    expect((await resumable.tus.patch(url, 5, '', { 'upload-length': String(ANONYMOUS + 1) })).status).toBe(413)
    expect((await resumable.tus.patch(url, 5, '!', { 'upload-length': '6' })).headers.get('upload-file-id')).toMatch(
      /^\d+$/,
    )

    const endless = await resumable.begun(undefined)
    expect((await resumable.tus.patch(endless.url, 0, new Uint8Array(ANONYMOUS + 1))).status).toBe(413)
    const empty = await resumable.begun(undefined)
    expect((await resumable.tus.patch(empty.url, 0, '', { 'upload-length': '0' })).status).toBe(400)
  })

  test('has the type of its bytes, not the declared one', async () => {
    const { url } = await resumable.begun(png.length, { name: 'page.html' })
    await resumable.tus.patch(url, 0, png)
    expect((await resumable.tus.state(url)).body.result).toMatchObject({ mimeType: 'image/png', fileName: 'page.html' })
    const page = '<script>alert(1)</script>'
    const other = await resumable.begun(page.length, { name: 'page.png' })
    await resumable.tus.patch(other.url, 0, page)
    const { result } = (await resumable.tus.state(other.url)).body
    expect(result.mimeType).toBe('application/octet-stream')
    expect((await fetch(resumable.here(result.url))).headers.get('content-disposition')).toMatch(/^attachment/)
  })
})

test('stores a model too large to convert, and says so when its conversion is requested', async () => {
  const caller = tusOn(resumable.service, (await resumable.given.user()).headers)
  const model = Buffer.concat([boxGlb(), Buffer.alloc(2 * ANONYMOUS)])
  const { url } = await resumable.begun(model.length, { by: caller, name: 'city.glb' })
  const fileId = (await caller.patch(url, 0, model)).headers.get('upload-file-id')
  const { status, body } = await resumable.service.anonymous.post(`/api/upload/${fileId}/converted_file`)
  expect([status, body.error]).toEqual([400, expect.stringContaining(`${ANONYMOUS} bytes`)])
})

describe('invalid requests', () => {
  test.each([
    ['without Tus-Resumable', { 'tus-resumable': '' }, 412],
    ['of another version', { 'tus-resumable': '0.2.2' }, 412],
    ['of zero bytes', { 'upload-length': '0' }, 400],
    ['of an invalid length', { 'upload-length': '-1' }, 400],
    ['of an invalid deferred length', { 'upload-length': '', 'upload-defer-length': '2' }, 400],
    ['larger than the limit without a credential', { 'upload-length': String(ANONYMOUS + 1) }, 413],
    ['as part of another', { 'upload-concat': 'partial' }, 400],
    ['with invalid metadata', { 'upload-metadata': 'filename ÿ' }, 400],
    ['with NUL in its metadata', { 'upload-metadata': metadata({ filename: 'a\0b' }) }, 400],
    ['with a first piece of another type', { 'content-type': 'text/plain' }, 415],
  ])('beginning one %s', async (_what, headers, status) => {
    const before = await resumable.spooled()
    const body = 'content-type' in headers ? 'hello' : undefined
    const answer = await resumable.tus.begin(10, headers as never, body)
    expect(answer.status).toBe(status)
    // More helpful than the library's "Invalid upload-length".
    expect(answer.body).toEqual({ error: expect.stringMatching(/(\S+ ){4}/) })
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    if (status === 412) expect(answer.headers.get('tus-version')).toBe('1.0.0')
    expect(await resumable.spooled()).toEqual(before)
  })

  test('bytes at the wrong offset are 409, more than announced 413, and change nothing', async () => {
    const { url } = await resumable.begun(10)
    await resumable.tus.patch(url, 0, 'hello')
    expect((await resumable.tus.patch(url, 4, 'xxxxx')).status).toBe(409)
    expect((await resumable.tus.patch(url, 6, 'xxxx')).status).toBe(409)
    expect((await resumable.tus.patch(url, 5, 'more than five')).status).toBe(413)
    expect((await resumable.tus.patch(url, 5, 'x', { 'content-type': 'text/plain' })).status).toBe(415)
    expect(
      (
        await resumable.service.request('PATCH', url, 'x', {
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
        })
      ).status,
    ).toBe(400)
    expect((await resumable.tus.head(url)).headers.get('upload-offset')).toBe('5')
    expect((await resumable.tus.patch(url, 5, 'world')).status).toBe(204)
    const { result } = (await resumable.tus.state(url)).body
    expect(await (await fetch(resumable.here(result.url))).text()).toBe('helloworld')
  })

  test('more than the free disk space: 507, before a byte is sent', async () => {
    const { bavail, bsize } = await statfs(resumable.service.folder)
    const free = bavail * bsize
    const full = await startService({
      CAIRN_DISK_RESERVE_BYTES: String(Math.floor(free / 2)),
      CAIRN_RESUMABLE_MAX_BYTES: String(2 ** 40),
    })
    const own = tusOn(full, (await buildersOn(full).user()).headers)
    expect((await own.begin(Math.floor(free * 0.75))).status).toBe(507)
    expect((await own.begin(1000)).status).toBe(201)
    await full.stop()
  })

  test('an invalid ID: 404', async () => {
    for (const id of ['x', 'A'.repeat(22), '..%2f..%2fsecret'])
      for (const ask of [resumable.tus.head, resumable.tus.state, resumable.tus.end])
        expect((await ask(`/api/upload/tus/${id}`)).status).toBe(404)
  })

  test('the limit is higher with a session or an app key', async () => {
    for (const caller of [await resumable.given.user(), await resumable.given.app()]) {
      const own = tusOn(resumable.service, caller.headers)
      expect((await own.begin(KNOWN)).status).toBe(201)
      expect((await own.begin(KNOWN + 1)).status).toBe(413)
    }
  })
})
