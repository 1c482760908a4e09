import { createHash, randomBytes } from 'node:crypto'
import { readdir, stat, statfs, truncate } from 'node:fs/promises'
import { request as send } from 'node:http'
import { join } from 'node:path'
import { DetailedError } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { boxGlb, png } from '../../test/glb.ts'
import { type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'
import { metadata, tusClient, tusOn } from '../../test/tus.ts'

const ANONYMOUS = 1_000_000
const KNOWN = 4_000_000
let service: Service
let given: ReturnType<typeof givenOn>
let sql: ReturnType<typeof sqlOn>
let tus: ReturnType<typeof tusOn>

beforeAll(async () => {
  service = await startService({
    CAIRN_UPLOAD_MAX_BYTES: String(ANONYMOUS),
    CAIRN_RESUMABLE_MAX_BYTES: String(KNOWN),
    CAIRN_PUBLIC_URL: 'http://cairn.example',
  })
  given = givenOn(service)
  sql = sqlOn(service)
  tus = tusOn(service)
})
afterAll(() => service.stop())

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const spooled = () => readdir(join(service.folder, 'resumable')).catch(() => [])
const here = (address: string) => address.replace('http://cairn.example', service.url)

/** An upload that was begun, at the address where the test reaches it. */
async function begun(length: number | undefined, { by = tus, name = 'file.bin' } = {}) {
  const { status, headers, body } = await by.begin(length, { 'upload-metadata': metadata({ filename: name }) })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  const location = headers.get('location')!
  return { url: here(location), location, id: location.split('/').at(-1)! }
}

describe('an upload in pieces', () => {
  test('becomes the same file as one that is sent at once, and says which', async () => {
    const glb = Buffer.from(boxGlb())
    const { url, location, id } = await begun(glb.length, { name: '../models/chair.glb' })
    expect(location).toMatch(/^http:\/\/cairn\.example\/api\/upload\/tus\/[\w-]{22}$/)
    const first = await tus.patch(url, 0, glb.subarray(0, 100))
    expect(first.status).toBe(204)
    expect(first.headers.get('upload-offset')).toBe('100')
    expect(Date.parse(first.headers.get('upload-expires')!)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    const half = await tus.head(url)
    expect(half.headers.get('upload-offset')).toBe('100')
    expect(half.headers.get('upload-length')).toBe(String(glb.length))
    expect(half.headers.get('cache-control')).toBe('no-store')
    expect((await tus.state(url)).body).toEqual({
      id,
      status: 'uploading',
      uploadOffset: 100,
      uploadLength: glb.length,
      fileName: 'chair.glb',
      expiresAt: expect.any(String),
      result: null,
    })

    const last = await tus.patch(url, 100, glb.subarray(100))
    expect(last.status).toBe(204)
    const [fileId, address] = [Number(last.headers.get('upload-file-id')), last.headers.get('upload-file-url')!]
    const { status, result } = (await tus.state(url)).body
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
    expect(Buffer.from(await (await fetch(here(address))).arrayBuffer())).toEqual(glb)
    expect(await sql('select sha256 from files where id = $1', [fileId])).toEqual([{ sha256: sha256(glb) }])
    expect(await spooled()).toEqual([])
    const converted = await service.anonymous.post(`/api/upload/${fileId}/converted_file`)
    expect(converted.body.convertedFile.fileType).toBe('USDZ')
    const after = await tus.head(url)
    expect(after.headers.get('upload-offset')).toBe(String(glb.length))
    expect(after.headers.get('upload-file-id')).toBe(String(fileId))
    expect((await tus.patch(url, glb.length, '')).headers.get('upload-file-id')).toBe(String(fileId))
  })

  test('may send its first, or all, bytes with its beginning', async () => {
    const chunk = { 'content-type': 'application/offset+octet-stream' }
    const part = await tus.begin(10, chunk, 'hello')
    expect([part.status, part.headers.get('upload-offset')]).toEqual([201, '5'])
    const whole = await tus.begin(5, { ...chunk, 'upload-metadata': metadata({ name: 'a.txt' }) }, 'hello')
    expect(whole.status).toBe(201)
    const { result } = (await tus.state(here(whole.headers.get('location')!))).body
    expect(result).toMatchObject({ fileName: 'a.txt', fileSize: 5, mimeType: 'application/octet-stream' })
  })

  test('may say its length later, up to what is taken', async () => {
    const { url } = await begun(undefined)
    expect((await tus.head(url)).headers.get('upload-defer-length')).toBe('1')
    expect((await tus.patch(url, 0, 'hello')).status).toBe(204)
    expect((await tus.patch(url, 5, '', { 'upload-length': String(ANONYMOUS + 1) })).status).toBe(413)
    expect((await tus.patch(url, 5, '!', { 'upload-length': '6' })).headers.get('upload-file-id')).toMatch(/^\d+$/)

    const endless = await begun(undefined)
    expect((await tus.patch(endless.url, 0, new Uint8Array(ANONYMOUS + 1))).status).toBe(413)
    const empty = await begun(undefined)
    expect((await tus.patch(empty.url, 0, '', { 'upload-length': '0' })).status).toBe(400)
  })

  test('is found by what its bytes are, whatever it says it is', async () => {
    const { url } = await begun(png.length, { name: 'page.html' })
    await tus.patch(url, 0, png)
    expect((await tus.state(url)).body.result).toMatchObject({ mimeType: 'image/png', fileName: 'page.html' })
    const page = '<script>alert(1)</script>'
    const other = await begun(page.length, { name: 'page.png' })
    await tus.patch(other.url, 0, page)
    const { result } = (await tus.state(other.url)).body
    expect(result.mimeType).toBe('application/octet-stream')
    expect((await fetch(here(result.url))).headers.get('content-disposition')).toMatch(/^attachment/)
  })
})

test('a model too large to be converted in memory is kept, and told so when its conversion is asked for', async () => {
  const caller = tusOn(service, (await given.user()).headers)
  const model = Buffer.concat([boxGlb(), Buffer.alloc(2 * ANONYMOUS)])
  const { url } = await begun(model.length, { by: caller, name: 'city.glb' })
  const fileId = (await caller.patch(url, 0, model)).headers.get('upload-file-id')
  const { status, body } = await service.anonymous.post(`/api/upload/${fileId}/converted_file`)
  expect([status, body.error]).toEqual([400, expect.stringContaining(`${ANONYMOUS} bytes`)])
})

describe('what does not fit', () => {
  test.each([
    ['without Tus-Resumable', { 'tus-resumable': '' }, 412],
    ['of another version', { 'tus-resumable': '0.2.2' }, 412],
    ['of no bytes', { 'upload-length': '0' }, 400],
    ['of a length that is none', { 'upload-length': '-1' }, 400],
    ['larger than is taken without a credential', { 'upload-length': String(ANONYMOUS + 1) }, 413],
    ['as part of another', { 'upload-concat': 'partial' }, 400],
    ['with metadata that is none', { 'upload-metadata': 'filename ÿ' }, 400],
    ['with NUL in its metadata', { 'upload-metadata': metadata({ filename: 'a\0b' }) }, 400],
    ['with a first piece of another type', { 'content-type': 'text/plain' }, 415],
  ])('beginning one %s', async (_what, headers, status) => {
    const before = await spooled()
    const body = 'content-type' in headers ? 'hello' : undefined
    const answer = await tus.begin(10, headers as never, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ error: expect.any(String) })
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    if (status === 412) expect(answer.headers.get('tus-version')).toBe('1.0.0')
    expect(await spooled()).toEqual(before)
  })

  test('bytes at the wrong place are 409, more than were promised 413, and change nothing', async () => {
    const { url } = await begun(10)
    await tus.patch(url, 0, 'hello')
    expect((await tus.patch(url, 4, 'xxxxx')).status).toBe(409)
    expect((await tus.patch(url, 6, 'xxxx')).status).toBe(409)
    expect((await tus.patch(url, 5, 'more than five')).status).toBe(413)
    expect((await tus.patch(url, 5, 'x', { 'content-type': 'text/plain' })).status).toBe(415)
    expect(
      (
        await service.request('PATCH', url, 'x', {
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
        })
      ).status,
    ).toBe(400)
    expect((await tus.head(url)).headers.get('upload-offset')).toBe('5')
    expect((await tus.patch(url, 5, 'world')).status).toBe(204)
    const { result } = (await tus.state(url)).body
    expect(await (await fetch(here(result.url))).text()).toBe('helloworld')
  })

  test('more than the disk has room for: 507, before a byte is sent', async () => {
    const { bavail, bsize } = await statfs(service.folder)
    const free = bavail * bsize
    const full = await startService({
      CAIRN_DISK_RESERVE_BYTES: String(Math.floor(free / 2)),
      CAIRN_RESUMABLE_MAX_BYTES: String(2 ** 40),
    })
    const own = tusOn(full, (await givenOn(full).user()).headers)
    expect((await own.begin(Math.floor(free * 0.75))).status).toBe(507)
    expect((await own.begin(1000)).status).toBe(201)
    await full.stop()
  })

  test('an id that is none: 404', async () => {
    for (const id of ['x', 'A'.repeat(22), '..%2f..%2fsecret'])
      for (const ask of [tus.head, tus.state, tus.end]) expect((await ask(`/api/upload/tus/${id}`)).status).toBe(404)
  })

  test('with a session or an app key more is taken', async () => {
    for (const caller of [await given.user(), await given.app()]) {
      const own = tusOn(service, caller.headers)
      expect((await own.begin(KNOWN)).status).toBe(201)
      expect((await own.begin(KNOWN + 1)).status).toBe(413)
    }
  })
})

describe('whose upload it is', () => {
  test('begun with a session, it goes on with a session of the same user alone, and is that user’s file', async () => {
    const [user, stranger] = [await given.user(), await given.user()]
    const own = tusOn(service, user.headers)
    const { url } = await begun(5, { by: own })
    for (const other of [tus, tusOn(service, stranger.headers), tusOn(service, (await given.app()).headers)]) {
      expect((await other.head(url)).status).toBe(404)
      expect((await other.state(url)).status).toBe(404)
      expect((await other.patch(url, 0, 'hello')).status).toBe(404)
      expect((await other.end(url)).status).toBe(404)
    }
    const fileId = Number((await own.patch(url, 0, 'hello')).headers.get('upload-file-id'))
    expect(await sql('select user_id from files where id = $1', [fileId])).toEqual([{ user_id: user.id }])
  })

  test('begun with an app key, it goes on with that app’s', async () => {
    const [app, other] = [await given.app(), await given.app()]
    const own = tusOn(service, app.headers)
    const { url } = await begun(5, { by: own })
    expect((await tusOn(service, other.headers).head(url)).status).toBe(404)
    expect((await tus.head(url)).status).toBe(404)
    expect((await own.patch(url, 0, 'hello')).status).toBe(204)
  })

  test('a credential that is none is 401', async () => {
    expect((await tusOn(service, { authorization: 'Bearer none' }).begin(5)).status).toBe(401)
    expect((await tusOn(service, { 'x-app-api-key': 'none' }).begin(5)).status).toBe(401)
  })

  test('what a user began goes with the user', async () => {
    const user = await given.user()
    const { id } = await begun(5, { by: tusOn(service, user.headers) })
    await user.delete('/api/v1/user')
    expect(await sql('select from resumable_uploads where id = $1', [id])).toEqual([])
  })
})

describe('an upload that does not end', () => {
  test('is given up by DELETE: then it is 404, and its bytes are gone', async () => {
    const { url, id } = await begun(10)
    await tus.patch(url, 0, 'hello')
    expect((await tus.end(url)).status).toBe(204)
    expect((await tus.head(url)).status).toBe(404)
    expect((await tus.patch(url, 5, 'world')).status).toBe(404)
    expect(await spooled()).not.toContain(id)
  })

  test('cannot be given up once it is a file', async () => {
    const { url } = await begun(5)
    await tus.patch(url, 0, 'hello')
    expect((await tus.end(url)).status).toBe(409)
    expect((await tus.state(url)).body.result.fileId).toEqual(expect.any(Number))
  })

  test('after 24 hours is 410, and then swept away', async () => {
    const { url, id } = await begun(10)
    await tus.patch(url, 0, 'hello')
    await sql(`update resumable_uploads set created_at = now() - interval '25 hours' where id = $1`, [id])
    expect((await tus.head(url)).status).toBe(410)
    expect((await tus.patch(url, 5, 'world')).status).toBe(410)
    await service.app.sweepUploads()
    expect((await tus.head(url)).status).toBe(404)
    expect(await spooled()).not.toContain(id)
  })

  test('one that was cut off in the middle of a piece goes on at once from where it stands', async () => {
    const bytes = randomBytes(600_000)
    const { url } = await begun(bytes.length)
    await new Promise<void>((resolve) => {
      const request = send(url, { method: 'PATCH', headers: { ...tus.chunk(0), 'content-length': bytes.length } })
      request.on('error', () => resolve())
      request.write(bytes.subarray(0, 300_000), () => setTimeout(() => request.destroy(), 100))
    })
    const offset = Number((await tus.head(url)).headers.get('upload-offset'))
    expect(offset).toBeGreaterThan(0)
    expect(offset).toBeLessThanOrEqual(300_000)
    const last = await tus.patch(url, offset, bytes.subarray(offset))
    expect(last.status).toBe(204)
    expect(await sql('select sha256 from files where id = $1', [last.headers.get('upload-file-id')])).toEqual([
      { sha256: sha256(bytes) },
    ])
  })

  test('a connection that stays open and sends nothing does not keep its sender from going on', async () => {
    const bytes = randomBytes(200_000)
    const { url } = await begun(bytes.length)
    const stuck = send(url, { method: 'PATCH', headers: { ...tus.chunk(0), 'content-length': bytes.length } })
    stuck.on('error', () => {})
    await new Promise<void>((resolve) => stuck.write(bytes.subarray(0, 50_000), () => resolve()))
    await expect.poll(async () => (await tus.state(url)).body.uploadOffset).toBe(50_000)
    expect((await tus.head(url)).headers.get('upload-offset')).toBe('50000')
    expect((await tus.patch(url, 50_000, bytes.subarray(50_000))).status).toBe(204)
    expect((await tus.state(url)).body.status).toBe('finished')
    stuck.destroy()
  })

  test('of many that send the same piece at once, each byte is kept once', async () => {
    const bytes = randomBytes(400_000)
    const { url } = await begun(bytes.length)
    const answers = await Promise.all(Array.from({ length: 6 }, () => tus.patch(url, 0, bytes)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]))
    const { result } = (await tus.state(url)).body
    expect(await sql('select sha256 from files where id = $1', [result.fileId])).toEqual([{ sha256: sha256(bytes) }])
  })
})

describe('a process that ends while an upload is made a file', () => {
  /** All bytes arrived, and the process ended before it did more. */
  async function whole(bytes: Uint8Array, name = 'a.txt') {
    const { url, id } = await begun(bytes.length, { name })
    await tus.patch(url, 0, bytes.subarray(0, -1))
    const { appendFile } = await import('node:fs/promises')
    await appendFile(join(service.folder, 'resumable', id), bytes.subarray(-1))
    return { url, id }
  }
  const text = Buffer.from('hello')

  test.each([
    ['HEAD', async (url: string) => (await tus.head(url)).headers.get('upload-file-id')],
    ['the next PATCH', async (url: string) => (await tus.patch(url, 5, '')).headers.get('upload-file-id')],
    ['GET', async (url: string) => String((await tus.state(url)).body.result.fileId)],
  ])('is healed by %s', async (_what, ask) => {
    const { url, id } = await whole(text)
    const fileId = await ask(url)
    expect(await sql('select sha256 from files where id = $1', [fileId])).toEqual([{ sha256: sha256(text) }])
    expect(await spooled()).not.toContain(id)
  })

  test('also when the object was stored already, and when many ask at once', async () => {
    const { url, id } = await whole(Buffer.from(png), 'a.png')
    const answers = await Promise.all(Array.from({ length: 5 }, () => tus.head(url)))
    expect(new Set(answers.map(({ headers }) => headers.get('upload-file-id'))).size).toBe(1)
    // Back to the moment before the record was written.
    const [{ file_id: fileId }] = (await sql<{ file_id: number }>(
      'select file_id from resumable_uploads where id = $1',
      [id],
    )) as [{ file_id: number }]
    await sql('delete from files where id = $1', [fileId])
    await sql('update resumable_uploads set finished_at = null where id = $1', [id])
    const { writeFile } = await import('node:fs/promises')
    await writeFile(join(service.folder, 'resumable', id), png)
    expect((await tus.head(url)).headers.get('upload-file-id')).toBe(String(fileId))
    expect(await sql('select sha256 from files where id = $1', [fileId])).toEqual([{ sha256: sha256(png) }])
  })

  test('and what is swept was made a file before, if it was whole', async () => {
    const { id } = await whole(Buffer.from(`swept ${randomBytes(8).toString('hex')}`))
    await sql(`update resumable_uploads set created_at = now() - interval '25 hours' where id = $1`, [id])
    const count = async () => (await sql<{ count: number }>('select count(*) from files'))[0]!.count
    const before = await count()
    await service.app.sweepUploads()
    expect(await count()).toBe(before + 1)
    expect(await spooled()).not.toContain(id)
  })

  test('the bytes of an upload that nobody knows are swept away, once they are old', async () => {
    const { utimes, writeFile } = await import('node:fs/promises')
    const [old, fresh] = ['O'.repeat(22), 'F'.repeat(22)]
    for (const id of [old, fresh]) await writeFile(join(service.folder, 'resumable', id), 'left')
    await utimes(join(service.folder, 'resumable', old), new Date(0), new Date(0))
    await service.app.sweepUploads()
    expect(await spooled()).toContain(fresh)
    expect(await spooled()).not.toContain(old)
  })
})

describe('for browsers and clients', () => {
  const origin = 'https://game.example'

  test('OPTIONS tells what is spoken here, as a preflight and alone', async () => {
    for (const path of ['/api/upload/tus', `/api/upload/tus/${'A'.repeat(22)}`])
      for (const headers of [
        {},
        {
          origin,
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'tus-resumable,upload-offset',
        },
      ] as Record<string, string>[]) {
        const answer = await service.request('OPTIONS', path, undefined, headers)
        expect(answer.status).toBe(204)
        expect(answer.headers.get('tus-version')).toBe('1.0.0')
        expect(answer.headers.get('tus-extension')).toBe(
          'creation,creation-with-upload,creation-defer-length,termination,expiration',
        )
        expect(answer.headers.get('tus-max-size')).toBe(String(KNOWN))
        if (headers.origin)
          expect(answer.headers.get('access-control-allow-headers')).toBe('tus-resumable,upload-offset')
      }
  })

  test('answers can be read by pages of other origins, and carry what every answer does', async () => {
    const { headers } = await tus.begin(5, { origin })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const exposed = headers.get('access-control-expose-headers')!.toLowerCase().split(/, ?/)
    for (const name of [
      'location',
      'upload-offset',
      'upload-length',
      'upload-expires',
      'upload-file-id',
      'upload-file-url',
      'tus-resumable',
    ])
      expect(exposed).toContain(name)
    expect(headers.get('x-request-id')).toBeTruthy()
    expect(headers.get('ratelimit')).toBeTruthy()
  })

  test('requests are measured like any others', async () => {
    await begun(5)
    const { body } = await service.anonymous.get('/metrics')
    expect(body).toMatch(/cairn_http_request_seconds_count\{method="POST",route="\/api\/upload\/tus",status="201"\}/)
  })

  test('an Idempotency-Key stands in nobody’s way', async () => {
    const key = { 'idempotency-key': 'the same for all' }
    const { status, headers } = await tus.begin(5, key)
    expect(status).toBe(201)
    expect((await tus.patch(here(headers.get('location')!), 0, 'hello', key)).status).toBe(204)
  })
})

describe('tus-js-client', () => {
  const local = { headers: { 'x-forwarded-host': 'evil.example' } }
  let own: Service
  beforeAll(async () => {
    own = await startService()
  })
  afterAll(() => own.stop())

  test('uploads in chunks, is broken off, and resumes a previous upload', async () => {
    const bytes = randomBytes(3_000_000)
    const remember = join(own.folder, 'uploads.json')
    const first = tusClient(own, bytes, {
      ...local,
      remember,
      chunkSize: 500_000,
      metadata: { filename: 'scan.bin' },
      onChunkComplete: (_size, accepted) => {
        if (accepted >= 1_000_000) void first.upload.abort()
      },
    })
    first.upload.start()
    await expect
      .poll(async () => (first.upload.url ? (await tusOn(own).state(first.upload.url)).body.uploadOffset : 0))
      .toBeGreaterThanOrEqual(1_000_000)

    const sent: number[] = []
    const second = tusClient(own, bytes, {
      remember,
      chunkSize: 500_000,
      onChunkComplete: (size) => sent.push(size),
    })
    const [previous] = await second.upload.findPreviousUploads()
    second.upload.resumeFromPreviousUpload(previous!)
    second.upload.start()
    await second.done
    expect(second.upload.url).toBe(first.upload.url)
    expect(sent.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2_000_000)
    const { result } = (await tusOn(own).state(second.upload.url!)).body
    expect(result.fileName).toBe('scan.bin')
    expect(sha256(Buffer.from(await (await fetch(result.url)).arrayBuffer()))).toBe(sha256(bytes))
  })

  test('ends an upload, and is told what is too large', async () => {
    const { upload } = tusClient(own, randomBytes(1000), { chunkSize: 100, onChunkComplete: () => void upload.abort() })
    upload.start()
    await expect.poll(() => upload.url).toBeTruthy()
    await upload.abort(true)
    expect((await tusOn(own).head(upload.url!)).status).toBe(404)

    const large = tusClient(own, randomBytes(10), { uploadSize: 2 ** 40 })
    large.upload.start()
    const error = (await large.done.catch((error: unknown) => error)) as DetailedError
    expect(error).toBeInstanceOf(DetailedError)
    expect(error.originalResponse!.getStatus()).toBe(413)
  })

  test('sends what it reads as a stream, without knowing how much', async () => {
    const { Readable } = await import('node:stream')
    const bytes = randomBytes(700_000)
    const stream = Readable.from([bytes.subarray(0, 300_000), bytes.subarray(300_000)], { objectMode: false })
    const { upload, done } = tusClient(own, stream as never, { uploadLengthDeferred: true, chunkSize: 200_000 })
    upload.start()
    await done
    const { result } = (await tusOn(own).state(upload.url!)).body
    expect(sha256(Buffer.from(await (await fetch(result.url)).arrayBuffer()))).toBe(sha256(bytes))
  })
})

test('an upload whose bytes are gone is 410', async () => {
  const { url, id } = await begun(10)
  await tus.patch(url, 0, 'hello')
  const path = join(service.folder, 'resumable', id)
  await truncate(path, 3)
  expect((await stat(path)).size).toBe(3)
  expect((await tus.head(url)).headers.get('upload-offset')).toBe('3')
  const { rm } = await import('node:fs/promises')
  await rm(path)
  expect((await tus.head(url)).status).toBe(410)
})
