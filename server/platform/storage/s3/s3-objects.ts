import { Readable } from 'node:stream'
import type { Clock } from '../../database/clock.ts'
import type { HttpError } from '../../errors.ts'
import type { Log } from '../../logging/log.ts'
import { checkKey, newKey, ObjectExists, type Objects, objectAddresses } from '../objects.ts'
import { isKey } from '../own-urls.ts'
import { spoolIn } from '../spool.ts'
import { disposition } from '../types/file-names.ts'
import { type S3Settings, s3Client } from './s3-client.ts'
import { adminError, codeOf, isMissing, storageError } from './s3-errors.ts'
import { s3Put } from './s3-put.ts'
import { objectStream } from './s3-stream.ts'

/** The largest PUT that S3 accepts. */
const MAX_BYTES = 5 * 2 ** 30

type Deps = {
  settings: S3Settings
  /** Where uploads wait until they are complete: only then are their size and hash known. */
  spoolFolder: string
  publicUrl: () => string
  /** The clock by which signed URLs expire. */
  clock?: Clock
  log: Log
}

/** Stores objects in a bucket of any S3-compatible storage. Errors of S3 are logged; callers get 503. */
export function s3Objects({ settings, spoolFolder, publicUrl, clock, log }: Deps): Objects {
  const s3 = s3Client(settings, clock)
  const spool = spoolIn(spoolFolder)
  const puts = s3Put(s3, log)
  let isWritable = false
  const Bucket = s3.bucket

  /** @returns undefined if the object does not exist */
  const found = async <T>(asked: Promise<T>): Promise<T | undefined> =>
    asked.catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw storageError(error)
    })

  return {
    ...objectAddresses(publicUrl),
    sweep: spool.sweep,

    async put(bytes, { key: given, extension, limit = MAX_BYTES }) {
      const key = checkKey(given ?? newKey(extension))
      return spool.hold(bytes, { limit: Math.min(limit, MAX_BYTES), isSynced: false }, async (path, written) => {
        await puts.put(path, key, written).catch((error: unknown) => {
          throw error instanceof ObjectExists ? error : storageError(error)
        })
        return { key, ...written }
      })
    },

    async read(key, range) {
      const { sdk, client } = await s3.loaded()
      const Range = range && `bytes=${range.start}-${range.end}`
      const command = new sdk.GetObjectCommand({ Bucket, Key: checkKey(key), ...(Range && { Range }) })
      const answer = await found(client.send(command)).catch((error: HttpError) => {
        // As with a file, there is nothing beyond its end.
        if (codeOf(error.cause) === 'InvalidRange') return { Body: Readable.from([]) }
        throw error
      })
      return answer && objectStream(answer.Body as Readable)
    },

    async size(key) {
      const { sdk, client } = await s3.loaded()
      return (await found(client.send(new sdk.HeadObjectCommand({ Bucket, Key: checkKey(key) }))))?.ContentLength
    },

    async remove(key) {
      const { sdk, client } = await s3.loaded()
      await found(client.send(new sdk.DeleteObjectCommand({ Bucket, Key: checkKey(key) })))
    },

    async *list() {
      const { sdk, client } = await s3.loaded()
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket })
      try {
        for await (const { Contents = [] } of pages)
          for (const { Key = '', Size = 0, LastModified } of Contents)
            if (isKey(Key)) yield { key: Key, size: Size, writtenAt: LastModified?.getTime() ?? Date.now() }
      } catch (error) {
        throw storageError(error)
      }
    },

    async check() {
      const { sdk, client } = await s3.loaded()
      try {
        await client.send(new sdk.HeadBucketCommand({ Bucket }))
      } catch (error) {
        // A HEAD response does not say why it failed.
        const why = await client.send(new sdk.ListObjectsV2Command({ Bucket, MaxKeys: 1 })).then(
          () => error,
          (reason) => reason,
        )
        throw adminError(why, settings)
      }
      if (isWritable) return
      // Once: whether the access key has all permissions, and what the storage supports.
      try {
        const { key } = await this.put(Readable.from([Buffer.from('probe')]), { extension: 'txt' })
        await this.read(key).then((stream) => stream?.destroy())
        await this.remove(key)
      } catch (error) {
        throw adminError((error as Error).cause ?? error, settings)
      }
      isWritable = true
    },

    directDownload: (key, { seconds, fileName, mimeType }) =>
      s3.signedGet(
        {
          Key: checkKey(key),
          ResponseContentType: mimeType,
          ResponseContentDisposition: disposition('attachment', fileName),
        },
        seconds,
      ),

    async directUpload(key, { seconds, mimeType, size }) {
      if (!puts.isConditional()) return undefined
      const headers = { 'content-type': mimeType, 'content-length': String(size), 'if-none-match': '*' }
      const input = { Key: checkKey(key), ContentType: mimeType, ContentLength: size, IfNoneMatch: '*' }
      return { url: await s3.signedPut(input, seconds, Object.keys(headers)), headers }
    },
  }
}
