import { randomBytes } from 'node:crypto'
import { addAbortSignal, type Readable } from 'node:stream'
import { type S3, type S3Settings, s3Client } from '../../storage/s3/s3-client.ts'
import { adminError, isMissing } from '../../storage/s3/s3-errors.ts'
import { type BackupPlace, backupsAmong, isPartial, PARTIAL, type Storing, withOperatorError } from './place.ts'
import { abortUploads, copyInParts, partBytesFor, partsWriter } from './s3-parts.ts'

type Options = {
  settings: S3Settings
  /** Of the keys, without a slash at its end. */
  prefix: string | undefined
}

/** Keeps backups in a bucket. They are sent in parts while they are written, so they need no space on a disk. */
export function s3Place({ settings, prefix }: Options): BackupPlace {
  const s3 = s3Client(settings)
  const Bucket = s3.bucket
  const folder = prefix === undefined ? '' : `${prefix}/`
  const keyOf = (file: string) => folder + file

  const errorOf = (error: unknown) => adminError(error, settings, 'CAIRN_BACKUP_S3_')
  const withErrorOf = withOperatorError(errorOf)
  const inBucket = async <T>(work: (loaded: Awaited<ReturnType<S3['loaded']>>) => Promise<T>): Promise<T> => {
    const loaded = await s3.loaded()
    return withErrorOf(() => work(loaded))
  }
  const removeKey = (Key: string) =>
    inBucket(({ sdk, client }) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key })))
  const read = (file: string): Promise<Readable> =>
    inBucket(async ({ sdk, client }) => {
      const answer = await client.send(new sdk.GetObjectCommand({ Bucket, Key: keyOf(file) }))
      // Without a listener a broken connection would end the process; the reader gets the error.
      return (answer.Body as Readable).on('error', () => {})
    })
  const sizeOf = (file: string): Promise<number | undefined> =>
    inBucket(({ sdk, client }) =>
      client.send(new sdk.HeadObjectCommand({ Bucket, Key: keyOf(file) })).then(
        ({ ContentLength }) => ContentLength,
        (error) => {
          if (isMissing(error)) return undefined
          throw error
        },
      ),
    )
  const namesIn = (): Promise<{ file: string; bytes: number }[]> =>
    inBucket(async ({ sdk, client }) => {
      const found = []
      for await (const { Contents = [] } of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: folder }))
        for (const { Key = '', Size = 0 } of Contents) found.push({ file: Key.slice(folder.length), bytes: Size })
      return found
    })

  return {
    name: `s3://${Bucket}${prefix === undefined ? '' : `/${prefix}`}`,

    async probe() {
      await namesIn()
      const file = `.probe-${randomBytes(6).toString('hex')}`
      await inBucket(({ sdk, client }) =>
        client.send(new sdk.PutObjectCommand({ Bucket, Key: keyOf(file), Body: 'probe' })),
      )
      await read(file).then((body) => body.destroy())
      await removeKey(keyOf(file))
    },

    assertRoom: async () => {},

    async sweep() {
      for (const { file } of (await namesIn()).filter(({ file }) => isPartial(file))) await removeKey(keyOf(file))
      await abortUploads(s3, keyOf('cairn-'))
    },

    async store<T>(file: string, { write, verify, expectedBytes, signal }: Storing<T>) {
      const [from, to] = [keyOf(file + PARTIAL), keyOf(file)]
      const upload = partsWriter(s3, from, { partBytes: partBytesFor(expectedBytes), signal })
      try {
        const done = await write(upload.to).catch(async (error) => {
          // What S3 answered is the cause: the writer only finds its stream closed.
          const cause = await upload.end(error as Error)
          throw cause ? errorOf(cause) : error
        })
        const bytes = await inBucket(upload.complete)
        await verify(addAbortSignal(signal, await read(file + PARTIAL)))
        await inBucket(() => copyInParts(s3, { from, to, bytes, signal }))
        if ((await sizeOf(file)) !== bytes) throw new Error(`The copy of ${file} in the bucket has another size`)
        return { done, bytes }
      } catch (error) {
        await removeKey(to).catch(() => {})
        throw error
      } finally {
        await removeKey(from).catch(() => {})
      }
    },

    list: async () => backupsAmong(await namesIn()),
    read,
    remove: async (file) => void (await removeKey(keyOf(file))),
  }
}
