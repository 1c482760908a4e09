import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newKey } from '../../platform/storage/objects.ts'
import { boxGlb, png } from '../../test/content/glb.ts'
import { formOf } from '../../test/multipart.ts'
import { newBucket } from '../../test/programs/s3/s3-bucket.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Service, startService } from '../../test/service.ts'

// Each command is a process, which takes seconds to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let service: Service
beforeAll(async () => {
  // On a folder, also if the other tests use S3.
  service = await startService({
    CAIRN_S3_ENDPOINT: '',
    CAIRN_S3_BUCKET: '',
    CAIRN_S3_ACCESS_KEY_ID: '',
    CAIRN_S3_SECRET_ACCESS_KEY: '',
    CAIRN_PUBLIC_URL: 'http://cairn.test',
  })
})
afterAll(() => service.stop())

const move = async (bucket: Record<string, string>, ...words: string[]) => {
  const { code, out, err } = await runCommandOn(service, ['files', 'move', '--json', ...words], bucket)
  expect(err).toBe('')
  return { code, ...JSON.parse(out) }
}
const inFolder = async () =>
  (await readdir(join(service.folder, 'objects'), { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  )

test('copies every file beside a running service, resumes after an interruption, and a service on S3 has the files at the same URLs', async () => {
  const bucket = await newBucket()
  const parts = Array.from({ length: 12 }, (_, i) => ({ name: `${i}.bin`, bytes: `file ${i}` }))
  const sent = [...parts, { name: 'stone.png', bytes: png }, { name: 'nothing.glb', bytes: boxGlb() }]
  const { body } = await service.anonymous.post('/api/upload', formOf(...sent))
  const urls: string[] = body.results.map(({ url }: { url: string }) => url)

  expect(await move(bucket)).toMatchObject({ code: 0, copied: sent.length, alreadyThere: 0, removed: 0, different: [] })
  expect(await inFolder()).toHaveLength(sent.length)
  const late = (await service.anonymous.post('/api/upload', formOf({ name: 'late.txt', bytes: 'late' }))).body
    .results[0]
  expect(await move(bucket)).toMatchObject({ code: 0, copied: 1, alreadyThere: sent.length, removed: 0 })
  expect(await move(bucket, '--remove')).toMatchObject({ code: 0, copied: 0, removed: sent.length + 1 })
  expect(await inFolder()).toHaveLength(0)

  const there = await startSecondService(service, { ...bucket, CAIRN_PUBLIC_URL: 'http://cairn.test' })
  try {
    for (const [at, url] of [...urls, late.url].entries()) {
      const { body, status } = await there.as({}).get(new URL(url).pathname)
      expect(status).toBe(200)
      if (at < parts.length) expect(body).toBe(`file ${at}`)
    }
    expect(await runCommandOn(service, ['files', 'check', '--hashes'], bucket)).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`^${sent.length + 1} objects in http.*, bucket test-.*: nothing wrong\n$`)),
    })
  } finally {
    await there.stop()
  }
})

test('an existing object with other content is reported and kept on both sides', async () => {
  const bucket = await newBucket()
  const key = newKey('txt')
  const path = join(service.folder, 'objects', key)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, 'here')
  expect(await move(bucket)).toMatchObject({ code: 0, copied: 1 })
  await writeFile(path, 'something else')
  expect(await move(bucket, '--remove')).toMatchObject({ code: 1, removed: 0, different: [key] })
  expect(await inFolder()).toHaveLength(1)
  const checked = await runCommandOn(service, ['files', 'move'], bucket)
  expect(checked.out).toContain(`different ${key}`)
})

test('an unavailable storage or a missing bucket is reported before anything is done', async () => {
  const bucket = await newBucket()
  const away = await runCommandOn(service, ['files', 'move', '--remove'], {
    ...bucket,
    CAIRN_S3_ENDPOINT: 'http://127.0.0.1:9',
  })
  expect(away).toMatchObject({ code: 1, out: '', err: expect.stringContaining('does not answer') })
  const missing = await runCommandOn(service, ['files', 'move'], { ...bucket, CAIRN_S3_BUCKET: 'not-there' })
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('has no bucket "not-there"') })
})
