import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WrongBytes } from '../../../platform/storage/verified-stream.ts'
import { boxGlb } from '../../../test/content/glb.ts'
import { formOf } from '../../../test/multipart.ts'
import { sha256 } from '../../../test/network/resumable.ts'
import { type Service, startService } from '../../../test/service.ts'
import { readWholeObject } from '../objects/read-object.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** Turns one bit of what the disk keeps, or back again. */
async function turnBit(url: string, at: number) {
  const path = join(service.folder, 'objects', new URL(url).pathname.replace('/files/', ''))
  const file = await open(path, 'r+')
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
  await file.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, at)
  await file.close()
}
const upload = async (name: string, bytes: Uint8Array) =>
  (await service.anonymous.post('/api/upload', formOf({ name, bytes }))).body.results[0]

describe.skipIf(process.env.CAIRN_TEST_STORAGE === 's3')('bytes that are not those that were kept', () => {
  test('are never served to their end: a small file is 503, of a large one the download breaks off', async () => {
    for (const size of [1000, 3_000_000])
      for (const at of [0, size - 1]) {
        const { url } = await upload('a.bin', Buffer.alloc(size, 7))
        const get = () => fetch(url).then(async (answer) => [answer.status, (await answer.arrayBuffer()).byteLength])
        await turnBit(url, at)
        if (size === 1000) expect((await fetch(url)).status).toBe(503)
        else await expect(get()).rejects.toThrow()
        await turnBit(url, at)
        expect(await get()).toEqual([200, size])
      }
  })

  test('do not replace those of a small file that was read before', async () => {
    const { url } = await upload('a.bin', Buffer.alloc(1000, 7))
    const get = () => fetch(url).then(async (answer) => Buffer.from(await answer.arrayBuffer()))
    expect(await get()).toEqual(Buffer.alloc(1000, 7))
    await turnBit(url, 0)
    expect(await get()).toEqual(Buffer.alloc(1000, 7))
  })

  test('are not given to who reads the whole, such as a conversion', async () => {
    const glb = boxGlb()
    const { url } = await upload('chair.glb', glb)
    const file = { key: new URL(url).pathname.replace('/files/', ''), size: glb.length, sha256: sha256(glb) }
    await turnBit(url, glb.length - 1)
    await expect(readWholeObject(service.app.objects, file)).rejects.toThrow(WrongBytes)
    await turnBit(url, glb.length - 1)
    expect(Buffer.from(await readWholeObject(service.app.objects, file))).toEqual(Buffer.from(glb))
  })
})
