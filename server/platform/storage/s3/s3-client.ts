import type { GetObjectCommandInput, PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import type { Config } from '../../config.ts'
import type { Clock } from '../../database/clock.ts'

export type S3Settings = {
  /** Absent: AWS. */
  endpoint?: string | undefined
  /** Where clients reach it, if not at `endpoint`. */
  publicEndpoint?: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** A server that does not take a connection, or does not begin its answer, for so long is away. With one further try it is told within ten seconds; no connection, also where two things are asked in turn. */
const CONNECT_MS = 2000
const ANSWER_MS = 4000
const ATTEMPTS = 2
/** Nothing went either way: the other side of a transfer is gone, or its reader. A slow reader takes nothing for minutes while its own side has enough. */
const IDLE_MS = 300_000
/** A slow reader holds a connection for as long as it reads. */
const MAX_CONNECTIONS = 1000

/** @returns undefined when files are to be kept in the data folder. */
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

/** The client of one S3, loaded at its first use: who keeps files in a folder does not pay for it. */
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
        // The checksums that the SDK would add are not understood everywhere.
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

    /** An address at which anybody may download this object for so long. */
    async signedGet(input: Omit<GetObjectCommandInput, 'Bucket'>, seconds: number): Promise<string> {
      const { sdk, signer, getSignedUrl } = await loaded()
      return getSignedUrl(signer, new sdk.GetObjectCommand({ Bucket, ...input }), {
        expiresIn: seconds,
        signingDate: new Date(clock.now()),
      })
    },

    /** An address at which anybody may put this object for so long, with exactly these headers. */
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

/** What goes wrong is thrown; the SDK would write to the console besides. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
