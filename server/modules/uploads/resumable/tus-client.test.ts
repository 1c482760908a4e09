import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { DetailedError } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../test/network/resumable.ts'
import { tusClient, tusOn } from '../../../test/network/tus.ts'
import { type Service, startService } from '../../../test/service.ts'

describe('tus-js-client', () => {
  const local = { headers: { 'x-forwarded-host': 'evil.example' } }
  let own: Service
  beforeAll(async () => {
    own = await startService()
  })
  afterAll(() => own.stop())

  test('uploads in chunks, is interrupted, and resumes the upload', async () => {
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

  test('cancels an upload, and receives an error for one that is too large', async () => {
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

  test('uploads a stream of unknown length', async () => {
    const bytes = randomBytes(700_000)
    const stream = Readable.from([bytes.subarray(0, 300_000), bytes.subarray(300_000)], { objectMode: false })
    const { upload, done } = tusClient(own, stream as never, { uploadLengthDeferred: true, chunkSize: 200_000 })
    upload.start()
    await done
    const { result } = (await tusOn(own).state(upload.url!)).body
    expect(sha256(Buffer.from(await (await fetch(result.url)).arrayBuffer()))).toBe(sha256(bytes))
  })
})
