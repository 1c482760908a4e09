import { request as send } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { boxGlb } from '../../../test/content/glb.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let sql: Sql
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
})
afterAll(() => service.stop())

type Announced = { fileName?: string; contentType?: string }

async function announce(announced: Announced = {}, caller = service.anonymous) {
  const wanted = { fileName: 'notes.txt', contentType: 'text/plain', ...announced }
  const { body } = await caller.post('/api/upload/presigned', wanted)
  return body as { uploadUrl: string; url: string; fileId: number }
}

const put = (url: string, bytes: Uint8Array | string, type = 'text/plain') =>
  service.request('PUT', url, bytes, { 'content-type': type })

describe('a process that ends between the object and its record', () => {
  /** Simulates a missing record: the bytes are stored, and the reservation still exists. */
  async function killedAfterObject(announced: Announced, bytes: Uint8Array | string) {
    const announcement = await announce(announced)
    const [reservation] = await sql<Record<string, unknown>>('select * from reservations where id = $1', [
      announcement.fileId,
    ])
    expect((await put(announcement.uploadUrl, bytes, announced.contentType)).status).toBe(200)
    await sql('delete from files where id = $1', [announcement.fileId])
    const names = Object.keys(reservation!)
    await sql(
      `insert into reservations (${names}) values (${names.map((_, at) => `$${at + 1}`)})`,
      Object.values(reservation!),
    )
    return announcement
  }
  const isKnown = async (id: number) => (await sql('select from files where id = $1', [id])).length === 1

  test('is repaired by the next request for the file', { tags: ['long'] }, async () => {
    const byAddress = await killedAfterObject({}, 'hello')
    expect((await service.anonymous.get(byAddress.url)).body).toBe('hello')
    expect(await isKnown(byAddress.fileId)).toBe(true)

    const byDownload = await killedAfterObject({}, 'hello')
    const address = encodeURIComponent(byDownload.url)
    expect((await service.anonymous.get(`/api/download?url=${address}`)).status).toBe(200)
    expect(await isKnown(byDownload.fileId)).toBe(true)

    const glb = { fileName: 'chair.glb', contentType: 'model/gltf-binary' }
    const byId = await killedAfterObject(glb, boxGlb())
    expect((await service.anonymous.post(`/api/upload/${byId.fileId}/converted_file`)).status).toBe(200)

    const byPut = await killedAfterObject({}, 'hello')
    expect((await put(byPut.uploadUrl, 'hello')).status).toBe(409)
    expect(await isKnown(byPut.fileId)).toBe(true)
  })

  test('is repaired by the sweep if the file is not requested before; reservations without a file are deleted', async () => {
    const arrived = await killedAfterObject({}, 'hello')
    const [late, recent] = [await announce(), await announce()]
    await sql(`update reservations set expires_at = now() - interval '61 minutes' where id = any($1)`, [
      [arrived.fileId, late.fileId],
    ])
    await service.app.sweepUploads()
    expect(await isKnown(arrived.fileId)).toBe(true)
    const left = await sql<{ id: number }>('select id from reservations where id = any($1)', [
      [arrived.fileId, late.fileId, recent.fileId],
    ])
    expect(left).toEqual([{ id: recent.fileId }])
  })
})

test("a user's announced files are deleted with the user", async () => {
  const user = await buildersOn(service).user()
  const { uploadUrl } = await announce({}, user)
  await user.delete('/api/v1/user')
  const before = await service.objectsKept()
  expect((await put(uploadUrl, 'hello')).status).toBe(409)
  expect(await service.objectsKept()).toEqual(before)
})

test('also if the user is deleted while the bytes arrive', async () => {
  const user = await buildersOn(service).user()
  const { uploadUrl } = await announce({}, user)
  const before = await service.objectsKept()
  const status = await new Promise<number>((resolve, reject) => {
    const headers = { 'content-type': 'text/plain', 'content-length': 200_000 }
    const request = send(uploadUrl, { method: 'PUT', headers }, (answer) => resolve(answer.resume().statusCode!))
    request.on('error', reject)
    request.write(Buffer.alloc(100_000), async () => {
      await expect.poll(async () => (await service.objectsKept()).length).toBeGreaterThan(before.length)
      await user.delete('/api/v1/user')
      request.end(Buffer.alloc(100_000))
    })
  })
  expect(status).toBe(409)
  expect(await service.objectsKept()).toEqual(before)
})
