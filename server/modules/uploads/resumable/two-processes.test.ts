import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KNOWN, sha256, startResumable } from '../../../test/network/resumable.ts'
import { startSecondService } from '../../../test/second-service.ts'

let resumable: Awaited<ReturnType<typeof startResumable>>
let other: Awaited<ReturnType<typeof startSecondService>>
let folder: string
/** A process of another machine: the same database, another folder. */
let far: Awaited<ReturnType<typeof startSecondService>>
beforeAll(async () => {
  resumable = await startResumable()
  other = await startSecondService(resumable.service, settings)
  folder = await mkdtemp(join(tmpdir(), 'cairn-data-'))
  far = await startSecondService(resumable.service, { ...settings, CAIRN_DATA_DIR: folder })
})
const settings = { CAIRN_RESUMABLE_MAX_BYTES: String(KNOWN), CAIRN_PUBLIC_URL: 'http://cairn.example' }
afterAll(async () => {
  await far.stop()
  await other.stop()
  await resumable.service.stop()
  await rm(folder, { recursive: true, force: true })
})

const through = (process: { url: string }, url: string) => url.replace(resumable.service.url, process.url)
const shaOf = async (fileId: unknown) =>
  (await resumable.sql<{ sha256: string }>('select sha256 from files where id = $1', [fileId]))[0]?.sha256

/** A PATCH whose connection stays open after its first bytes. */
async function stuckAt(url: string, bytes: Buffer, sent: number) {
  const piece = send(url, { method: 'PATCH', headers: { ...resumable.tus.chunk(0), 'content-length': bytes.length } })
  piece.on('error', () => {})
  piece.write(bytes.subarray(0, sent))
  await expect.poll(async () => (await resumable.tus.state(url)).body.uploadOffset).toBe(sent)
  return piece
}

/** Sends the rest after 50,000 bytes through the other process in two parts; `meanwhile` runs between them. */
function goOnThere(url: string, bytes: Buffer, meanwhile: () => void): Promise<number | undefined> {
  const there = through(other, url)
  const headers = { ...resumable.tus.chunk(50_000), 'content-length': bytes.length - 50_000 }
  return new Promise((resolve, reject) => {
    const next = send(there, { method: 'PATCH', headers }, (answer) => resolve(answer.resume().statusCode))
    next.on('error', reject).write(bytes.subarray(50_000, 100_000))
    const finish = async () => {
      await expect.poll(async () => (await resumable.tus.state(there)).body.uploadOffset).toBe(100_000)
      meanwhile()
      await sleep(300)
      next.end(bytes.subarray(100_000))
    }
    finish().catch(reject)
  })
}

describe('one upload through two processes', () => {
  test('continues at its offset in the other process', async () => {
    const bytes = randomBytes(100_000)
    const { url } = await resumable.begun(bytes.length)
    expect((await resumable.tus.patch(url, 0, bytes.subarray(0, 60_000))).status).toBe(204)
    const there = through(other, url)
    expect((await resumable.tus.head(there)).headers.get('upload-offset')).toBe('60000')
    const last = await resumable.tus.patch(there, 60_000, bytes.subarray(60_000))
    expect(last.status).toBe(204)
    expect(await shaOf(last.headers.get('upload-file-id'))).toBe(sha256(bytes))
  })

  test('ends an idle connection at one process when the other receives the upload', { tags: ['long'] }, async () => {
    const bytes = randomBytes(200_000)
    const { url } = await resumable.begun(bytes.length)
    const piece = await stuckAt(url, bytes, 50_000)
    const last = await resumable.tus.patch(through(other, url), 50_000, bytes.subarray(50_000))
    expect(last.status).toBe(204)
    expect(await shaOf(last.headers.get('upload-file-id'))).toBe(sha256(bytes))
    piece.destroy()
  })

  test('never mixes two chunks for the same offset', { tags: ['long'] }, async () => {
    const [bytes, others] = [randomBytes(200_000), randomBytes(200_000)]
    const { url } = await resumable.begun(bytes.length)
    const piece = await stuckAt(url, bytes, 50_000)
    expect((await resumable.tus.patch(through(other, url), 0, others)).status).toBe(409)
    const last = await resumable.tus.patch(url, 50_000, bytes.subarray(50_000))
    expect(await shaOf(last.headers.get('upload-file-id'))).toBe(sha256(bytes))
    piece.destroy()
  })

  test('does not write late bytes at one process after the other continued', { tags: ['long'] }, async () => {
    const bytes = randomBytes(200_000)
    const { url } = await resumable.begun(bytes.length)
    const piece = await stuckAt(url, bytes, 50_000)
    expect(await goOnThere(url, bytes, () => piece.write(randomBytes(40_000)))).toBe(204)
    expect(await shaOf((await resumable.tus.state(url)).body.result.fileId)).toBe(sha256(bytes))
    piece.destroy()
  })

  test('stores each byte once, as one file, if many requests send the same chunk through both', async () => {
    const bytes = randomBytes(300_000)
    const { url, id } = await resumable.begun(bytes.length)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => resumable.tus.patch(i % 2 ? url : through(other, url), 0, bytes)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toEqual(expect.arrayContaining([204, 409]))
    // 400: the request was ended before its bytes arrived.
    expect([204, 400, 409]).toEqual(expect.arrayContaining(statuses))
    await resumable.goOn(url, bytes)
    const states = await Promise.all([url, through(other, url)].map(resumable.tus.state))
    const ids = states.map(({ body }) => body.result.fileId)
    expect(ids[0]).toBe(ids[1])
    expect(await shaOf(ids[0])).toBe(sha256(bytes))
    expect(
      await resumable.sql(
        'select count(*)::int as n from files f join resumable_uploads u on u.key = f.key where u.id = $1',
        [id],
      ),
    ).toEqual([{ n: 1 }])
  })

  test("stops writing when the lock's database connection breaks", async () => {
    const bytes = randomBytes(200_000)
    const { url } = await resumable.begun(bytes.length)
    const piece = await stuckAt(url, bytes, 50_000)
    const holders = `from pg_stat_activity where application_name = 'cairn-uploads' and datname = current_database()`
    await resumable.sql(`select pg_terminate_backend(pid) ${holders}`)
    await expect.poll(() => resumable.sql(`select pid ${holders}`)).toEqual([])
    expect(await goOnThere(url, bytes, () => piece.write(randomBytes(100_000)))).toBe(204)
    expect(await shaOf((await resumable.tus.state(url)).body.result.fileId)).toBe(sha256(bytes))
    piece.destroy()
  })
})

describe('an upload whose bytes are on another machine', () => {
  test('answers 503 to retry, not offset 0 or 404', async () => {
    const bytes = randomBytes(1000)
    const { url } = await resumable.begun(bytes.length)
    await resumable.tus.patch(url, 0, bytes.subarray(0, 400))
    const there = through(far, url)
    for (const answer of [
      await resumable.tus.head(there),
      await resumable.tus.patch(there, 0, bytes),
      await resumable.tus.state(there),
    ])
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    const last = await resumable.tus.patch(url, 400, bytes.subarray(400))
    expect(last.status).toBe(204)
    expect((await resumable.tus.state(there)).body.result.fileId).toBe(Number(last.headers.get('upload-file-id')))
  })

  test('continues where its first bytes arrive if it was only created there', async () => {
    const bytes = randomBytes(1000)
    const { url } = await resumable.begun(bytes.length)
    const there = through(far, url)
    expect((await resumable.tus.head(there)).headers.get('upload-offset')).toBe('0')
    expect((await resumable.tus.patch(there, 0, bytes.subarray(0, 400))).status).toBe(204)
    expect((await resumable.tus.patch(url, 400, bytes.subarray(400))).status).toBe(503)
  })
})
