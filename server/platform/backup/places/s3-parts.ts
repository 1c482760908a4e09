import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3 } from '../../storage/s3/s3-client.ts'
import { isTransient } from '../../storage/s3/s3-errors.ts'

const MIB = 2 ** 20
/** S3 requires 5 MiB or more for all parts but the last, 5 GiB at most, and 10,000 parts. */
const MIN_PART_BYTES = 16 * MIB
const MAX_PARTS = 10_000
const COPIED_BYTES = 1024 * MIB
/** For one part, sent or copied. */
const PART_MS = 10 * 60_000
const ATTEMPTS = 4
const PAUSE_MS = 500

/** The size of parts with which a backup fits that is twice as large as expected. All parts are equal: some storages require it. */
export const partBytesFor = (expectedBytes: number): number =>
  Math.max(MIN_PART_BYTES, Math.ceil((2 * expectedBytes) / MAX_PARTS / MIB) * MIB)

type Part = { PartNumber: number; ETag: string | undefined }
type Loaded = Awaited<ReturnType<S3['loaded']>>

/** Retries what may succeed later. */
async function tried<T>(signal: AbortSignal, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(AbortSignal.any([signal, AbortSignal.timeout(PART_MS)]))
    } catch (error) {
      signal.throwIfAborted()
      if (attempt === ATTEMPTS || !isTransient(error)) throw error
      await sleep(PAUSE_MS * 2 ** attempt, undefined, { signal })
    }
  }
}

/** An upload in parts: the object exists once it is completed. */
function newUpload(s3: S3, Key: string, signal: AbortSignal) {
  const target = { Bucket: s3.bucket, Key }
  const parts: Part[] = []
  let id: string | undefined
  /** @param send sends or copies one part, and returns its ETag */
  const add = async (
    send: (
      loaded: Loaded,
      part: { Bucket: string; Key: string; UploadId: string; PartNumber: number },
      options: { abortSignal: AbortSignal; requestTimeout: number },
    ) => Promise<string | undefined>,
  ) => {
    const loaded = await s3.loaded()
    const { sdk, client } = loaded
    id ??= (await client.send(new sdk.CreateMultipartUploadCommand(target))).UploadId!
    const PartNumber = parts.length + 1
    const UploadId = id
    const ETag = await tried(signal, (abortSignal) =>
      send(loaded, { ...target, UploadId, PartNumber }, { abortSignal, requestTimeout: 0 }),
    )
    parts.push({ PartNumber, ETag })
  }
  return {
    add,
    async complete(): Promise<void> {
      const { sdk, client } = await s3.loaded()
      const command = new sdk.CompleteMultipartUploadCommand({
        ...target,
        UploadId: id,
        MultipartUpload: { Parts: parts },
      })
      await tried(signal, (abortSignal) => client.send(command, { abortSignal, requestTimeout: 0 }))
    },
    async abort(): Promise<void> {
      if (id === undefined) return
      const { sdk, client } = await s3.loaded()
      await client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId: id })).catch(() => {})
    },
  }
}

/** Sends what is written to it in parts, one at a time. */
export function partsWriter(s3: S3, key: string, { partBytes, signal }: { partBytes: number; signal: AbortSignal }) {
  const upload = newUpload(s3, key, signal)
  let waiting: Uint8Array[] = []
  let [size, sent] = [0, 0]
  let failure: Error | undefined

  const send = async (Body: Buffer) => {
    await upload.add(async ({ sdk, client }, part, options) => {
      const answer = await client.send(
        new sdk.UploadPartCommand({ ...part, Body, ContentLength: Body.length }),
        options,
      )
      return answer.ETag
    })
    sent += Body.length
  }
  const sendFull = async () => {
    if (size < partBytes) return
    let all = Buffer.concat(waiting)
    for (; all.length >= partBytes; all = all.subarray(partBytes)) await send(all.subarray(0, partBytes))
    waiting = [all]
    size = all.length
  }
  const settled = (work: Promise<void>, done: (error?: Error | null) => void) =>
    work.then(
      () => done(),
      (error: Error) => {
        failure = error
        done(error)
      },
    )
  const to = new Writable({
    write(piece: Uint8Array, _encoding, done) {
      waiting.push(piece)
      size += piece.length
      void settled(sendFull(), done)
    },
    final(done) {
      void settled(size > 0 ? send(Buffer.concat(waiting)) : Promise.resolve(), done)
    },
  })
  to.on('error', () => {})
  return {
    to,
    /** Call it after the end of the stream. @returns the number of bytes */
    async complete(): Promise<number> {
      await upload.complete()
      return sent
    },
    /** Gives the upload up. @returns the error of S3, if there was one */
    async end(error: Error): Promise<Error | undefined> {
      to.destroy(error)
      await upload.abort()
      return failure
    },
  }
}

type Copy = { from: string; to: string; bytes: number; signal: AbortSignal }

/** Copies an object inside the bucket, also one larger than the 5 GiB that S3 copies at once. */
export async function copyInParts(s3: S3, { from, to, bytes, signal }: Copy): Promise<void> {
  const upload = newUpload(s3, to, signal)
  const CopySource = `${s3.bucket}/${from.split('/').map(encodeURIComponent).join('/')}`
  try {
    for (let at = 0; at < bytes; at += COPIED_BYTES)
      await upload.add(async ({ sdk, client }, part, options) => {
        const CopySourceRange = `bytes=${at}-${Math.min(bytes, at + COPIED_BYTES) - 1}`
        const command = new sdk.UploadPartCopyCommand({ ...part, CopySource, CopySourceRange })
        return (await client.send(command, options)).CopyPartResult?.ETag
      })
    await upload.complete()
  } catch (error) {
    await upload.abort()
    throw error
  }
}

/** Removes the parts of interrupted uploads. Not every storage lists them: those of others stay until it removes them. */
export async function abortUploads(s3: S3, prefix: string): Promise<void> {
  const { sdk, client } = await s3.loaded()
  const { Uploads = [] } = await client
    .send(new sdk.ListMultipartUploadsCommand({ Bucket: s3.bucket, Prefix: prefix }))
    .catch(() => ({ Uploads: [] }))
  for (const { Key, UploadId } of Uploads)
    await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: s3.bucket, Key, UploadId })).catch(() => {})
}
