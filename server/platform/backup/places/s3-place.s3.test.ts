import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { beforeAll, describe, expect, test } from 'vitest'
import { placeSuite, smallBackup } from '../../../test/content/place-suite.ts'
import { newBucket, testClient } from '../../../test/programs/s3/s3-bucket.ts'
import { readConfig } from '../../config.ts'
import { checkArchive } from '../check.ts'
import { fileNameAt } from './place.ts'
import { placeOf } from './place-of.ts'

let bucket: Record<string, string>
beforeAll(async () => {
  const files = Object.entries(await newBucket())
  bucket = Object.fromEntries(files.map(([name, value]) => [name.replace('CAIRN_S3_', 'CAIRN_BACKUP_S3_'), value]))
})

const placeWith = (settings: Record<string, string> = {}) => placeOf(readConfig({ ...bucket, ...settings }, ''))
const place = () => placeWith({ CAIRN_BACKUP_S3_PREFIX: 'cairn/one' })

/** Objects, and uploads in parts that are not complete. */
async function left(): Promise<string[]> {
  const client = testClient(bucket.CAIRN_BACKUP_S3_ENDPOINT!)
  const asked = { Bucket: bucket.CAIRN_BACKUP_S3_BUCKET }
  const { Contents = [] } = await client.send(new ListObjectsV2Command(asked))
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand(asked))
  return [...Contents, ...Uploads].map(({ Key = '' }) => Key.replace(/^cairn\/one\//, ''))
}

placeSuite('on S3', { place, left })

test('a backup of several parts is the same when it is read, under its prefix', async () => {
  const file = fileNameAt(Date.now())
  const size = 50 * 2 ** 20
  const { bytes } = await place().store(file, {
    write: smallBackup(size),
    verify: checkArchive,
    expectedBytes: size,
    signal: new AbortController().signal,
  })
  expect(bytes).toBeGreaterThan(size)
  expect((await checkArchive(await place().read(file))).counts).toMatchObject({ objects: 1, objectBytes: size })
  expect(place().name).toBe(`s3://${bucket.CAIRN_BACKUP_S3_BUCKET}/cairn/one`)
  expect(await placeWith().list()).toEqual([])
  await place().remove(file)
})

describe('the error names the setting to change', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['a missing bucket', { CAIRN_BACKUP_S3_BUCKET: 'not-there' }, 'change CAIRN_BACKUP_S3_BUCKET'],
    ['a wrong secret', { CAIRN_BACKUP_S3_SECRET_ACCESS_KEY: 'wrong' }, 'CAIRN_BACKUP_S3_SECRET_ACCESS_KEY does not'],
    [
      'an endpoint without a server',
      { CAIRN_BACKUP_S3_ENDPOINT: 'http://127.0.0.1:9' },
      'The S3 at http://127.0.0.1:9 does not answer',
    ],
  ]
  test.each(cases)('%s', async (_name, settings, sentence) => {
    const elsewhere = placeWith(settings)
    await expect(elsewhere.probe()).rejects.toThrow(sentence)
    const stored = elsewhere.store(fileNameAt(Date.now()), {
      write: smallBackup(20 * 2 ** 20),
      verify: checkArchive,
      expectedBytes: 0,
      signal: new AbortController().signal,
    })
    await expect(stored).rejects.toThrow(sentence)
  })
})
