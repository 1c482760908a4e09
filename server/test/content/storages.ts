import { newBucket } from '../programs/s3/s3-bucket.ts'

/** Every storage that a test can use here, with the settings of a service: a folder and, with npm run test:services, S3. */
export const storages: [name: string, settings: () => Promise<Record<string, string>>][] = [
  ['a folder', async () => ({})],
  ...(process.env.CAIRN_TEST_S3_URL
    ? ([['S3', () => newBucket()]] as [string, () => Promise<Record<string, string>>][])
    : []),
]
