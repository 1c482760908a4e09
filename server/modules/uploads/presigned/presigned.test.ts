import { createHash } from 'node:crypto'
import { request as send } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { boxGlb, png } from '../../../test/content/glb.ts'
import { rawForm } from '../../../test/multipart.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

const MAX = 1_000_000
let service: Service
let sql: Sql

beforeAll(async () => {
  service = await startService({ CAIRN_UPLOAD_MAX_BYTES: String(MAX) })
  sql = sqlOn(service)
})
afterAll(() => service.stop())

type Announced = { fileName?: string; contentType?: string; fileSize?: number; direct?: boolean }

async function announce(announced: Announced = {}, caller = service.anonymous) {
  const { status, body } = await caller.post('/api/upload/presigned', {
    fileName: 'notes.txt',
    contentType: 'text/plain',
    ...announced,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body as { uploadUrl: string; key: string; url: string; fileId: number; headers: Record<string, string> }
}

const put = (url: string, bytes: Uint8Array | string, type = 'text/plain'): Promise<Answer> =>
  service.request('PUT', url, bytes, { 'content-type': type })

/** The content of the storage, including partial objects. */
const stored = () => service.objectsKept()

describe('POST /api/upload/presigned', () => {
  test('returns an upload URL, a key and the URL of the file, which is 404 until it is uploaded', async () => {
    const { status, body } = await service.anonymous.post('/api/upload/presigned', {
      fileName: 'a.png',
      contentType: 'image/png',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      uploadUrl: expect.stringMatching(`^${service.url}/files/.+[?]`),
      key: expect.stringMatching(/^[a-z0-9]{2}\/[\w-]{22}\.png$/),
      url: `${service.url}/files/${body.key}`,
      fileId: expect.any(Number),
      headers: { 'content-type': 'image/png' },
      expiresAt: expect.any(String),
    })
    expect((await service.anonymous.get(body.url)).status).toBe(404)
    expect((await service.anonymous.get(`/api/download?url=${encodeURIComponent(body.url)}`)).status).toBe(404)
  })

  test.each([
    ['without a name', { contentType: 'image/png' }, ['fileName']],
    ['without a type', { fileName: 'a.png' }, ['contentType']],
    ['with an invalid type', { fileName: 'a.png', contentType: 'picture' }, ['contentType']],
    ['with a size of zero', { fileName: 'a.png', contentType: 'image/png', fileSize: 0 }, ['fileSize']],
    ['direct without a size', { fileName: 'a.png', contentType: 'image/png', direct: true }, ['fileSize']],
  ])('%s: 400 that names the member', async (_what, body, path) => {
    const answer = await service.anonymous.post('/api/upload/presigned', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.map((issue: { path: string[] }) => issue.path)).toEqual([path])
  })

  test('a file above the limit: 413', async () => {
    const announced = { fileName: 'a.png', contentType: 'image/png', fileSize: MAX + 1 }
    expect((await service.anonymous.post('/api/upload/presigned', announced)).status).toBe(413)
  })

  test.each([
    ['image/png', 'a.svg', 'png'],
    ['IMAGE/JPEG', 'a', 'jpg'],
    ['image/jpg', 'a.png', 'jpg'],
    ['application/octet-stream', 'chair.glb', 'glb'],
    ['application/octet-stream', 'room.arworld', 'arworld'],
    ['application/octet-stream', 'page.html', 'bin'],
    ['image/svg+xml', 'a.svg', 'bin'],
    ['text/html; charset=utf-8', 'a.png', 'bin'],
    ['application/x-unknown', '../../etc/passwd', 'bin'],
  ])('%s named %s is stored as %s', async (contentType, fileName, extension) => {
    expect((await announce({ contentType, fileName })).key).toMatch(new RegExp(`\\.${extension}$`))
  })
})

describe('PUT to the upload URL', () => {
  test('stores the bytes: the same record, download and conversion as for any upload', async () => {
    const glb = boxGlb()
    const { uploadUrl, url, fileId } = await announce({ fileName: 'chair.glb', contentType: 'model/gltf-binary' })
    const { status, body, headers } = await put(uploadUrl, glb, 'model/gltf-binary')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      url,
      fileId,
      fileName: 'chair.glb',
      fileSize: glb.length,
      mimeType: 'model/gltf-binary',
      arWorldUrl: null,
    })
    const served = await fetch(url)
    expect(headers.get('etag')).toBe(served.headers.get('etag'))
    expect(served.headers.get('content-type')).toBe('model/gltf-binary')
    expect(Buffer.from(await served.arrayBuffer())).toEqual(Buffer.from(glb))
    const [row] = await sql<{ sha256: string }>('select sha256 from files where id = $1', [fileId])
    expect(row!.sha256).toBe(createHash('sha256').update(glb).digest('hex'))
    expect((await service.anonymous.get(`/api/download?url=${encodeURIComponent(url)}`)).status).toBe(200)
    expect((await service.anonymous.post(`/api/upload/${fileId}/converted_file`)).body.convertedFile.fileType).toBe(
      'USDZ',
    )
  })

  test('assigns the file to the user of the announcement, without a session on the PUT', async () => {
    const user = await buildersOn(service).user()
    const { uploadUrl, fileId } = await announce({}, user)
    expect((await put(uploadUrl, 'hello')).status).toBe(200)
    expect(await sql('select user_id from files where id = $1', [fileId])).toEqual([{ user_id: user.id }])
  })

  test('returns the URL of an AR World file as arWorldUrl too', async () => {
    const type = 'application/octet-stream'
    const { uploadUrl, url } = await announce({ fileName: 'room.worldmap', contentType: type })
    expect((await put(uploadUrl, 'a saved world', type)).body.arWorldUrl).toBe(url)
  })

  test('stores an HTML page as a binary download, with any announced type', async () => {
    const { uploadUrl, url } = await announce({ fileName: 'a.html', contentType: 'text/html' })
    await put(uploadUrl, '<script>alert(1)</script>', 'text/html')
    const { headers } = await fetch(url)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
  })

  const changes: [string, (address: URL) => void][] = [
    ['no signature', (address) => address.searchParams.delete('signature')],
    ['another size', (address) => address.searchParams.set('size', String(MAX * 2))],
    ['another type', (address) => address.searchParams.set('type', 'text/html')],
    ['a later expiry', (address) => address.searchParams.set('expires', String(Date.now()))],
    ['another key', (address) => (address.pathname = address.pathname.replace(/.{4}\.bin$/, 'AAAA.bin'))],
    ['a download signature', (address) => address.searchParams.set('signature', 'x'.repeat(43))],
  ]
  test.each(changes)('with %s: 403, and nothing is stored', async (_what, change) => {
    const { uploadUrl } = await announce()
    const before = await stored()
    const address = new URL(uploadUrl)
    change(address)
    expect((await put(address.href, 'hello')).status).toBe(403)
    expect(await stored()).toEqual(before)
  })

  test('after its expiry: 403', async () => {
    const { key } = await announce()
    const expires = Math.floor(Date.now() / 1000) - 1
    const { createSecrets } = await import('../../../platform/credentials/secrets.ts')
    const { signedUrls } = await import('../../files/objects/signed-url.ts')
    const { sign } = signedUrls({
      objects: undefined as never,
      secrets: createSecrets('a secret of the tests, long enough'),
    })
    const address = (end: number) => {
      const signature = sign({ method: 'PUT', key, expires: end, type: 'text/plain', size: MAX })
      return `/files/${key}?expires=${end}&type=text%2Fplain&size=${MAX}&signature=${signature}`
    }
    expect((await put(address(expires), 'hello')).status).toBe(403)
    expect((await put(address(expires + 100), 'hello')).status).toBe(200)
  })

  test('with another Content-Type than announced: 415; a charset added by the browser is accepted', async () => {
    const { uploadUrl } = await announce()
    expect((await put(uploadUrl, 'hello', 'image/png')).status).toBe(415)
    expect((await put(uploadUrl, 'hello', 'text/plain;charset=UTF-8')).status).toBe(200)
  })

  test('with content of another type than announced: 400 that names both, and nothing is stored', async () => {
    const { uploadUrl } = await announce({ fileName: 'a.png', contentType: 'image/png' })
    const before = await stored()
    const { status, body } = await put(uploadUrl, boxGlb(), 'image/png')
    expect(status).toBe(400)
    expect(body.error).toMatch(/image\/png.*model\/gltf-binary/)
    expect((await put(uploadUrl, '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png')).status).toBe(400)
    expect(await stored()).toEqual(before)
    expect((await put(uploadUrl, png, 'image/png')).status).toBe(200)
  })

  test('larger than the limit: 413 with or without a length, empty: 400; then the file is accepted', async () => {
    const { uploadUrl } = await announce()
    const before = await stored()
    expect((await put(uploadUrl, new Uint8Array(MAX + 1))).status).toBe(413)
    expect((await putInPieces(uploadUrl, [Buffer.alloc(MAX), Buffer.alloc(1)])).status).toBe(413)
    expect((await put(uploadUrl, '')).status).toBe(400)
    expect(await stored()).toEqual(before)
    expect((await putInPieces(uploadUrl, [Buffer.alloc(MAX)])).status).toBe(200)
  })

  test('without a length is cut off at the limit', async () => {
    const { uploadUrl } = await announce()
    const status = await new Promise<number>((resolve, reject) => {
      const request = send(uploadUrl, { method: 'PUT', headers: { 'content-type': 'text/plain' } }, (answer) => {
        resolve(answer.statusCode!)
        request.destroy()
      })
      request.on('error', reject)
      const more = () => void (request.destroyed || request.write(Buffer.alloc(65_536), more))
      more()
    })
    expect(status).toBe(413)
  })

  test('of an announced size requires exactly that size', async () => {
    const { uploadUrl } = await announce({ fileSize: 5 })
    const before = await stored()
    expect((await put(uploadUrl, 'four')).status).toBe(400)
    expect((await put(uploadUrl, 'sixsix')).status).toBe(413)
    expect((await putInPieces(uploadUrl, [Buffer.from('four')])).status).toBe(400)
    expect(await stored()).toEqual(before)
    expect((await put(uploadUrl, 'fives')).status).toBe(200)
  })

  test('a second time: 409, and the first is unchanged', async () => {
    const { uploadUrl, url } = await announce()
    expect((await put(uploadUrl, 'first')).status).toBe(200)
    expect((await put(uploadUrl, 'second')).status).toBe(409)
    expect((await service.anonymous.get(url)).body).toBe('first')
  })

  test('of many at once, one is accepted and the others are 409', async () => {
    const { uploadUrl } = await announce()
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => put(uploadUrl, `number ${at}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
  })

  test('interrupted leaves nothing, and can be repeated', async () => {
    const { uploadUrl, url } = await announce()
    const before = await stored()
    await new Promise<void>((resolve) => {
      const request = send(uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain', 'content-length': 500_000 },
      })
      request.on('error', () => resolve())
      request.write(Buffer.alloc(200_000), () => setTimeout(() => request.destroy(), 100))
    })
    await expect.poll(stored).toEqual(before)
    expect((await service.anonymous.get(url)).status).toBe(404)
    expect((await put(uploadUrl, 'whole')).status).toBe(200)
  })

  test('from a browser of another origin is allowed, and exposes its ETag', async () => {
    const { uploadUrl } = await announce()
    const origin = 'https://game.example'
    const preflight = await service.request('OPTIONS', uploadUrl, undefined, {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
    const { headers } = await service.request('PUT', uploadUrl, 'hello', { origin, 'content-type': 'text/plain' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toContain('etag')
  })

  test('refuses a form as a file of the announced type', async () => {
    const { uploadUrl } = await announce({ fileName: 'a.png', contentType: 'image/png' })
    expect((await put(uploadUrl, rawForm([{ bytes: 'x' }]), 'image/png')).status).toBe(400)
  })
})

/** A body without a length. */
async function putInPieces(url: string, pieces: Buffer[], type = 'text/plain'): Promise<{ status: number }> {
  async function* bytes() {
    for (const piece of pieces) {
      yield piece
      await sleep(20)
    }
  }
  const { status } = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: ReadableStream.from(bytes()) as NonNullable<RequestInit['body']>,
    duplex: 'half',
  } as RequestInit)
  return { status }
}
