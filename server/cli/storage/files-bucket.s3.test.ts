import { randomBytes } from 'node:crypto'
import { HeadBucketCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { testClient } from '../../test/programs/s3/s3-bucket.ts'
import { S3_KEYS } from '../../test/programs/s3/s3-server.ts'
import { runCommand } from '../../test/run-command.ts'

test('files create-bucket creates the bucket, and keeps an existing one', async () => {
  const [endpoint, bucket] = [process.env.CAIRN_TEST_S3_URL!, `made-${randomBytes(6).toString('hex')}`]
  const settings = {
    CAIRN_S3_ENDPOINT: endpoint,
    CAIRN_S3_BUCKET: bucket,
    CAIRN_S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    CAIRN_S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
  }
  for (const created of [true, false]) {
    const { code, out, err } = await runCommand(['files', 'create-bucket', '--json'], settings)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toEqual({ bucket, created })
  }
  await testClient(endpoint).send(new HeadBucketCommand({ Bucket: bucket }))
})
