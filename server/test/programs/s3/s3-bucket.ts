import { randomBytes } from 'node:crypto'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { S3_KEYS } from './s3-server.ts'

/** Creates an empty bucket on the S3 of the test run, or on the given one.
 * @returns the settings of a service that uses it. */
export async function newBucket(endpoint = process.env.CAIRN_TEST_S3_URL) {
  if (!endpoint) throw new Error('There is no S3: run these tests with npm run test:services')
  const bucket = `test-${randomBytes(8).toString('hex')}`
  const client = testClient(endpoint)
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return {
    CAIRN_S3_ENDPOINT: endpoint,
    CAIRN_S3_BUCKET: bucket,
    CAIRN_S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    CAIRN_S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
  }
}

/** S3 operations of a test, without the service. */
export const testClient = (endpoint: string) =>
  new S3Client({
    endpoint,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: S3_KEYS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
