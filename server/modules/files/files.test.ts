import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { boxGlb, png } from '../../test/content/glb.ts'
import { type FormPart, formHeaders, formOf, rawForm } from '../../test/multipart.ts'
import { type Service, startService } from '../../test/service.ts'

const MAX_BYTES = 100_000

let service: Service
let given: Builders
let database: pg.Client
beforeAll(async () => {
  service = await startService({ CAIRN_UPLOAD_MAX_BYTES: String(MAX_BYTES), CAIRN_UPLOAD_MAX_FILES: '4' })
  given = buildersOn(service)
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await service.stop()
})

const upload = (...parts: FormPart[]) => service.anonymous.post('/api/upload', formOf(...parts))
const sendRaw = (body: Uint8Array) => service.request('POST', '/api/upload', body, formHeaders)
const text = (content: string) => Buffer.from(content)

/** Everything kept: rows of files, objects in the folder (half-written ones too). */
async function kept() {
  const { rows } = await database.query<{ rows: string }>('select count(*) as rows from files')
  return { rows: Number(rows[0]!.rows), objects: (await service.objectsKept()).length }
}

const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers })

describe('upload', () => {
  test('a file is stored byte for byte, and the response describes it', async () => {
    const answer = await upload({ name: 'stone.png', type: 'text/plain', bytes: png })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'success',
        results: [
          {
            status: 'success',
            message: expect.any(String),
            url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/files\/.*\.png$/),
            fileId: expect.any(Number),
            fileName: 'stone.png',
            fileSize: png.length,
            mimeType: 'image/png',
            arWorldUrl: null,
          },
        ],
      },
    })
    const { url, fileId } = answer.body.results[0]
    expect(Number.isSafeInteger(fileId) && fileId > 0).toBe(true)
    expect(Buffer.from(await (await get(url)).arrayBuffer()).equals(png)).toBe(true)
  })

  test('`file` and `files` are taken together, in the order sent; other parts are passed over', async () => {
    const { body } = await upload(
      { field: 'files', name: 'a.txt', bytes: text('a') },
      { field: 'other', name: 'x.txt', bytes: text('x') },
      { field: 'file', name: 'b.png', bytes: png },
      { field: 'files', name: 'c.txt', bytes: text('c') },
    )
    expect(body.results.map(({ fileName }: { fileName: string }) => fileName)).toEqual(['a.txt', 'b.png', 'c.txt'])
  })

  test('a form without a file is 400, with any other parts', async () => {
    const form = new FormData()
    form.append('file', 'only text')
    for (const body of [form, formOf({ field: 'image', bytes: png }), undefined])
      expect(await service.anonymous.post('/api/upload', body)).toMatchObject({
        status: 400,
        body: { error: [{ path: ['file'] }] },
      })
    expect(await service.anonymous.post('/api/upload', { file: 'no form' })).toMatchObject({ status: 415 })
  })

  test('the type is found in the bytes; what is not on the list is plain bytes', async () => {
    const cases: [string, Buffer | Uint8Array, string, RegExp][] = [
      ['photo.jpg', png, 'image/png', /\.png$/],
      ['page.html', text('<!doctype html><script>alert(1)</script>'), 'application/octet-stream', /\.bin$/],
      ['a.svg', text('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'application/octet-stream', /\.bin$/],
    ]
    const { body } = await upload(...cases.map(([name, bytes]) => ({ name, type: 'text/html', bytes })))
    for (const [at, [, , mimeType, key]] of cases.entries())
      expect(body.results[at]).toMatchObject({ mimeType, url: expect.stringMatching(key) })
    const glb = await upload({ name: 'model', bytes: boxGlb() })
    expect(glb.body.results[0]).toMatchObject({ mimeType: 'model/gltf-binary', url: expect.stringMatching(/\.glb$/) })
  })

  test.each([
    ['.arworld', 'room.arworld', text('a map of ours')],
    ['.worldmap', 'room.worldmap', text('a map of ours')],
    ['.arexperience', 'Room.ARExperience', text('a map of ours')],
    ['NSKeyedArchiver content', 'room.dat', text('bplist00\xd4\x01\x02\x03\x04X$versionX$objectsY$archiverT$top')],
    ['NSKeyedArchiver content in XML', 'room', text('<?xml version="1.0"?><plist><dict><key>$archiver</key>')],
    ['.arworld that is compressed', 'room.arworld', gzipSync('a map of ours')],
    ['.arexperience that is a ZIP', 'room.arexperience', text('PK\x05\x06'.padEnd(22, '\0'))],
  ])('%s fills arWorldUrl as well, and is handed out as a download', async (_, name, bytes) => {
    const [result] = (await upload({ name, bytes })).body.results
    expect(result).toMatchObject({ status: 'success', arWorldUrl: result.url, mimeType: 'application/octet-stream' })
    const response = await get(result.url)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-disposition')).toContain('attachment')
  })

  test('other files have no arWorldUrl: not an image that is named so, nor a ZIP or a list of properties', async () => {
    const { body } = await upload(
      { name: 'room.arworld', bytes: png },
      { name: 'room.zip', bytes: text('PK\x05\x06'.padEnd(22, '\0')) },
      { name: 'room.plist', bytes: text('bplist00\xd0') },
      { name: 'arworld', bytes: text('a map of ours') },
    )
    for (const result of body.results) expect(result).toMatchObject({ status: 'success', arWorldUrl: null })
  })

  test('names are for display: folders and invisible marks go, and no name reaches the disk', async () => {
    const names = ['../../../etc/passwd', 'C:\\\\temp\\\\evil.exe', 'a\u202egpj.exe', '..', 'Höhle ☃.png']
    const shown: string[] = []
    for (const name of names) {
      const { body } = await sendRaw(rawForm([{ name, bytes: png }]))
      shown.push(body.results[0].fileName)
      expect(body.results[0].url).toMatch(/\/files\/[0-9a-f]{2}\/[\w-]{22}\.png$/)
    }
    expect(shown).toEqual(['passwd', 'evil.exe', 'agpj.exe', 'file', 'Höhle ☃.png'])
  })

  test('an empty or too large file is refused by itself; when all are too large it is 413, and nothing of them stays', async () => {
    const before = await kept()
    const large = new Uint8Array(MAX_BYTES + 1)
    const partial = await upload(
      { name: 'large.bin', bytes: large },
      { name: 'empty.txt', bytes: '' },
      { name: 'fits.bin', bytes: new Uint8Array(MAX_BYTES) },
    )
    expect(partial).toMatchObject({ status: 200, body: { status: 'partial' } })
    const [first, second, third] = partial.body.results
    for (const refused of [first, second])
      expect(refused).toMatchObject({ status: 'error', url: null, fileId: null, fileSize: 0, arWorldUrl: null })
    expect(first.message).toContain('larger than')
    expect(third).toMatchObject({ status: 'success', fileSize: MAX_BYTES })
    expect(await upload({ name: 'empty.txt', bytes: '' })).toMatchObject({ status: 200, body: { status: 'error' } })
    expect(await upload({ bytes: large })).toMatchObject({ status: 413, body: { error: expect.any(String) } })
    expect(await kept()).toEqual({ rows: before.rows + 1, objects: before.objects + 1 })
  })

  test('a form that is cut off, malformed or has too many files is refused and leaves nothing', async () => {
    const before = await kept()
    const two = [
      { name: 'a.png', bytes: png },
      { name: 'b.bin', bytes: new Uint8Array(50_000) },
    ]
    expect(await sendRaw(rawForm(two, { ending: '' }))).toMatchObject({ status: 400 })
    expect(await sendRaw(rawForm(two).subarray(0, 30_000))).toMatchObject({ status: 400 })
    expect(await service.request('POST', '/api/upload', 'x', { 'content-type': 'multipart/form-data' })).toMatchObject({
      status: 400,
    })
    const five = Array.from({ length: 5 }, () => ({ bytes: png }))
    expect(await upload(...five)).toMatchObject({ status: 413 })
    expect(await kept()).toEqual(before)
  })

  test('any mutated form gets a response, and every stored object has its record', {
    tags: ['long'],
  }, async () => {
    const form = Buffer.from(
      rawForm([
        { name: 'a.png', type: 'image/png', bytes: png },
        { field: 'files', name: 'b.bin', bytes: new Uint8Array(9000).fill(7) },
      ]),
    )
    const piece = fc.oneof(fc.constantFrom('\r\n', '--', '"', ';', '\0', 'a-boundary-of-the-tests'), fc.string())
    const change = fc.tuple(fc.nat(form.length), fc.nat(200), piece)
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const changed = changes.reduce(
          (bytes, [at, cut, text]) =>
            Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at + cut)]),
          form,
        )
        const { status, body } = await sendRaw(new Uint8Array(changed))
        expect([200, 400, 413]).toContain(status)
        if (status !== 200) expect(body).toEqual({ error: expect.anything() })
      }),
      { numRuns: 150 },
    )
    await expect.poll(async () => (await kept()).objects).toBe((await kept()).rows)
  })

  test('a sender that goes away in the middle leaves nothing', async () => {
    const before = await kept()
    const away = new AbortController()
    const start = rawForm([{ name: 'a.bin', bytes: new Uint8Array(60_000) }]).subarray(0, 40_000)
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(start),
      pull: () => new Promise<void>(() => {}),
    })
    const sent = fetch(`${service.url}/api/upload`, {
      method: 'POST',
      headers: formHeaders,
      body,
      duplex: 'half',
      signal: away.signal,
    } as RequestInit).catch((error) => error.name)
    await expect.poll(async () => (await kept()).objects).toBe(before.objects + 1)
    away.abort()
    expect(await sent).toBe('AbortError')
    await expect.poll(kept).toEqual(before)
  })

  test('with a session the file belongs to that user; a bad token is 401', async () => {
    const user = await given.user()
    const mine = await user.post('/api/upload', formOf({ bytes: png }))
    const anybodys = await upload({ bytes: png })
    const owner = async ({ body }: typeof mine) =>
      (await database.query('select user_id from files where id = $1', [body.results[0].fileId])).rows[0].user_id
    expect([await owner(mine), await owner(anybodys)]).toEqual([user.id, null])
    expect(
      await service.as({ authorization: 'Bearer nonsense' }).post('/api/upload', formOf({ bytes: png })),
    ).toMatchObject({ status: 401 })
  })
})
