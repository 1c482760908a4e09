import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { HeadObjectCommand, PutBucketPolicyCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allOf, objectsSuite } from '../../../test/content/objects-suite.ts'
import { newBucket, testClient } from '../../../test/programs/s3/s3-bucket.ts'
import { readConfig } from '../../config.ts'
import { createLog } from '../../logging/log.ts'
import { newKey, type Objects } from '../objects.ts'
import { s3SettingsOf } from './s3-client.ts'
import { s3Objects } from './s3-objects.ts'

let spoolFolder: string
let bucket: Awaited<ReturnType<typeof newBucket>>
let objects: Objects
beforeAll(async () => {
  spoolFolder = await mkdtemp(join(tmpdir(), 'cairn-objects-'))
  bucket = await newBucket()
  objects = objectsWith({})
})
afterAll(() => rm(spoolFolder, { recursive: true }))

const objectsWith = (settings: Record<string, string>) =>
  s3Objects({
    settings: s3SettingsOf(readConfig({ ...bucket, ...settings }, ''))!,
    spoolFolder,
    publicUrl: () => 'https://cairn.example',
    log: createLog('silent'),
  })
const put = (content: string, extension = 'txt') => objects.put(Readable.from([Buffer.from(content)]), { extension })
const spool = () => readdir(spoolFolder)

objectsSuite('on S3', { objects: () => objects, unfinished: async () => (await spool()).length })

test('the bucket has the type of each object', async () => {
  const { key } = await put('x', 'png')
  const asked = { Bucket: bucket.CAIRN_S3_BUCKET, Key: key }
  const client = testClient(bucket.CAIRN_S3_ENDPOINT)
  expect(await client.send(new HeadObjectCommand(asked))).toMatchObject({ ContentType: 'image/png', ContentLength: 1 })
})

test('deletes files of a killed process from the spool', async () => {
  await writeFile(join(spoolFolder, 'left'), 'half')
  expect(await objects.sweep({ olderThanMs: 60_000 })).toBe(0)
  expect(await objects.sweep({ olderThanMs: 0 })).toBe(1)
  expect(await spool()).toEqual([])
})

describe('errors for the operator', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['a missing bucket', { CAIRN_S3_BUCKET: 'not-there' }, 'has no bucket "not-there": create it'],
    ['an unknown key', { CAIRN_S3_ACCESS_KEY_ID: 'nobody' }, 'does not know this CAIRN_S3_ACCESS_KEY_ID'],
    ['a wrong secret', { CAIRN_S3_SECRET_ACCESS_KEY: 'wrong' }, 'CAIRN_S3_SECRET_ACCESS_KEY does not belong'],
    [
      'an endpoint without a server',
      { CAIRN_S3_ENDPOINT: 'http://127.0.0.1:9' },
      'The S3 at http://127.0.0.1:9 does not answer',
    ],
  ]
  test.each(cases)('%s', async (_name, settings, sentence) => {
    await expect(objectsWith(settings).check()).rejects.toThrow(sentence)
  })

  test.each(['s3:PutObject', 's3:GetObject', 's3:DeleteObject'])('an access key without %s', async (Action) => {
    const closed = await newBucket()
    const Bucket = closed.CAIRN_S3_BUCKET
    const refusal = { Effect: 'Deny', Principal: '*', Action, Resource: `arn:aws:s3:::${Bucket}/*` }
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [refusal] })
    await testClient(closed.CAIRN_S3_ENDPOINT).send(new PutBucketPolicyCommand({ Bucket, Policy }))
    await expect(objectsWith(closed).check()).rejects.toThrow('does not grant this access key all required permissions')
  })

  test.each(cases.slice(1))('callers see no details of %s', async (_name, settings) => {
    const elsewhere = objectsWith(settings)
    const key = newKey('txt')
    const calls = [
      () => elsewhere.put(Readable.from([Buffer.from('x')]), { extension: 'txt' }),
      () => elsewhere.read(key),
      () => elsewhere.size(key),
      () => elsewhere.remove(key),
      () => allOf(elsewhere.list()),
    ]
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({ status: 503, error: expect.stringMatching(/^The file storage/) })
    expect(await spool()).toEqual([])
  })
})

describe('URLs of the storage itself', () => {
  const download = (key: string, seconds = 60) =>
    objects.directDownload!(key, { seconds, fileName: 'Höhle "1".png', mimeType: 'image/png' })
  const changed = (address: string, change: (url: URL) => void) => {
    const url = new URL(address)
    change(url)
    return fetch(url).then(({ status }) => status)
  }

  test('a download URL gives access to one object, as an attachment with its name, until it expires', async () => {
    const [one, other] = [await put('one'), await put('other')]
    const address = await download(one.key)
    const answer = await fetch(address)
    expect([answer.status, await answer.text()]).toEqual([200, 'one'])
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-disposition')).toContain(`attachment; filename="H_hle _1_.png"`)
    const refused = await Promise.all([
      changed(address, (url) => url.searchParams.set('X-Amz-Expires', '6000')),
      changed(address, (url) => url.searchParams.set('response-content-type', 'text/html')),
      changed(address, (url) => url.searchParams.delete('X-Amz-Signature')),
      changed(address, (url) => {
        url.pathname = url.pathname.replace(one.key, other.key)
      }),
      fetch(address, { method: 'PUT', body: 'x' }).then(({ status }) => status),
    ])
    expect(refused).toEqual([403, 403, 403, 403, 403])
    const brief = await download(one.key, 1)
    await expect.poll(async () => (await fetch(brief)).status).toBe(403)
  })

  test('an upload URL accepts exactly its type and size, once, until it expires', async () => {
    const key = newKey('png')
    const bytes = Buffer.from('exactly this')
    const { url, headers } = (await objects.directUpload!(key, {
      seconds: 60,
      mimeType: 'image/png',
      size: bytes.length,
    }))!
    const send = (body: Uint8Array, more: Record<string, string> = {}) =>
      fetch(url, {
        method: 'PUT',
        body: body as never,
        headers: { ...headers, 'content-length': String(body.length), ...more },
      }).then(({ status }) => status)
    expect(await send(Buffer.from('more than this was'))).toBe(403)
    expect(await send(Buffer.from('less'))).toBe(403)
    expect(await send(bytes, { 'content-type': 'text/html' })).toBe(403)
    expect(await send(bytes, { 'if-none-match': '"x"' })).toBe(403)
    expect(await objects.size(key)).toBeUndefined()
    expect(await send(bytes)).toBe(200)
    expect(await send(bytes)).toBe(412)
    expect(await objects.size(key)).toBe(bytes.length)
    const brief = (await objects.directUpload!(newKey('png'), { seconds: 1, mimeType: 'image/png', size: 1 }))!
    const late = () =>
      fetch(brief.url, { method: 'PUT', body: 'xx', headers: { ...brief.headers, 'content-length': '2' } })
    await expect.poll(async () => (await (await late()).text()).includes('AccessDenied')).toBe(true)
  })

  test('clients get the public URL of the storage', async () => {
    const behind = objectsWith({ CAIRN_S3_PUBLIC_ENDPOINT: 'https://files.example' })
    const { key } = await put('x')
    const options = { seconds: 60, mimeType: 'image/png', size: 1 }
    const start = `https://files.example/${bucket.CAIRN_S3_BUCKET}/${key}?`
    expect(await behind.directDownload!(key, { ...options, fileName: 'x' })).toContain(start)
    expect((await behind.directUpload!(key, options))!.url).toContain(start)
    expect(await behind.size(key)).toBe(1)
  })
})
