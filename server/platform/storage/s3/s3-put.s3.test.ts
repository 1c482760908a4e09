import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allOf } from '../../../test/content/objects-suite.ts'
import { newBucket } from '../../../test/programs/s3/s3-bucket.ts'
import { type Meddling, startS3Proxy } from '../../../test/programs/s3/s3-proxy.ts'
import { readConfig } from '../../config.ts'
import { createLog } from '../../logging/log.ts'
import { newKey, ObjectExists, type Objects } from '../objects.ts'
import { s3SettingsOf } from './s3-client.ts'
import { s3Objects } from './s3-objects.ts'

let spoolFolder: string
let proxy: Awaited<ReturnType<typeof startS3Proxy>>
let meddle: (request: IncomingMessage) => Meddling | undefined
let objects: Objects
let puts = 0

beforeAll(async () => {
  spoolFolder = await mkdtemp(join(tmpdir(), 'cairn-objects-'))
  proxy = await startS3Proxy(process.env.CAIRN_TEST_S3_URL!, (request) => {
    if (request.method === 'PUT') puts++
    return meddle(request)
  })
})
beforeEach(async () => {
  puts = 0
  const settings = s3SettingsOf(readConfig({ ...(await newBucket()), CAIRN_S3_ENDPOINT: proxy.url }, ''))!
  objects = s3Objects({ settings, spoolFolder, publicUrl: () => 'https://cairn.example', log: createLog('silent') })
})
afterAll(async () => {
  await proxy.stop()
  await rm(spoolFolder, { recursive: true })
})

const put = (key: string, content = 'a stone') => objects.put(Readable.from([Buffer.from(content)]), { key })

/** Runs with a new key; repeats with another one if the first put was so slow that no second attempt was made (none starts after four seconds). */
async function inTime<T>(attempt: (key: string) => Promise<T>): Promise<T> {
  for (let again = 0; ; again++) {
    puts = 0
    const began = performance.now()
    const outcome = attempt(newKey('txt'))
    await outcome.catch(() => {})
    if (puts > 1 || performance.now() - began < 3500 || again === 10) return outcome
  }
}
const textOf = async (key: string) => (await buffer((await objects.read(key))!)).toString()
const firstPut = (meddling: Meddling) => (request: IncomingMessage) =>
  request.method === 'PUT' && puts === 1 ? meddling : undefined

test('a put whose response is lost is retried, and finds its own object', async () => {
  meddle = firstPut('lose the answer')
  const { key, size } = await inTime(put)
  expect(size).toBe(7)
  expect([puts, await textOf(key)]).toEqual([2, 'a stone'])
  await expect(put(key)).rejects.toBeInstanceOf(ObjectExists)
})

test('an object that another put stored while the response was lost is not taken as its own', async () => {
  const twice = async (key: string) => {
    meddle = () => undefined
    await put(key)
    puts = 0
    meddle = firstPut('lose the answer')
    return put(key)
  }
  await expect(inTime(twice)).rejects.toBeInstanceOf(ObjectExists)
  expect(puts).toBe(2)
})

test('bytes damaged in transit are not stored, and are sent again', async () => {
  meddle = firstPut('damage')
  const { key } = await inTime(put)
  expect([puts, await textOf(key)]).toEqual([2, 'a stone'])
})

test('repeated damage is 503 after a few attempts, and nothing is stored', async () => {
  meddle = (request) => (request.method === 'PUT' ? 'damage' : undefined)
  await expect(inTime(put)).rejects.toMatchObject({ status: 503 })
  expect(puts).toBeGreaterThan(1)
  expect([await allOf(objects.list()), await readdir(spoolFolder)]).toEqual([[], []])
})

test('an S3 without If-None-Match on PUT is checked before', async () => {
  meddle = ({ method, headers }) => (method === 'PUT' && headers['if-none-match'] ? 'refuse' : undefined)
  const key = newKey('txt')
  await put(key)
  expect(await textOf(key)).toBe('a stone')
  await expect(put(key, 'another')).rejects.toBeInstanceOf(ObjectExists)
  // Only If-None-Match ensures that a URL is used once.
  expect(await objects.directUpload!(newKey('txt'), { seconds: 60, mimeType: 'text/plain', size: 1 })).toBeUndefined()
  expect(await textOf(key)).toBe('a stone')
})
