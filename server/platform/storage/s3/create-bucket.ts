import { setTimeout as sleep } from 'node:timers/promises'
import { type S3Settings, s3Client } from './s3-client.ts'

/** A storage that starts at the same time has this long to answer. */
const WAIT_MS = 60_000
const RETRY_MS = 1000
const MISSING = ['NotFound', 'NoSuchBucket']

/** Creates the bucket, or leaves an existing one as it is. @returns whether it was missing @throws the storage's error after a minute */
export async function createBucket(settings: S3Settings): Promise<boolean> {
  const { sdk, client } = await s3Client(settings).loaded()
  const bucket = { Bucket: settings.bucket }
  const isMissing = () =>
    client.send(new sdk.HeadBucketCommand(bucket)).then(
      () => false,
      (error: Error) => {
        if (MISSING.includes(error.name)) return true
        throw error
      },
    )
  for (const until = Date.now() + WAIT_MS; ; await sleep(RETRY_MS))
    try {
      if (!(await isMissing())) return false
      await client.send(new sdk.CreateBucketCommand(bucket))
      return true
    } catch (error) {
      if (Date.now() > until) throw error
    }
}
