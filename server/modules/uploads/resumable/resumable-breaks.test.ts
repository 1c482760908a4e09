import { randomBytes } from 'node:crypto'
import { appendFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as send } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png } from '../../../test/content/glb.ts'
import { sha256, startResumable } from '../../../test/network/resumable.ts'
import { tusOn } from '../../../test/network/tus.ts'
import { startService } from '../../../test/service.ts'

let resumable: Awaited<ReturnType<typeof startResumable>>
beforeAll(async () => {
  resumable = await startResumable()
})
afterAll(() => resumable.service.stop())

describe('an unfinished upload', () => {
  test('is cancelled by DELETE: then it is 404, and its bytes are deleted', async () => {
    const { url, id } = await resumable.begun(10)
    await resumable.tus.patch(url, 0, 'hello')
    expect((await resumable.tus.end(url)).status).toBe(204)
    expect((await resumable.tus.head(url)).status).toBe(404)
    expect((await resumable.tus.patch(url, 5, 'world')).status).toBe(404)
    expect(await resumable.spooled()).not.toContain(id)
  })

  test('cannot be cancelled after it has become a file', async () => {
    const { url } = await resumable.begun(5)
    await resumable.tus.patch(url, 0, 'hello')
    expect((await resumable.tus.end(url)).status).toBe(409)
    expect((await resumable.tus.state(url)).body.result.fileId).toEqual(expect.any(Number))
  })

  test('is 410 after 24 hours, and then deleted', async () => {
    const { url, id } = await resumable.begun(10)
    await resumable.tus.patch(url, 0, 'hello')
    await resumable.sql(`update resumable_uploads set created_at = now() - interval '25 hours' where id = $1`, [id])
    expect((await resumable.tus.head(url)).status).toBe(410)
    expect((await resumable.tus.patch(url, 5, 'world')).status).toBe(410)
    await resumable.service.app.sweepUploads()
    expect((await resumable.tus.head(url)).status).toBe(404)
    expect(await resumable.spooled()).not.toContain(id)
  })

  test('can be resumed at once after an interruption in the middle of a chunk', async () => {
    const bytes = randomBytes(600_000)
    const { url } = await resumable.begun(bytes.length)
    const request = send(url, {
      method: 'PATCH',
      headers: { ...resumable.tus.chunk(0), 'content-length': bytes.length },
    })
    request.on('error', () => {})
    request.write(bytes.subarray(0, 300_000))
    await expect.poll(async () => (await resumable.tus.state(url)).body.uploadOffset).toBeGreaterThan(0)
    request.destroy()
    const offset = Number((await resumable.tus.head(url)).headers.get('upload-offset'))
    expect(offset).toBeGreaterThan(0)
    expect(offset).toBeLessThanOrEqual(300_000)
    const last = await resumable.tus.patch(url, offset, bytes.subarray(offset))
    expect(last.status).toBe(204)
    expect(await resumable.sql('select sha256 from files where id = $1', [last.headers.get('upload-file-id')])).toEqual(
      [{ sha256: sha256(bytes) }],
    )
  })

  test('is not blocked by an open connection that sends nothing', { tags: ['long'] }, async () => {
    const bytes = randomBytes(200_000)
    const { url } = await resumable.begun(bytes.length)
    const stuck = send(url, { method: 'PATCH', headers: { ...resumable.tus.chunk(0), 'content-length': bytes.length } })
    stuck.on('error', () => {})
    await new Promise<void>((resolve) => stuck.write(bytes.subarray(0, 50_000), () => resolve()))
    await expect.poll(async () => (await resumable.tus.state(url)).body.uploadOffset).toBe(50_000)
    expect((await resumable.tus.head(url)).headers.get('upload-offset')).toBe('50000')
    expect((await resumable.tus.patch(url, 50_000, bytes.subarray(50_000))).status).toBe(204)
    expect((await resumable.tus.state(url)).body.status).toBe('finished')
    stuck.destroy()
  })

  test('never mixes two chunks for the same offset: the second is refused', { tags: ['long'] }, async () => {
    const [bytes, others] = [randomBytes(200_000), randomBytes(200_000)]
    const { url } = await resumable.begun(bytes.length)
    const first = send(url, { method: 'PATCH', headers: { ...resumable.tus.chunk(0), 'content-length': bytes.length } })
    first.on('error', () => {})
    first.write(bytes.subarray(0, 50_000))
    await expect.poll(async () => (await resumable.tus.state(url)).body.uploadOffset).toBe(50_000)
    expect((await resumable.tus.patch(url, 0, others)).status).toBe(409)
    expect((await resumable.tus.patch(url, 50_000, bytes.subarray(50_000))).status).toBe(204)
    const { result } = (await resumable.tus.state(url)).body
    expect(await resumable.sql('select sha256 from files where id = $1', [result.fileId])).toEqual([
      { sha256: sha256(bytes) },
    ])
    first.destroy()
  })

  test('is answered with its offset when the service stops, without waiting for the rest', async () => {
    const stopping = await startService()
    const own = tusOn(stopping)
    const bytes = randomBytes(200_000)
    const url = (await own.begin(bytes.length)).headers.get('location')!
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { ...own.chunk(0), 'content-length': bytes.length }
      const piece = send(url, { method: 'PATCH', headers }, (answer) => resolve(answer.resume()))
      piece.on('error', reject).write(bytes.subarray(0, 50_000))
    })
    await expect.poll(async () => (await own.state(url)).body.uploadOffset).toBe(50_000)
    stopping.app.drain()
    const stopped = stopping.stop()
    const { statusCode, headers } = await answered
    expect([statusCode, headers['upload-offset'], headers.connection]).toEqual([204, '50000', 'close'])
    await stopped
  })

  test('stores each byte once if many requests send the same chunk', async () => {
    const bytes = randomBytes(400_000)
    const { url } = await resumable.begun(bytes.length)
    const answers = await Promise.all(Array.from({ length: 6 }, () => resumable.tus.patch(url, 0, bytes)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toEqual(expect.arrayContaining([204, 409]))
    // 400: the request was ended before its bytes arrived.
    expect([204, 400, 409]).toEqual(expect.arrayContaining(statuses))
    await resumable.goOn(url, bytes)
    const { result } = (await resumable.tus.state(url)).body
    expect(await resumable.sql('select sha256 from files where id = $1', [result.fileId])).toEqual([
      { sha256: sha256(bytes) },
    ])
  })
})

describe('a process that ends while an upload becomes a file', () => {
  /** Simulates a process that ended after all bytes arrived. */
  async function whole(bytes: Uint8Array, name = 'a.txt') {
    const { url, id } = await resumable.begun(bytes.length, { name })
    await resumable.tus.patch(url, 0, bytes.subarray(0, -1))
    await appendFile(join(resumable.folder, id), bytes.subarray(-1))
    return { url, id }
  }
  const text = Buffer.from('hello')

  test.each([
    ['HEAD', async (url: string) => (await resumable.tus.head(url)).headers.get('upload-file-id')],
    ['the next PATCH', async (url: string) => (await resumable.tus.patch(url, 5, '')).headers.get('upload-file-id')],
    ['GET', async (url: string) => String((await resumable.tus.state(url)).body.result.fileId)],
  ])('is repaired by %s', async (_what, ask) => {
    const { url, id } = await whole(text)
    const fileId = await ask(url)
    expect(await resumable.sql('select sha256 from files where id = $1', [fileId])).toEqual([{ sha256: sha256(text) }])
    expect(await resumable.spooled()).not.toContain(id)
  })

  test('is repaired if the object was already stored, and by concurrent requests', async () => {
    const { url, id } = await whole(Buffer.from(png), 'a.png')
    const answers = await Promise.all(Array.from({ length: 5 }, () => resumable.tus.head(url)))
    expect(new Set(answers.map(({ headers }) => headers.get('upload-file-id'))).size).toBe(1)
    // Back to the state before the record was written.
    const [{ file_id: fileId }] = (await resumable.sql<{ file_id: number }>(
      'select file_id from resumable_uploads where id = $1',
      [id],
    )) as [{ file_id: number }]
    await resumable.sql('delete from files where id = $1', [fileId])
    await resumable.sql('update resumable_uploads set finished_at = null where id = $1', [id])
    await writeFile(join(resumable.folder, id), png)
    expect((await resumable.tus.head(url)).headers.get('upload-file-id')).toBe(String(fileId))
    expect(await resumable.sql('select sha256 from files where id = $1', [fileId])).toEqual([{ sha256: sha256(png) }])
  })

  test('is repaired by the sweep before it deletes the upload, if all bytes are there', async () => {
    const { id } = await whole(Buffer.from(`swept ${randomBytes(8).toString('hex')}`))
    await resumable.sql(`update resumable_uploads set created_at = now() - interval '25 hours' where id = $1`, [id])
    const count = async () => (await resumable.sql<{ count: number }>('select count(*) from files'))[0]!.count
    const before = await count()
    await resumable.service.app.sweepUploads()
    expect(await count()).toBe(before + 1)
    expect(await resumable.spooled()).not.toContain(id)
  })

  test('unknown spool files are deleted once they are old', async () => {
    const [old, fresh] = ['O'.repeat(22), 'F'.repeat(22)]
    for (const id of [old, fresh]) await writeFile(join(resumable.folder, id), 'left')
    await utimes(join(resumable.folder, old), new Date(0), new Date(0))
    await resumable.service.app.sweepUploads()
    expect(await resumable.spooled()).toContain(fresh)
    expect(await resumable.spooled()).not.toContain(old)
  })
})

test('an upload whose bytes are missing is 410', async () => {
  const { url, id } = await resumable.begun(10)
  await resumable.tus.patch(url, 0, 'hello')
  const path = join(resumable.folder, id)
  await truncate(path, 3)
  expect((await stat(path)).size).toBe(3)
  expect((await resumable.tus.head(url)).headers.get('upload-offset')).toBe('3')
  await rm(path)
  expect((await resumable.tus.head(url)).status).toBe(410)
})
