import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { boxGlb, png } from '../../../test/content/glb.ts'
import { formOf } from '../../../test/multipart.ts'
import { sha256 } from '../../../test/network/resumable.ts'
import { newBucket } from '../../../test/programs/s3/s3-bucket.ts'
import { type S3Server, startS3Server } from '../../../test/programs/s3/s3-server.ts'
import { type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'
import { importsOn, surveyRows } from '../../../test/surveying/imports.ts'

let s3: S3Server
let service: Service
beforeAll(async () => {
  s3 = await startS3Server()
  service = await startService(await newBucket(s3.url))
})
afterAll(async () => {
  await service.stop()
  await s3.stop()
})

const upload = (bytes: Uint8Array = png) => service.anonymous.post('/api/upload', formOf({ name: 'a.png', bytes }))
const LARGE = 64 * 1024 * 1024

/** Requests that need the storage, each by its status. */
async function statuses(url: string, fileId: number) {
  const sent = [
    upload(),
    service.anonymous.post('/api/upload/convert', formOf({ name: 'chair.glb', bytes: boxGlb() })),
    service.anonymous.get(url),
    service.request('GET', url, undefined, { range: 'bytes=0-9' }),
    service.anonymous.get(`/api/download?url=${encodeURIComponent(url)}`),
  ]
  const answers = await Promise.all(sent)
  for (const { status, body, headers } of answers)
    if (status === 503)
      expect([body, headers.get('retry-after')]).toEqual([
        { error: 'The file storage is not responding properly: try again' },
        '5',
      ])
  expect((await service.anonymous.get(`/api/upload/convert?fileId=${fileId}`)).status).toBe(200)
  return answers.map(({ status }) => status)
}

/** Requests that need only the database, and the readiness check of load balancers. */
async function others() {
  const given = buildersOn(service)
  const app = await given.app()
  await given.player(app)
  const [ready, healthy] = [await service.anonymous.get('/readyz'), await service.anonymous.get('/healthz')]
  return {
    ready: ready.status,
    objects: ready.body.checks.objects,
    database: ready.body.checks.database,
    healthy: healthy.status,
  }
}

const [all503, all200] = [Array(5).fill(503), [200, 200, 200, 206, 200]]
/** A small file that was read before is still in memory. */
const butRead = [503, 503, 200, 503, 503]
const away = { ready: 503, objects: 'failed', database: 'ok', healthy: 200 }
const here = { ready: 200, objects: 'ok', database: 'ok', healthy: 200 }

/** A gateway that has just started may be slow at first. */
const expectAll200 = (url: string, fileId: number) =>
  expect.poll(async () => [await statuses(url, fileId), await others()]).toEqual([all200, here])

test('without the storage, requests that need it are 503 and all others succeed; they recover with it', async () => {
  const { url, fileId } = (await upload()).body.results[0]
  await expectAll200(url, fileId)
  await s3.killGateway()
  expect(await statuses(url, fileId)).toEqual(butRead)
  await expect.poll(others).toEqual(away)
  await s3.startGateway()
  await expectAll200(url, fileId)
})

test('a storage that accepts connections but does not respond is 503 too', async () => {
  const { url, fileId } = (await upload()).body.results[0]
  s3.freezeGateway()
  try {
    expect(await statuses(url, fileId)).toEqual(all503)
    await expect.poll(others).toEqual(away)
  } finally {
    s3.thawGateway()
  }
  await expectAll200(url, fileId)
})

test('a storage that fails during a download aborts the response, so that clients detect the missing part', async () => {
  const { url } = (await upload(new Uint8Array(LARGE))).body.results[0]
  const reader = (await fetch(url)).body!.getReader()
  await reader.read()
  await s3.killGateway()
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  await expect(rest()).rejects.toThrow()
  await s3.startGateway()
  await expect.poll(others).toEqual(here)
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(LARGE)
})

test('a client that goes away ends the reading from the storage', async () => {
  const { url } = (await upload(new Uint8Array(LARGE))).body.results[0]
  const port = Number(new URL(s3.url).port)
  const leaving = new AbortController()
  const downloads = await Promise.all(Array.from({ length: 12 }, () => fetch(url, { signal: leaving.signal })))
  expect(downloads.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect(await connectionsTo(port)).toBeGreaterThanOrEqual(12)
  leaving.abort()
  await expect.poll(() => connectionsTo(port)).toBeLessThan(12)
  await expect.poll(others).toEqual(here)
})

test('what was announced, put to the storage and not used yet outlives a sweep while the storage is gone', async () => {
  const announced = { fileName: 'a.png', contentType: 'image/png', fileSize: png.length, direct: true }
  const { uploadUrl, fileId, headers } = (await service.anonymous.post('/api/upload/presigned', announced)).body
  expect((await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(png) })).status).toBe(200)
  await sqlOn(service)("update reservations set expires_at = now() - interval '2 hours'")
  await s3.killGateway()
  await expect(service.app.sweepUploads()).rejects.toThrow('The file storage is not responding')
  await s3.startGateway()
  await service.app.sweepUploads()
  expect((await service.anonymous.get(`/api/upload/convert?fileId=${fileId}`)).status).toBe(200)
})

test('a conversion waits for a storage that is away, however often it asks, and is made once that is back', async () => {
  const { body } = await service.anonymous.post('/api/upload', formOf({ name: 'chair.glb', bytes: boxGlb() }))
  const { fileId } = body.results[0]
  await s3.killGateway()
  const asked = service.anonymous.post(`/api/upload/${fileId}/converted_file`)
  const sql = sqlOn(service)
  const leaveOutWaits = () => sql(`update pgboss.job set start_after = now() where state in ('created', 'retry')`)
  const runs = `select (select count(*) from pgboss.job where data->>'sha256' = sha256 and state = 'completed') as count
                  from conversions join files using (sha256) where files.id = $1 and status <> 'FAILED'`
  // More often than a conversion may break off.
  await expect
    .poll(() => leaveOutWaits().then(() => sql<{ count: number }>(runs, [fileId])), { timeout: 100_000 })
    .toSatisfy(([row]) => row?.count > 4)
  await s3.startGateway()
  await leaveOutWaits()
  expect(await asked).toMatchObject({ status: 200, body: { convertedFile: { fileName: 'chair.usdz' } } })
})

test('an import that loses the storage resumes when it returns, and completes', async () => {
  const rows = 30_000
  const user = await buildersOn(service).user()
  const imports = importsOn(service, user)
  // Far more than what is on its way when the storage goes.
  const content = surveyRows(rows).replaceAll(',row', `,${'a long way '.repeat(50)}`)
  const { body } = await imports.send(await imports.zone(), await imports.stored(content))
  const sql = sqlOn(service)
  const job = async () =>
    (await sql<{ state: string }>(`select state from pgboss.job where data->>'uploadId' = $1`, [body.id]))[0]?.state
  await expect.poll(async () => (await imports.report(body.id)).summary.rows, { interval: 5 }).toBeGreaterThan(0)
  await s3.killGateway()
  await expect.poll(job).toBe('retry')
  expect((await user.get(`/api/gcp/upload/${body.id}`)).body).toMatchObject({
    status: 'PROCESSING',
    errorMessage: null,
  })
  await s3.startGateway()
  expect(await imports.ended(body.id)).toMatchObject({ status: 'COMPLETED', rowCount: rows, processedRows: rows })
})

test('a resumable upload that completes without the storage is stored when it returns, however late', async () => {
  await s3.killGateway()
  const bytes = boxGlb()
  const begun = await service.request('POST', '/api/upload/tus', bytes, {
    'tus-resumable': '1.0.0',
    'upload-length': String(bytes.length),
    'content-type': 'application/offset+octet-stream',
  })
  expect(begun.status).toBe(503)
  const sql = sqlOn(service)
  await sql("update resumable_uploads set created_at = now() - interval '30 hours'")
  await expect(service.app.sweepUploads()).rejects.toThrow('The file storage is not responding')
  await s3.startGateway()
  await service.app.sweepUploads()
  expect(await sql('select size from files where sha256 = $1', [sha256(bytes)])).toEqual([{ size: bytes.length }])
})

/** Open connections to a port of this machine, as Linux lists them: the other side's address in hexadecimal, 01 for established. */
async function connectionsTo(port: number): Promise<number> {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  return lines.filter(([, , other, state]) => other?.endsWith(`:${hex(port)}`) && state === '01').length
}
const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
