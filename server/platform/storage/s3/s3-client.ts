import type { GetObjectCommandInput, PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import type { Config } from '../../config.ts'
import type { Clock } from '../../database/clock.ts'

export type S3Settings = {
  /** Absent for AWS. */
  endpoint?: string | undefined
  /** The endpoint for clients, if it differs from `endpoint`. */
  publicEndpoint?: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/**
 * Timeout for connecting, and for the first byte of a response. With one retry an outage is reported within ten
 * seconds, even for two requests in sequence.
 */
const CONNECT_MS = 2000
const ANSWER_MS = 4000
const ATTEMPTS = 2
/**
 * Idle timeout: the peer or the reader of a transfer is gone. A slow reader may take nothing for minutes while its
 * buffers are full.
 */
const IDLE_MS = 300_000
/** A slow reader holds a connection for as long as it reads. */
const MAX_CONNECTIONS = 1000

/** @returns undefined if files are stored in the data folder */
export function s3SettingsOf(config: Config): S3Settings | undefined {
  if (!config.CAIRN_S3_BUCKET) return undefined
  return {
    endpoint: config.CAIRN_S3_ENDPOINT,
    publicEndpoint: config.CAIRN_S3_PUBLIC_ENDPOINT,
    region: config.CAIRN_S3_REGION,
    bucket: config.CAIRN_S3_BUCKET,
    accessKeyId: config.CAIRN_S3_ACCESS_KEY_ID!,
    secretAccessKey: config.CAIRN_S3_SECRET_ACCESS_KEY!,
  }
}

export type S3 = ReturnType<typeof s3Client>

/** The client of an S3 storage, loaded on first use, so that folder storage does not pay for it. */
export function s3Client(settings: S3Settings, clock: Clock = Date) {
  const loaded = once(async () => {
    const [sdk, { getSignedUrl }] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@aws-sdk/s3-request-presigner'),
    ])
    const clientOf = (endpoint: string | undefined): S3Client =>
      new sdk.S3Client({
        ...(endpoint && { endpoint, forcePathStyle: true }),
        region: settings.region,
        credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
        // Not every storage supports the SDK's extra checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        expectContinueHeader: false,
        maxAttempts: ATTEMPTS,
        logger: silent,
        requestHandler: {
          connectionTimeout: CONNECT_MS,
          requestTimeout: ANSWER_MS,
          throwOnRequestTimeout: true,
          socketTimeout: IDLE_MS,
          httpAgent: { maxSockets: MAX_CONNECTIONS },
          httpsAgent: { maxSockets: MAX_CONNECTIONS },
        },
      })
    const client = clientOf(settings.endpoint)
    const signer = settings.publicEndpoint ? clientOf(settings.publicEndpoint) : client
    return { sdk, client, signer, getSignedUrl }
  })
  const Bucket = settings.bucket

  return {
    bucket: Bucket,
    loaded,

    /** A URL with which anyone can download this object for a while. */
    async signedGet(input: Omit<GetObjectCommandInput, 'Bucket'>, seconds: number): Promise<string> {
      const { sdk, signer, getSignedUrl } = await loaded()
      return getSignedUrl(signer, new sdk.GetObjectCommand({ Bucket, ...input }), {
        expiresIn: seconds,
        signingDate: new Date(clock.now()),
      })
    },

    /** A URL with which anyone can upload this object for a while, with exactly these headers. */
    async signedPut(input: Omit<PutObjectCommandInput, 'Bucket'>, seconds: number, headers: string[]): Promise<string> {
      const { sdk, signer, getSignedUrl } = await loaded()
      return getSignedUrl(signer, new sdk.PutObjectCommand({ Bucket, ...input }), {
        expiresIn: seconds,
        signingDate: new Date(clock.now()),
        signableHeaders: new Set(headers),
        unhoistableHeaders: new Set(headers),
      })
    },
  }
}

/** Errors are thrown; the SDK would also write to the console. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
