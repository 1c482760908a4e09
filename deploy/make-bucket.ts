import { setTimeout as sleep } from 'node:timers/promises'
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'

/** Creates the bucket CAIRN_S3_BUCKET if it is missing. Retries for a minute, because the storage may still be starting. */

const { CAIRN_S3_ENDPOINT, CAIRN_S3_REGION = 'us-east-1', CAIRN_S3_BUCKET: Bucket } = process.env
const { CAIRN_S3_ACCESS_KEY_ID = '', CAIRN_S3_SECRET_ACCESS_KEY = '' } = process.env
const client = new S3Client({
  ...(CAIRN_S3_ENDPOINT && { endpoint: CAIRN_S3_ENDPOINT }),
  forcePathStyle: CAIRN_S3_ENDPOINT !== undefined,
  region: CAIRN_S3_REGION,
  credentials: { accessKeyId: CAIRN_S3_ACCESS_KEY_ID, secretAccessKey: CAIRN_S3_SECRET_ACCESS_KEY },
})

for (let attempt = 1; ; attempt++) {
  try {
    const isThere = await client.send(new HeadBucketCommand({ Bucket })).then(
      () => true,
      (error: { name: string }) => {
        if (error.name === 'NotFound' || error.name === 'NoSuchBucket') return false
        throw error
      },
    )
    if (!isThere) await client.send(new CreateBucketCommand({ Bucket }))
    console.log(`The bucket ${Bucket} is there`)
    break
  } catch (error) {
    if (attempt === 60) throw error
    await sleep(1000)
  }
}
