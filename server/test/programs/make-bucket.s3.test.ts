import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { HeadBucketCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { bareEnvironment, ROOT } from '../process.ts'
import { testClient } from './s3-bucket.ts'
import { S3_KEYS } from './s3-server.ts'

test('deploy/make-bucket.ts creates the bucket, and keeps an existing one', async () => {
  const [endpoint, bucket] = [process.env.CAIRN_TEST_S3_URL!, `made-${randomBytes(6).toString('hex')}`]
  const env = {
    ...bareEnvironment(),
    CAIRN_S3_ENDPOINT: endpoint,
    CAIRN_S3_BUCKET: bucket,
    CAIRN_S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    CAIRN_S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
  }
  for (const _time of ['first', 'again']) {
    const { stdout } = await promisify(execFile)(process.execPath, ['deploy/make-bucket.ts'], { cwd: ROOT, env })
    expect(stdout).toContain(`The bucket ${bucket} is there`)
  }
  await testClient(endpoint).send(new HeadBucketCommand({ Bucket: bucket }))
})
